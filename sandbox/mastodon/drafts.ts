import { countGraphemes } from '#src/clients/operation/text/characters.ts';
import type { StoredPost } from '../social/posts.ts';
import type { Fields } from './fields.ts';
import { uploadNamed } from './status-json.ts';
import { Refusal } from '../refusal.ts';
import { invalid } from './refusal.ts';
import { findStatus, type SignedInRequest } from './request.ts';
import { quotePolicies, visibilities, type PollDraft, type StatusDraft, type Visibility } from './state.ts';
import { lengthOf } from './text.ts';
import { canQuote, isRestricted, visibilityOf } from './visibility.ts';

export const POLL = { mostOptions: 4, longestOption: 50, shortestSeconds: 300, longestSeconds: 2_629_746 } as const;

/** The status in a request. Refuses what the server does not accept. */
export function readDraft(request: SignedInRequest): StatusDraft {
  const { fields, viewer, state, token, snapshot } = request;
  const parent = referenced(fields.text('in_reply_to_id'), request);
  const quoted = state.settings.features.isRecent ? referenced(fields.text('quoted_status_id'), request) : undefined;
  const isQuotable = !quoted || canQuote(viewer, quoted, state, snapshot.relations);
  if (!isQuotable) throw new Refusal(404, 'The post you are trying to quote does not appear to exist.');

  const status = (fields.text('status') ?? '').trim();
  const warning = (fields.text('spoiler_text') ?? '').trim();
  const [text, spoilerText] = status === '' ? [warning, ''] : [status, warning];
  const poll = readPoll(fields.part('poll'));
  const uploadIds = readUploads(request, { poll, attachedTo: undefined });
  checkText({ text, spoilerText }, uploadIds, request);
  const visibility = readVisibility(quoted, request);
  const app = token.appId === undefined ? undefined : state.oauth.apps.get(token.appId);
  return {
    authorId: viewer.id,
    text,
    spoilerText,
    sensitive: (fields.flag('sensitive') ?? false) || spoilerText !== '',
    visibility,
    language: fields.text('language') ?? viewer.language,
    uploadIds: [...uploadIds],
    poll: poll && { ...poll, options: [...poll.options] },
    replyTo: parent?.id,
    quote: quoted?.id,
    quotePolicy:
      visibility === 'private' || visibility === 'direct'
        ? 'nobody'
        : (quotePolicies.find((policy) => policy === fields.text('quote_approval_policy')) ?? 'public'),
    application: { id: app?.id, name: app?.name ?? 'Fanfare Sandbox', website: app?.website },
  };
}

/** Refuses a text that is empty or too long. */
export function checkText(
  content: { readonly text: string; readonly spoilerText: string },
  uploadIds: readonly string[],
  { state }: SignedInRequest,
): void {
  const { maxCharacters } = state.settings.current;
  if (content.text === '' && uploadIds.length === 0) throw invalid("Text can't be blank");
  if (lengthOf(content) > maxCharacters) throw invalid(`Text character limit of ${maxCharacters} exceeded`);
}

/** The poll of a new or an edited status. */
export function readPoll(fields: Fields | undefined): PollDraft | undefined {
  const options = fields?.texts('options').map((option) => option.trim()) ?? [];
  if (!fields || options.length === 0) return undefined;
  const expiresInSeconds = fields.whole('expires_in') ?? 0;
  if (options.length < 2) throw invalid('Options must have more than one item');
  if (options.length > POLL.mostOptions) throw invalid(`Options can't contain more than ${POLL.mostOptions} items`);
  if (options.some((option) => countGraphemes(option) > POLL.longestOption))
    throw invalid("Options can't be longer than 50 characters each");
  if (new Set(options).size < options.length) throw invalid('Options contain duplicate items');
  if (expiresInSeconds < POLL.shortestSeconds) throw invalid('Expires at duration is too short');
  if (expiresInSeconds > POLL.longestSeconds) throw invalid('Expires at duration is too long');
  return { options, expiresInSeconds, multiple: fields.flag('multiple') ?? false, hideTotals: fields.flag('hide_totals') ?? false };
}

/** The uploads in `media_ids`. Each must be ready, belong to the viewer, and be in no status but `attachedTo`. */
export function readUploads(
  { fields, state, viewer, uploads, nowMs }: SignedInRequest,
  { poll, attachedTo }: { readonly poll: PollDraft | undefined; readonly attachedTo: string | undefined },
): readonly string[] {
  const ids = fields.texts('media_ids');
  const { maxFiles } = state.settings.current;
  if (ids.length > 0 && (ids.length > maxFiles || poll)) throw invalid(`Cannot attach more than ${maxFiles} files`);
  const found = ids.map((id) => {
    const upload = uploads.find(uploadNamed(id, state) ?? '');
    const facts = upload && state.files.get(upload.id);
    const isFree = facts && (facts.attachedTo === undefined || facts.attachedTo === attachedTo);
    if (!isFree || upload.ownerId !== viewer.id) throw invalid(`Media ${id} not found or already attached to another post`);
    return upload;
  });
  const hasSound = found.some(({ kind }) => kind === 'video' || kind === 'audio');
  if (found.length > 1 && hasSound && state.settings.features.isMastodon) {
    throw invalid('Cannot attach a video to a post that already contains images');
  }
  if (found.some(({ readyAtMs }) => nowMs < readyAtMs)) {
    throw invalid('Cannot attach files that have not finished processing. Try again in a moment!');
  }
  return found.map(({ id }) => id);
}

function referenced(id: string | undefined, request: SignedInRequest): StoredPost | undefined {
  if (id === undefined || id === '') return undefined;
  const status = findStatus(id, request);
  const post = status?.repostOf === undefined ? status : request.snapshot.feed.find(status.repostOf);
  if (!post) throw new Refusal(404, 'The post you are trying to reply to or quote does not appear to exist.');
  return post;
}

/** A public quote of a private post is private. */
function readVisibility(quoted: StoredPost | undefined, { fields, state }: SignedInRequest): Visibility {
  const text = fields.text('visibility') || 'public';
  const chosen = visibilities.find((visibility) => visibility === text);
  if (!chosen) throw invalid('Visibility is not included in the list');
  return quoted && chosen !== 'direct' && isRestricted(quoted, state) ? visibilityOf(quoted, state) : chosen;
}
