import type { Post } from '#src/clients/social/records/post.ts';
import { textBehind } from '#src/clients/operation/text/content-warning.ts';
import { isFault } from '#src/http/errors.ts';
import type { AccountContext, Primitives } from '../account-context.ts';
import { rejected } from '../errors.ts';
import { comparable } from '../wire/written.ts';
import { StatusRow, toPost } from '../wire/status.ts';
import type { WireDraft } from './draft.ts';
import { statusSource } from './find-lost-status.ts';
import { folded, readdressed } from './replies.ts';

/** The body of an edit. An edit removes every part that it omits. */
interface WireEdit extends Pick<WireDraft, 'status' | 'poll'> {
  readonly spoiler_text: string;
  readonly sensitive: boolean;
  readonly language: string | undefined;
  readonly media_ids: readonly string[];
}

/** Mastodon accepts no shorter poll. */
const SHORTEST_POLL_SECONDS = 300;

type EditParams = Parameters<Primitives['editPost']>[0];

export async function composedEdit(
  { text, sensitive, files, ...changed }: EditParams,
  row: StatusRow,
  signal: AbortSignal | undefined,
  context: AccountContext,
) {
  const warning = changed.warning ?? (row.spoiler_text.trim() || undefined);
  const { text: shown, warning: kept = '' } = folded({ text, warning });
  return {
    status: await readdressed(shown, row, signal, context),
    spoiler_text: kept,
    sensitive: sensitive ?? (row.sensitive || warning !== undefined),
    language: row.language,
    media_ids: files ? await context.files.idsOf(files, signal) : row.media_attachments.map(({ id }) => id),
    poll: row.poll ? pollOfEdit(row.poll.poll, context.api.now()) : undefined,
  } satisfies WireEdit;
}

/** Edits a status. A server that refuses an edit without a change has made this edit before, and its answer was lost. */
export async function edited(id: string, json: WireEdit, signal: AbortSignal | undefined, context: AccountContext): Promise<StatusRow> {
  const { api, statuses } = context;
  const path = `/api/v1/statuses/${encodeURIComponent(id)}`;
  try {
    return (await api.send({ method: 'PUT', path, json, scope: 'write:statuses', signal })).json(StatusRow);
  } catch (error) {
    if (!isFault(error, 'rejected')) throw error;
    const row = await statuses.find(id, signal);
    if (await isAsIn(json, row, signal, context)) return row;
    throw error;
  }
}

/** Whether a status is as an edit asks for. */
async function isAsIn(json: WireEdit, row: StatusRow, signal: AbortSignal | undefined, context: AccountContext): Promise<boolean> {
  const isOtherwise =
    row.spoiler_text.trim() !== json.spoiler_text ||
    row.sensitive !== json.sensitive ||
    row.media_attachments.map(({ id }) => id).join() !== json.media_ids.join() ||
    (row.poll?.poll.options.map(({ label }) => label) ?? []).join('\n') !== (json.poll?.options ?? []).join('\n');
  if (isOtherwise) return false;
  const source = await statusSource(row.id, signal, context);
  if (source !== undefined) return source.trim() === json.status.trim();
  return comparable(toPost(row, context.api.now()).text) === comparable(textBehind(json.spoiler_text || undefined, json.status));
}

/**
 * The poll with its end. An edit without it would remove it, and Mastodon accepts no end earlier than in five minutes. The votes of an open
 * poll are only unknown if its author hides them until its end.
 */
function pollOfEdit({ options, endsAt, closed, multiple }: NonNullable<Post['poll']>, now: Date): WireDraft['poll'] {
  const leftSeconds = Math.round((endsAt.getTime() - now.getTime()) / 1000);
  if (closed || leftSeconds < SHORTEST_POLL_SECONDS) {
    throw rejected(
      'a post cannot be edited once its poll is closed or ends within five minutes: the edit would give the poll a later end. Nothing was changed, and a repeat will fail too. Write a new post instead.',
    );
  }
  const isHidden = options.every(({ votes }) => votes === undefined);
  return { options: options.map(({ label }) => label), expires_in: leftSeconds, multiple, ...(isHidden && { hide_totals: true }) };
}
