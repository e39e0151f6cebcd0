import { z } from 'zod';
import { type ErrorMeaning, faultOfStatus } from '#src/http/errors.ts';
import type { Fault } from '#src/errors.ts';
import { CONVERSATION_TOO_LONG } from '#src/clients/assistant/port.ts';
import { oneLine, withExplanation } from '#src/http/explanation.ts';
import { parseJson } from '#src/http/parse-json.ts';

const maybe = z.string().nullish().catch(undefined);

/** The error body of servers of this protocol; some omit the code. */
const ErrorBody = z.object({ error: z.looseObject({ code: maybe, type: maybe, message: maybe }) });
type Reason = z.output<typeof ErrorBody>['error'];

const NO_QUOTA = 'the quota of the account at the provider is used up: check its plan and billing.';
const NO_API = 'set ASSISTANT_URL to the address of an OpenAI-compatible API, for example https://api.openai.com/v1.';

const TOO_LONG = 'the conversation is longer than the model accepts: start a new conversation, or choose a model with a larger context.';
/** Messages of servers that do not use OpenAI's code. */
const TOO_LONG_TEXT = /context (length|window|size)|prompt is too long|too many (input )?tokens|maximum.{0,20}tokens/iu;

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
  if (isTooLong(data?.error)) return { fault: 'rejected', cause: CONVERSATION_TOO_LONG, advice: withReason(TOO_LONG, data?.error) };
  const advice = ADVICE[fault];
  return { fault, advice: advice && withReason(advice, data?.error) };
}

/** The error for an answer that reports success but does not follow the protocol. */
export function contentProblem(contentType: unknown): string {
  return `${String(contentType).startsWith('text/html') ? 'a web page' : 'data that is not part of the protocol'}; ${NO_API}`;
}

/** The meaning of an error in the middle of an answer. */
export function faultWithin(error: unknown): ErrorMeaning {
  const { data } = ErrorBody.safeParse({ error });
  if (isTooLong(data?.error)) return { fault: 'rejected', cause: CONVERSATION_TOO_LONG, advice: withReason(TOO_LONG, data?.error) };
  if (codeOf(data?.error) === 'insufficient_quota') return { fault: 'quotaExhausted', advice: NO_QUOTA };
  return { fault: 'unavailable', advice: withReason('the provider ended it with an error.', data?.error) };
}

/** Advice for faults that the provider explains. An explanation of a wrong key may contain the key. */
const ADVICE: Readonly<Partial<Record<Fault, string>>> = {
  unavailable: 'the provider has an error; try again later.',
  rejected: 'the provider rejects the request.',
};

function isTooLong(reason: Reason | undefined): boolean {
  return codeOf(reason) === 'context_length_exceeded' || TOO_LONG_TEXT.test(reason?.message ?? '');
}

/** The advice with the reason of the provider. */
function withReason(advice: string, reason: Reason | undefined): string {
  return withExplanation(advice, oneLine(reason?.message ?? ''), 'Its reason');
}

function codeOf(error: Reason | undefined): string | undefined {
  return error?.code ?? error?.type ?? undefined;
}

/** Whether an API sent the text: it is a JSON object. */
function isFromApi(text: string): boolean {
  const json = parseJson(text);
  return typeof json === 'object' && json !== null;
}
