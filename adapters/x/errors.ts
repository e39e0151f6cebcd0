import { z } from 'zod';
import { arrayOf } from '#src/http/lenient.ts';
import { type Fault, PlatformError, UnsupportedOperation } from '#src/errors.ts';
import { type ErrorMeaning, faultOfStatus } from '#src/http/errors.ts';
import type { RawResponse } from '#src/http/exchange.ts';
import { oneLine, withExplanation } from '#src/http/explanation.ts';
import { parseJson } from '#src/http/parse-json.ts';
import { NOT_SELF_SERVE } from './capabilities.ts';
import { RefusedFields, withoutAccepted } from './refused-fields.ts';

/** A problem that X reports about a request, or about a part of an answer. */
export const Problem = z.object({
  type: z.string().nullish(),
  title: z.string().nullish(),
  detail: z.string().nullish(),
  reason: z.string().nullish(),
  /** The parameter with the problem. For a record in the expansions, its path, for example `referenced_tweets.id`. */
  parameter: z.string().nullish(),
  /** The parameters with the problem, by name. */
  parameters: z.record(z.string(), z.unknown()).nullish().catch(undefined),
  value: z.unknown().optional(),
  resource_id: z.unknown().optional(),
  /** The error code of version 1.1. */
  code: z.number().nullish().catch(undefined),
  message: z.string().nullish(),
});
export type Problem = z.output<typeof Problem>;

const Body = Problem.extend({ errors: arrayOf(Problem).nullish().catch(undefined) });

/** Reasons that the code of the adapter distinguishes. */
type ProblemKind = 'plan' | 'notSummoned' | 'alreadyDone' | 'suspended' | 'noReason';

interface Meaning extends ErrorMeaning {
  readonly cause?: ProblemKind | RefusedFields | undefined;
}

const PLAN = 'the plan of the app does not include this.';
const CREDITS = 'the credits or the usage cap of the app are used up: see https://console.x.com. Fanfare does not retry.';

/** The meaning of a 403 without a reason. */
const MAY_NOT: Meaning = {
  fault: 'forbidden',
  advice:
    'the account or its app does not have this permission: check the permissions of the app at https://console.x.com, and sign in again with `npx fanfare auth`.',
  cause: 'noReason',
};

const SUSPENDED: Meaning = { fault: 'forbidden', advice: 'X has suspended the account.', cause: 'suspended' };
const LOCKED: Meaning = {
  fault: 'forbidden',
  advice: 'X has locked the account: sign in at https://x.com and unlock it.',
  refusesAccount: true,
};

/** X refuses writes over a limit of the account with a 403: https://developer.twitter.com/en/docs/basics/response-codes. */
const OVER_LIMIT: Meaning = { fault: 'rateLimited', advice: 'the account has reached a limit of X: try again later.' };

const DUPLICATE: Meaning = {
  fault: 'duplicate',
  advice: 'the account has posted the same text before: change the text, for example with a title or a time.',
};

/** By the last part of the problem's `type`. */
const BY_TYPE: ReadonlyMap<string, Meaning> = new Map([
  ['resource-not-found', { fault: 'missing' }],
  ['resource-unavailable', { fault: 'missing' }],
  ['not-authorized-for-resource', { fault: 'forbidden', advice: 'the account cannot see this: it may be protected.' }],
  ['not-authorized-for-field', { fault: 'forbidden' }],
  ['field-unauthorized', { fault: 'forbidden' }],
  ['disallowed-resource', { fault: 'forbidden' }],
  ['client-forbidden', { fault: 'forbidden', advice: PLAN, cause: 'plan' }],
  ['unsupported-authentication', { fault: 'forbidden', advice: 'X does not accept this kind of authentication here.' }],
  [
    'oauth1-permissions',
    {
      fault: 'forbidden',
      advice:
        'the app can only read: set its permissions to "Read and write and Direct message" in the developer portal, and create new tokens.',
    },
  ],
  ['usage-capped', { fault: 'quotaExhausted', advice: CREDITS }],
  ['credits', { fault: 'quotaExhausted', advice: CREDITS }],
  ['rate-limit-exceeded', { fault: 'rateLimited' }],
  ['invalid-request', { fault: 'rejected' }],
  ['operational-disconnect', { fault: 'unavailable' }],
]);

/** By the error code of API version 1.1. */
const BY_CODE: Readonly<Record<number, Meaning>> = {
  32: { fault: 'unauthorized' },
  50: { fault: 'missing' },
  63: { fault: 'forbidden', advice: 'X has suspended that account.', cause: 'suspended' },
  64: { ...SUSPENDED, refusesAccount: true },
  88: { fault: 'rateLimited' },
  89: { fault: 'unauthorized' },
  139: { fault: 'rejected', cause: 'alreadyDone' },
  144: { fault: 'missing' },
  161: OVER_LIMIT,
  185: OVER_LIMIT,
  187: DUPLICATE,
  326: LOCKED,
  327: { fault: 'rejected', cause: 'alreadyDone' },
  344: OVER_LIMIT,
  385: { fault: 'missing' },
  433: { fault: 'forbidden', advice: 'the author of the post does not allow a reply of this account.' },
  453: { fault: 'forbidden', advice: PLAN, cause: 'plan' },
};

