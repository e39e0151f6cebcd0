import { PlatformError, UnsupportedParameter, ValidationError } from '#src/errors.ts';
import { countGraphemes } from '#src/clients/operation/text/characters.ts';
import type { AccountContext, Draft } from '../account-context.ts';
import { API_VERSIONS, type Instance } from '../instance.ts';
import { PLATFORM } from '../wire/parts.ts';
import { toWireVisibility, type WireVisibility } from '../wire/visibility.ts';
import { addressed, type AddressedDraft } from './replies.ts';

type Poll = NonNullable<Draft['poll']>;

/** The body of a request, with uploaded files. */
export interface WireDraft {
  /** The text below the warning. */
  readonly status: string;
  readonly spoiler_text?: string | undefined;
  readonly sensitive?: boolean | undefined;
  readonly language?: string | undefined;
  readonly visibility?: WireVisibility | undefined;
  readonly media_ids?: readonly string[] | undefined;
  readonly in_reply_to_id?: string | undefined;
  readonly quoted_status_id?: string | undefined;
  readonly quote_approval_policy?: 'public' | 'followers' | 'nobody' | undefined;
  readonly poll?:
    | {
        readonly options: readonly string[];
        readonly expires_in: number;
        readonly multiple: boolean;
        readonly hide_totals?: boolean | undefined;
      }
    | undefined;
}

/** The body of a request, and the visibility that it asks for. */
interface Composed extends Pick<AddressedDraft, 'visibility'> {
  readonly json: WireDraft;
}

const POLICIES = { everyone: 'public', followers: 'followers', nobody: 'nobody' } as const;

interface ComposeOptions {
  /** The operation, as errors name it. */
  readonly operation: string;
  readonly signal: AbortSignal | undefined;
}

/** Checks a draft against the limits of the server, uploads its files, and returns the body of the request. */
export async function composed(draft: Draft, { operation, signal }: ComposeOptions, context: AccountContext): Promise<Composed> {
  const { files = [], language = context.defaults.language, quote, quotable, poll } = draft;
  const { instances } = context;
  const instance = await instances.current(signal);
  const expiring = poll && wirePoll(poll, instance);
  const { text, warning, visibility, parent } = await addressed(draft, signal, context);
  const quoted = quote === undefined ? undefined : await quotedId(quote, { operation, signal }, { ...context, instance });
  const mediaIds = files.length === 0 ? undefined : await context.files.idsOf(files, signal);
  const json = {
    status: text,
    spoiler_text: warning,
    // Without a text, the warning is the text of the status, and covers no files.
    sensitive: draft.sensitive ?? (draft.warning !== undefined && warning === undefined ? true : undefined),
    language,
    visibility: toWireVisibility(visibility),
    media_ids: mediaIds,
    in_reply_to_id: parent?.id,
    quoted_status_id: quoted,
    // Earlier versions have no quotes.
    quote_approval_policy: quotable && instance.apiVersion >= API_VERSIONS.quotes ? POLICIES[quotable] : undefined,
    poll: expiring,
  };
  return { json, visibility };
}

/** Rejects with a `ValidationError` if the server does not accept the poll or the files. Files that cannot be read do not count. */
export async function assertAccepted(
  { poll, files = [] }: Pick<Draft, 'poll' | 'files'>,
  signal: AbortSignal | undefined,
  { instances, files: media }: AccountContext,
): Promise<void> {
  if (poll) wirePoll(poll, await instances.current(signal));
  if (files.length > 0) await media.assertTogether(files, signal);
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
async function quotedId(
  quote: string,
  { operation, signal }: ComposeOptions,
  { statuses, instance }: AccountContext & { readonly instance: Instance },
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
