import { PlatformError, UnsupportedParameter, ValidationError } from '#src/errors.ts';
import { countGraphemes } from '#src/operation/text/characters.ts';
import type { Account, Primitives } from '../account.ts';
import { API_VERSIONS, type Instance } from '../instance.ts';
import type { AccountRow } from '../wire/account.ts';
import { PLATFORM } from '../wire/parts.ts';
import type { StatusParts } from '../wire/status-parts.ts';
import { toWireVisibility, type WireVisibility } from '../wire/visibility.ts';

export type Draft = Parameters<Primitives['createPost']>[0];
type Poll = NonNullable<Draft['poll']>;

/** The body of a request, with uploaded files. */
export interface WireDraft {
  readonly status: string;
  readonly language?: string | undefined;
  readonly visibility?: WireVisibility | undefined;
  readonly media_ids?: readonly string[] | undefined;
  readonly in_reply_to_id?: string | undefined;
  readonly quoted_status_id?: string | undefined;
  readonly poll?: { readonly options: readonly string[]; readonly expires_in: number; readonly multiple: boolean } | undefined;
}

interface ComposeOptions {
  /** The operation, as errors name it. */
  readonly operation: string;
  readonly signal: AbortSignal | undefined;
}

/** Checks a draft against the limits of the server, uploads its files, and returns the body of the request. */
export async function composed(draft: Draft, { operation, signal }: ComposeOptions, context: Account): Promise<WireDraft> {
  const { text, files = [], language = context.defaults.language, visibility = context.defaults.visibility, replyTo, quote, poll } = draft;
  const { instances, statuses } = context;
  const instance = await instances.current(signal);
  const expiring = poll && wirePoll(poll, instance);
  const inReplyTo = replyTo === undefined ? undefined : await statuses.idOf(replyTo, signal);
  const quoted = quote === undefined ? undefined : await quotable(quote, { operation, signal }, { ...context, instance });
  const mediaIds = files.length === 0 ? undefined : await context.files.idsOf(files, signal);
  return {
    status: text,
    language,
    visibility: toWireVisibility(visibility),
    media_ids: mediaIds,
    in_reply_to_id: inReplyTo,
    quoted_status_id: quoted,
    poll: expiring,
  };
}

function wirePoll({ options, durationMinutes, multiple }: Poll, { domain, polls }: Instance): WireDraft['poll'] {
  const seconds = durationMinutes * 60;
  const refused = (what: string): ValidationError => new ValidationError(`${domain} accepts ${what}`, { path: 'poll' });
  if (options.length > polls.mostOptions) throw refused(`at most ${polls.mostOptions} options in a poll`);
  if (options.some((option) => countGraphemes(option) > polls.longestOption))
    throw refused(`options of at most ${polls.longestOption} characters`);
  if (seconds < polls.shortestSeconds) throw refused(`polls of at least ${Math.ceil(polls.shortestSeconds / 60)} minutes`);
  if (seconds > polls.longestSeconds) throw refused(`polls of at most ${Math.floor(polls.longestSeconds / 60)} minutes`);
  return { options, expires_in: seconds, multiple };
}

/** The id of a post that may be quoted. */
async function quotable(
  quote: string,
  { operation, signal }: ComposeOptions,
  { statuses, instance }: Account & { readonly instance: Instance },
): Promise<string> {
  if (instance.apiVersion < API_VERSIONS.quotes) {
    throw new UnsupportedParameter({
      platform: PLATFORM,
      operation,
      parameter: 'quote',
      reason: 'SERVER_DISABLED',
      detail: `${instance.domain} runs ${instance.version || 'an unknown version'}; quotes need Mastodon 4.5 or later.`,
      alternatives: ['put the address of the post into the text'],
    });
  }
  const row = await statuses.find(quote, signal);
  const subject = row.reblog ?? row;
  if (subject.quote_approval?.isDenied) {
    throw new PlatformError(`${PLATFORM}: the author of this post does not allow quotes.`, { platform: PLATFORM, fault: 'forbidden' });
  }
  return subject.id;
}

/** The parts of a requested status that a server may remove or change. */
export interface RequestedStatus {
  readonly hasPoll: boolean;
  readonly fileCount: number;
  readonly isReply: boolean;
  readonly isQuote: boolean;
  readonly visibility?: string | undefined;
  readonly recipients?: readonly Pick<AccountRow, 'id' | 'acct'>[] | undefined;
}

export function requestedStatus({
  poll,
  files = [],
  replyTo,
  quote,
}: Pick<Draft, 'poll' | 'files' | 'replyTo' | 'quote'>): RequestedStatus {
  return { hasPoll: poll !== undefined, fileCount: files.length, isReply: replyTo !== undefined, isQuote: quote !== undefined };
}

interface MadeStatus {
  /** The server. */
  readonly domain: string;
  readonly parts: StatusParts;
  /** The record that the caller gets. */
  readonly record: { readonly id: string; readonly url?: string | undefined };
}

/** Throws if the server made another status than was asked for. The error has the record of that status. */
export function assertAsRequested(requested: RequestedStatus, { domain, parts, record }: MadeStatus): void {
  const different = differences(requested, parts);
  if (different.length === 0) return;
  const message = `${domain} published the post ${different.join(' and ')}. It exists: ${record.url ?? `its id is ${record.id}`}. Fanfare does not send it again; delete or edit it there.`;
  throw new PlatformError(`${PLATFORM}: ${message}`, { platform: PLATFORM, fault: 'rejected', record });
}

/** The differences, as text. A part that the answer does not contain is not a difference. */
function differences({ hasPoll, fileCount, isReply, isQuote, visibility, recipients = [] }: RequestedStatus, made: StatusParts): string[] {
  const { mentions, mediaCount = fileCount } = made;
  const unreached = recipients.filter(({ id, acct }) => mentions && !mentions.some((one) => one.id === id || one.acct === acct));
  return [
    hasPoll && made.pollOptions === '' ? ['without its poll'] : [],
    mediaCount < fileCount ? [`with ${mediaCount} of ${fileCount} files`] : [],
    isReply && made.replyTo === null ? ['not as a reply'] : [],
    isQuote && made.isQuote === false ? ['without its quote'] : [],
    visibility !== undefined && (made.visibility ?? visibility) !== visibility ? [`with the visibility "${made.visibility}"`] : [],
    unreached.length > 0 ? [`not to ${unreached.map(({ acct }) => `@${acct}`).join(', ')}`] : [],
  ].flat();
}