/** By the message, because X uses the same type and code for several refusals. */
const BY_TEXT: readonly (readonly [RegExp, Meaning])[] = [
  [/duplicate content/i, DUPLICATE],
  [/deleted or not visible/i, { fault: 'missing' }],
  [
    /not been mentioned|otherwise engaged by/i,
    {
      fault: 'forbidden',
      advice: 'X allows apps to reply only to users who mentioned or quoted the account (REPLY_NOT_SUMMONED).',
      cause: 'notSummoned',
    },
  ],
  // https://docs.x.com/x-api/media/quickstart/best-practices#posting-errors
  [
    /video longer than/i,
    {
      fault: 'rejected',
      advice: 'the video is too long for this account: shorten it. Paying accounts can post longer videos.',
    },
  ],
  [/already (retweeted|reposted|liked|favorited)/i, { fault: 'rejected', cause: 'alreadyDone' }],
  [/your account (is|has been) suspended/i, { ...SUSPENDED, refusesAccount: true }],
  [/suspended/i, SUSPENDED],
  [/(account|user).{0,40}locked/i, LOCKED],
  [/over daily .{0,20}limit|reached your daily limit|unable to follow more people at this time/i, OVER_LIMIT],
  [/usage ?cap/i, { fault: 'quotaExhausted', advice: CREDITS }],
];

/** The meaning of a failed response. */
export function meaningOf({ status, text }: RawResponse): ErrorMeaning | undefined {
  if (status === 402) return { fault: 'quotaExhausted', advice: CREDITS };
  if (status === 401 || faultOfStatus(status) === 'unavailable') return undefined;
  const body = Body.safeParse(parseJson(text));
  if (!body.success) return undefined;
  const problems = [body.data, ...(body.data.errors ?? [])];
  const known = problems.map(meaningOfProblem).find((meaning) => meaning !== undefined);
  // A 429 passes with time unless the quota is used up. A 404 always means that the record does not exist.
  if (status === 429) return known?.fault === 'quotaExhausted' ? known : undefined;
  if (status === 404) return undefined;
  const isUnknown = known === undefined || (known.fault === 'rejected' && known.cause === undefined);
  if (status === 400 && isUnknown && problems.some(isAboutFields)) {
    return { fault: 'rejected', advice: withReasons(NOT_ACCEPTED, problems), cause: refusedFieldsOf(problems) } satisfies Meaning;
  }
  const meaning: Meaning | undefined = known ?? (status === 403 ? MAY_NOT : status >= 400 ? { fault: 'rejected' } : undefined);
  if (meaning?.fault !== 'rejected' && meaning?.fault !== 'forbidden') return meaning;
  // Fanfare has its own advice for a reason that it knows.
  if (known?.advice !== undefined) return known;
  const { advice = meaning.fault === 'rejected' ? NOT_ACCEPTED : NOT_ALLOWED } = meaning;
  return { ...meaning, advice: withReasons(advice, problems) };
}

const NOT_ACCEPTED = 'X does not accept the request.';
const NOT_ALLOWED = 'the account does not have this permission.';

const FIELD_PARAMETER = /^(?:[a-z_]+\.fields|expansions)$/;
/** Names of field parameters and of the fields that X renamed, in both vocabularies. */
const FIELD_NAMES =
  /\b[a-z_]+\.fields\b|\bexpansions?\b|\b(?:note|referenced)_(?:tweet|post)s?\b|\b[a-z_]+_(?:tweet|post)_ids?\b|\b(?:author|owner|sender|participant|in_reply_to_user)_ids?\b/;
/** Whether a refusal is about a field parameter or one of its values: the parameters that X names decide, and the message if it names none. */
function isAboutFields({ parameter, parameters, detail, message }: Problem): boolean {
  const named = [...(parameter ? [parameter] : []), ...Object.keys(parameters ?? {})];
  if (named.length > 0) return named.some((name) => FIELD_PARAMETER.test(name));
  return FIELD_NAMES.test(withoutAccepted(`${detail ?? ''} ${message ?? ''}`));
}

function refusedFieldsOf(problems: readonly Problem[]): RefusedFields {
  const about = problems.filter(isAboutFields);
  return new RefusedFields(
    about.flatMap(({ detail, message, value }) =>
      [detail, message, typeof value === 'string' ? `[${value}]` : undefined].filter((text) => typeof text === 'string'),
    ),
    about.flatMap(({ parameter, parameters }) => [...(parameter ? [parameter] : []), ...Object.keys(parameters ?? {})]),
  );
}

/** Explanations that repeat the status. */
const EMPTY_EXPLANATION = /^(?:forbidden|bad request|invalid request|one or more parameters to your request was invalid\.?)$/i;

/** The advice with the reasons from X. */
function withReasons(advice: string, problems: readonly Problem[]): string {
  const reasons = problems.flatMap(({ message, detail, title }) => message ?? detail ?? title ?? []);
  const explanation = [...new Set(reasons)].filter((reason) => !EMPTY_EXPLANATION.test(reason)).join(' ');
  return withExplanation(advice, oneLine(explanation), 'X says');
}

/** The meaning of a problem; undefined for an unknown problem. */
export function meaningOfProblem({ type, title, detail, code, message }: Problem): Meaning | undefined {
  // The text in brackets repeats the request.
  const text = `${title ?? ''} ${detail ?? ''} ${message ?? ''}`.replace(/\[.*\]/gs, '');
  const byText = BY_TEXT.find(([pattern]) => pattern.test(text))?.[1];
  return byText ?? BY_TYPE.get(type?.split('/').at(-1) ?? '') ?? BY_CODE[code ?? 0];
}

/** The fault of a problem within a success. */
export function faultOfProblem(problem: Problem): Fault {
  return meaningOfProblem(problem)?.fault ?? 'rejected';
}

/** Performs an operation that only some plans include; throws `UnsupportedOperation` if X reports that this plan does not. */
export async function gated<R>(operation: string, alternatives: readonly string[], ask: () => Promise<R>): Promise<R> {
  try {
    return await ask();
  } catch (error) {
    if (!(error instanceof PlatformError) || error.cause !== 'plan') throw error;
    throw new UnsupportedOperation({ platform: 'x', operation, ...NOT_SELF_SERVE, alternatives });
  }
}
