import { z } from 'zod';
import type { Clock } from '#src/clock.ts';
import { httpClient } from '#src/http/client.ts';

const Models = z.object({ data: z.array(z.object({ id: z.string() })).nullish() });
const WRONG_KEY = 'check ASSISTANT_API_KEY, or `apiKey` in fanfare.yaml.';

/** Whether the endpoint accepts the key and has the model. */
export async function identify(
  { apiKey, url, model }: { readonly apiKey: string; readonly url: string; readonly model: string },
  { clock, signal }: { readonly clock: Clock; readonly signal?: AbortSignal | undefined },
): Promise<string> {
  await using http = httpClient({
    platform: 'assistant',
    baseUrl: url,
    clock,
    headers: { authorization: `Bearer ${apiKey}` },
    faultOf: ({ status }) => (status === 401 || status === 403 ? { fault: 'unauthorized', advice: WRONG_KEY } : undefined),
  });
  const { data } = (await http.request({ path: '/models', signal })).json(Models);
  return data?.some(({ id }) => id === model) === false ? `it answers, but does not list ${model}` : `it answers, and has ${model}`;
}
