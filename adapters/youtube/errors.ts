import { z } from 'zod';
import type { Fault } from '#src/errors.ts';
import type { ErrorMeaning } from '#src/http/errors.ts';
import type { RawResponse } from '#src/http/exchange.ts';
import { parseJson } from '#src/http/parse-json.ts';

const Refusal = z.object({ error: z.object({ errors: z.array(z.object({ reason: z.string() })).nullish() }) });

/** The page with the keys of a project. */
export const API_KEYS = 'https://console.cloud.google.com/apis/credentials';
const NO_KEY: ErrorMeaning = { fault: 'unauthorized', advice: `YouTube does not accept the API key: check it at ${API_KEYS}.` };

/** The reasons of https://developers.google.com/youtube/v3/docs/errors and of the API gateway. */
const MEANINGS: ReadonlyMap<string, Fault | ErrorMeaning> = new Map<string, Fault | ErrorMeaning>([
  ['quotaExceeded', { fault: 'quotaExhausted', advice: 'the quota of the key is used up until midnight in California.' }],
  ['dailyLimitExceeded', { fault: 'quotaExhausted', advice: 'the quota of the key is used up until midnight in California.' }],
  ['rateLimitExceeded', 'rateLimited'],
  ['userRateLimitExceeded', 'rateLimited'],
  ['keyInvalid', NO_KEY],
  ['accessNotConfigured', { fault: 'unauthorized', advice: 'enable “YouTube Data API v3” in the project of the key.' }],
  ['ipRefererBlocked', { fault: 'unauthorized', advice: 'the restrictions of the key exclude this machine.' }],
  ['playlistNotFound', 'missing'],
  ['channelNotFound', 'missing'],
]);

/** The meaning of a refusal by its reason. */
export function faultOf({ status, text }: RawResponse): Fault | ErrorMeaning | undefined {
  if (status < 400) return undefined;
  const refusal = Refusal.safeParse(parseJson(text));
  const reason = refusal.success ? refusal.data.error.errors?.[0]?.reason : undefined;
  const meaning = MEANINGS.get(reason ?? '');
  if (meaning !== undefined) return meaning;
  // A key that does not exist has the reason `badRequest` and this text.
  return status === 400 && /API key not valid/iu.test(text) ? NO_KEY : undefined;
}
