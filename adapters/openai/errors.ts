import { z } from 'zod';
import { type ErrorMeaning, faultOfStatus } from '#src/http/errors.ts';
import { parseJson } from '#src/http/parse-json.ts';

/** The error body of servers of this protocol; some omit the code. */
const ErrorBody = z.object({
  error: z.looseObject({ code: z.string().nullish().catch(undefined), type: z.string().nullish().catch(undefined) }),
});

const NO_QUOTA = 'the quota of the account at the provider is used up: check its plan and billing.';
const NO_API = 'set ASSISTANT_URL to the address of an OpenAI-compatible API, for example https://api.openai.com/v1.';

/** The meaning of an answer that is not a success; undefined for a success. */
export function refusalOf(status: number, text: string, { model }: { readonly model: string }): ErrorMeaning | undefined {
  const fault = faultOfStatus(status);
  if (!fault) return undefined;
  const { data } = ErrorBody.safeParse(parseJson(text));
  const code = codeOf(data?.error);
  if (status === 402 || code === 'insufficient_quota') return { fault: 'quotaExhausted', advice: NO_QUOTA };
  if (code === 'model_not_found' || (status === 404 && isFromApi(text))) {
    return {
      fault: 'missing',
      advice: `the provider has no model "${model}": set ASSISTANT_MODEL to one of its models, or check ASSISTANT_URL.`,
    };
  }
  if (status === 404 || status === 405) return { fault: 'malformed', advice: NO_API };
  return { fault };
}

/** The error for an answer that reports success but does not follow the protocol. */
export function contentProblem(contentType: unknown): string {
  return `${String(contentType).startsWith('text/html') ? 'a web page' : 'data that is not part of the protocol'}; ${NO_API}`;
}

/** The meaning of an error in the middle of an answer. */
export function faultWithin(error: unknown): ErrorMeaning {
  const { data } = ErrorBody.safeParse({ error });
  if (codeOf(data?.error) === 'insufficient_quota') return { fault: 'quotaExhausted', advice: NO_QUOTA };
  return { fault: 'unavailable', advice: 'the provider ended it with an error.' };
}

function codeOf(error: z.output<typeof ErrorBody>['error'] | undefined): string | undefined {
  return error?.code ?? error?.type ?? undefined;
}

/** Whether an API sent the text: it is a JSON object. */
function isFromApi(text: string): boolean {
  const json = parseJson(text);
  return typeof json === 'object' && json !== null;
}
