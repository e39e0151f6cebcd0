import { z } from 'zod';
import { type Fault, PlatformError } from '#src/errors.ts';
import { type ErrorMeaning, faultOfStatus } from '#src/http/errors.ts';
import type { RawResponse } from '#src/http/exchange.ts';
import type { SocialPlatform } from '#src/clients/social/social.ts';
import { parseJson } from '#src/http/parse-json.ts';

const maybe = z.string().nullish().catch(undefined);
const Body = z.object({ error: maybe, message: maybe, jobId: maybe });

const Reason = z.object({
  name: z.string(),
  /** The job that already processes the same file. */
  jobId: z.string().optional(),
});
/** The reason in a refusal. */
type Reason = z.output<typeof Reason>;

type Meaning = readonly [Fault, advice?: string];

const ACCOUNT_GONE = 'the account is deactivated, suspended or taken down.';
const BLOCKED = 'one account has blocked the other.';
/** An upload that no record takes up in time is thrown away. */
const UPLOAD_GONE = ['rejected', 'the upload has expired: upload again.'] as const;

/** The meaning of error names, for errors whose status is not specific. */
const NAMED: ReadonlyMap<string, Meaning> = new Map<string, Meaning>([
  ['ExpiredToken', ['unauthorized']],
  ['InvalidToken', ['unauthorized']],
  ['AuthMissing', ['unauthorized']],
  ['AuthRequired', ['unauthorized']],
  ['AuthenticationRequired', ['unauthorized']],
  ['AuthFactorTokenRequired', ['unauthorized']],
  ['InvalidSwap', ['duplicate', 'the record has changed in the meantime.']],
  ['AccountTakedown', ['forbidden', ACCOUNT_GONE]],
  ['AccountSuspended', ['forbidden', ACCOUNT_GONE]],
  ['AccountDeactivated', ['forbidden', ACCOUNT_GONE]],
  ['AccountInactive', ['forbidden', ACCOUNT_GONE]],
  ['RepoTakendown', ['forbidden', ACCOUNT_GONE]],
  ['RepoSuspended', ['forbidden', ACCOUNT_GONE]],
  ['RepoDeactivated', ['forbidden', ACCOUNT_GONE]],
  ['BlockedActor', ['forbidden', BLOCKED]],
  ['BlockedByActor', ['forbidden', BLOCKED]],
  ['BlockedSubject', ['forbidden', BLOCKED]],
  ['MessagesDisabled', ['forbidden', 'the user does not accept messages.']],
  ['NotFollowedBySender', ['forbidden', 'the user accepts messages only from followed users.']],
  ['ConvoLocked', ['forbidden', 'the conversation is locked.']],
  ['NotFound', ['missing']],
  ['RecordNotFound', ['missing']],
  ['RepoNotFound', ['missing']],
  ['HandleNotFound', ['missing']],
  ['DidNotFound', ['missing']],
  ['AccountNotFound', ['missing']],
  ['ActorNotFound', ['missing']],
  ['UnknownFeed', ['missing']],
  ['UnknownList', ['missing']],
  ['InvalidConvo', ['missing']],
  ['RecipientNotFound', ['missing']],
  ['ReplyTargetNotFound', ['missing']],
  ['ReactionMessageDeleted', ['missing']],
  ['ReactionLimitReached', ['rejected', 'the message has the maximum number of reactions.']],
  ['BlobNotFound', UPLOAD_GONE],
  ['InvalidMimeType', ['rejected', 'files of this type are not accepted.']],
  ['BlobTooLarge', ['rejected', 'the file is too large.']],
  ['RateLimitExceeded', ['rateLimited']],
  ['UpstreamFailure', ['unavailable']],
  ['UpstreamTimeout', ['unavailable']],
  // A second attempt ends as the first one.
  ['MethodNotImplemented', ['rejected']],
]);

/** The reason of an `InvalidRequest` is only in its message. */
const BY_TEXT: readonly (readonly [words: RegExp, meaning: Meaning])[] = [
  [/could not find blob/i, UPLOAD_GONE],
  [/not found|could not (find|locate|resolve)|unable to resolve/i, ['missing']],
];
/** The message of a server without the needed service. */
const NO_SERVICE = /no service configured/i;

/** A token that is good, but not for this. */
const NOT_FOR_THIS = /bad token (method|scope)|privileged/i;
const NO_SERVICE_REASON: Reason = { name: 'NoService' };
const NO_PRIVILEGE: Reason = { name: 'NoPrivilege' };

/** The meaning of a refusal by an AT Protocol server. Its cause is the reason of the server. */
export function refusalOf({ status, text }: RawResponse): ErrorMeaning | undefined {
  const { error, message, jobId }: Partial<z.output<typeof Body>> = Body.safeParse(parseJson(text)).data ?? {};
  if (error === 'InvalidToken' && NOT_FOR_THIS.test(message ?? '')) return { fault: 'forbidden', cause: NO_PRIVILEGE };
  if (NO_SERVICE.test(message ?? '')) return { fault: 'rejected', cause: NO_SERVICE_REASON };
  const name = error && /^\w{1,60}$/.test(error) ? error : undefined;
  const cause = name === undefined ? undefined : ({ name, jobId: jobId ?? undefined } satisfies Reason);
  const named = NAMED.get(name ?? '');
  const byText = status === 400 ? BY_TEXT.find(([words]) => words.test(message ?? ''))?.[1] : undefined;
  const [fault = faultOfStatus(status), advice] = named ?? byText ?? [];
  return fault && { fault, advice, cause };
}

/** The reason that a server gave for its refusal. */
export function reasonOf(error: unknown): Partial<Reason> {
  const cause = error instanceof PlatformError ? error.cause : undefined;
  return Reason.safeParse(cause).data ?? {};
}

/** Whether the app password is good, and may not do this. */
export function lacksPrivilege(error: unknown): boolean {
  return reasonOf(error).name === NO_PRIVILEGE.name;
}

/** Whether a server has no service for a request, or an unreachable one. */
export function lacksService(error: unknown): error is PlatformError {
  if (!(error instanceof PlatformError)) return false;
  return error.status === 501 || error.status === 502 || reasonOf(error).name === NO_SERVICE_REASON.name;
}

export const PLATFORM = 'bluesky';

/** The primitives of the adapter. */
export type Primitives = Required<SocialPlatform['operations']>;

/** The recoveries of the adapter. */
export type Recoveries = Required<NonNullable<SocialPlatform['recover']>>;

/** A failure that the adapter words itself. */
export function failure(fault: Fault, message: string, cause?: unknown): PlatformError {
  const { status, retryAt } = cause instanceof PlatformError ? cause : {};
  return new PlatformError(`${PLATFORM}: ${message}`, { platform: PLATFORM, fault, status, retryAt, cause });
}
