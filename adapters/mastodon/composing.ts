import { PlatformError, UnsupportedParameter, ValidationError } from '#src/errors.ts';
import type { PostVisibility } from '#src/social/enumerations.ts';
import { countGraphemes } from '#src/operation/text/graphemes.ts';
import type { MastodonContext, Primitives } from './context.ts';
import { API_VERSIONS, type Instance } from './instance.ts';
import { PLATFORM } from './wire/parts.ts';

export type Draft = Parameters<Primitives['createPost']>[0];
type Poll = NonNullable<Draft['poll']>;

/** A draft as a server takes it, its files on the server already. */
export interface WireDraft {
  readonly status: string;
  readonly language?: string | undefined;
  readonly visibility?: PostVisibility | undefined;
  readonly media_ids?: readonly string[] | undefined;
  readonly in_reply_to_id?: string | undefined;
  readonly quoted_status_id?: string | undefined;
  readonly poll?: { readonly options: readonly string[]; readonly expires_in: number; readonly multiple: boolean } | undefined;
}

export interface ComposeOptions {
  /** For errors, as `createPost`. */
  readonly operation: string;
  readonly signal: AbortSignal | undefined;
}

/** What a server is asked for, so that a draft becomes a status; uploads its files. What the server does not take is refused here. */
export async function composed(draft: Draft, { operation, signal }: ComposeOptions, context: MastodonContext): Promise<WireDraft> {
  const { text, files = [], language = context.defaults.language, visibility = context.defaults.visibility, replyTo, quote, poll } = draft;
  const { instances, statuses } = context;
  const instance = await instances.current(signal);
  const expiring = poll && wirePoll(poll, instance);
  const inReplyTo = replyTo === undefined ? undefined : await statuses.idOf(replyTo, signal);
  const quoted = quote === undefined ? undefined : await quotable(quote, { operation, signal }, { ...context, instance });
  const mediaIds = files.length === 0 ? undefined : await context.files.idsOf(files, signal);
  return { status: text, language, visibility, media_ids: mediaIds, in_reply_to_id: inReplyTo, quoted_status_id: quoted, poll: expiring };
}

function wirePoll({ options, durationMinutes, multiple }: Poll, { domain, polls }: Instance): WireDraft['poll'] {
  const seconds = durationMinutes * 60;
  const refused = (what: string): ValidationError => new ValidationError(`${domain} takes ${what}`, { path: 'poll' });
  if (options.length > polls.mostOptions) throw refused(`at most ${polls.mostOptions} answers in a poll`);
  if (options.some((option) => countGraphemes(option) > polls.longestOption))
    throw refused(`answers of at most ${polls.longestOption} characters`);
  if (seconds < polls.shortestSeconds) throw refused(`polls of at least ${Math.ceil(polls.shortestSeconds / 60)} minutes`);
  if (seconds > polls.longestSeconds) throw refused(`polls of at most ${Math.floor(polls.longestSeconds / 60)} minutes`);
  return { options, expires_in: seconds, multiple };
}

/** The id of a post that may be quoted. */
async function quotable(
  quote: string,
  { operation, signal }: ComposeOptions,
  { statuses, instance }: MastodonContext & { readonly instance: Instance },
): Promise<string> {
  if (instance.apiVersion < API_VERSIONS.quotes) {
    throw new UnsupportedParameter({
      platform: PLATFORM,
      operation,
      parameter: 'quote',
      reason: 'SERVER_DISABLED',
      detail: `${instance.domain} runs ${instance.version || 'a version that it does not tell'}; quotes came with Mastodon 4.5.`,
      alternatives: ['put the address of the post into the text'],
    });
  }
  const row = await statuses.find(quote, signal);
  const subject = row.reblog ?? row;
  if (subject.quote_approval?.isDenied) {
    throw new PlatformError(`${PLATFORM}: the author of this post does not let you quote it.`, { platform: PLATFORM, fault: 'forbidden' });
  }
  return subject.id;
}
