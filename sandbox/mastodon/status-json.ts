import type { JsonObject } from '#src/clients/operation/json.ts';
import { hasReacted, whoReacted } from '../social/engagement.ts';
import { fold, hashtagsIn, spelledHashtagsIn } from '../social/hashtags.ts';
import { pollOf } from '../social/records.ts';
import type { StoredMedia, StoredPost } from '../social/posts.ts';
import type { Upload } from '../social/media.ts';
import type { WorldPerson } from '../world/world.ts';
import { toAccount } from './account-json.ts';
import { hashedOrder, idNumberAt } from './ids.ts';
import type { MastodonRequest } from './request.ts';
import { profileUrl, tagUrl, type MastodonState, type ScheduledStatus } from './state.ts';
import { escapeHtml, toHtml, urlHtml } from './text.ts';
import { canQuote, findMentioned, isRestricted, mentionedIn, quotePolicyOf, visibilityOf } from './visibility.ts';

interface StatusOptions {
  /** Whether a quote is shown by its id alone, as inside another quote. */
  readonly shallow?: boolean | undefined;
}

/** A post as the viewer sees it. A boost is a status with an empty text. */
export function toStatus(post: StoredPost, request: MastodonRequest, options: StatusOptions = {}): JsonObject {
  const { state, snapshot } = request;
  const { ids } = state;
  const original = post.repostOf === undefined ? undefined : snapshot.feed.find(post.repostOf);
  const author = snapshot.people.find(post.authorId);
  if (!author) throw new Error(`post ${post.id} has no author`);
  const facts = state.statuses.get(post.repostOf ?? post.id);
  const parent = post.replyTo === undefined ? undefined : snapshot.feed.find(post.replyTo);
  // A reply to a deleted status keeps the id of its author.
  const answered = parent ?? (post.replyTo === undefined ? undefined : state.core.written.find(post.replyTo));
  const uri = `${state.home}/users/${author.handle}/statuses/${ids.status(post)}`;
  return {
    id: ids.status(post),
    created_at: new Date(post.createdAtMs).toISOString(),
    in_reply_to_id: parent ? ids.status(parent) : null,
    in_reply_to_account_id: answered ? ids.account(answered.authorId) : null,
    sensitive: facts?.sensitive ?? false,
    spoiler_text: original ? '' : (facts?.spoilerText ?? ''),
    visibility: visibilityOf(post, state),
    language: original ? null : post.language,
    uri: original ? `${uri}/activity` : uri,
    url: original ? `${uri}/activity` : statusUrl(post, state),
    ...(original ? boostFields(original, request) : contentFields(post, request, options)),
    reblog: original ? toStatus(original, request, options) : null,
    edited_at: original || post.editedAtMs === undefined ? null : new Date(post.editedAtMs).toISOString(),
    ...(facts && { application: { name: facts.application.name, website: facts.application.website ?? null } }),
    account: toAccount(author, request),
    emojis: [],
    card: null,
  };
}

function boostFields(original: StoredPost, request: MastodonRequest): JsonObject {
  const counts = { replies_count: 0, reblogs_count: 0, favourites_count: 0, quotes_count: 0 };
  const empty = { content: '', media_attachments: [], mentions: [], tags: [], poll: null, quote: null };
  return { ...counts, ...empty, ...(request.viewer && viewerFields(request.viewer, original, request)) };
}

function contentFields(post: StoredPost, request: MastodonRequest, options: StatusOptions): JsonObject {
  const { state, snapshot, viewer } = request;
  const quoted = post.quote === undefined ? undefined : snapshot.feed.find(post.quote);
  const isPinnable = viewer?.id === post.authorId && visibilityOf(post, state) !== 'direct';
  return {
    replies_count: snapshot.feed.answersTo(post.id).length,
    reblogs_count: whoReacted('repost', post, snapshot).length,
    favourites_count: whoReacted('like', post, snapshot).length,
    quotes_count: snapshot.feed.quotesOf(post.id).length,
    content: contentHtml(post.text, quoted, state),
    ...(viewer && viewerFields(viewer, post, request)),
    ...(isPinnable && { pinned: snapshot.reactions.find('pin', { userId: viewer.id, postId: post.id }) ?? false }),
    media_attachments: toAttachments(post, post.media, state),
    mentions: mentionedIn(post.text, state).flatMap((id) => {
      const person = snapshot.people.find(id);
      return person
        ? [{ id: state.ids.account(id), username: person.handle, url: profileUrl(person.handle, state), acct: person.handle }]
        : [];
    }),
    tags: [...hashtagNames(post)].map((name) => ({ name, url: tagUrl(name, state) })),
    poll: toPoll(post, request) ?? null,
    quote: toQuote(post, quoted, request, options),
    quote_approval: toQuoteApproval(post, request),
  };
}

function viewerFields(person: WorldPerson, post: StoredPost, { snapshot }: MastodonRequest): JsonObject {
  return {
    favourited: hasReacted('like', { person, post }, snapshot),
    reblogged: hasReacted('repost', { person, post }, snapshot),
    muted: false,
    bookmarked: snapshot.bookmarks.has(person.id, post.id),
    filtered: [],
  };
}

/** The address of a post. */
function statusUrl(post: StoredPost, state: MastodonState): string {
  return `${profileUrl(state.core.people.find(post.authorId)?.handle ?? '', state)}/${state.ids.status(post)}`;
}

/** The text of a post as HTML. A quote without a link to the quoted post begins with that link. */
export function contentHtml(text: string, quoted: StoredPost | undefined, state: MastodonState): string {
  const html = textHtml(text, state);
  if (!quoted || !state.settings.features.isRecent) return html;
  const url = statusUrl(quoted, state);
  return html.includes(escapeHtml(url)) ? html : `<p class="quote-inline">RE: ${urlHtml(url)}</p>${html}`;
}

export function textHtml(text: string, state: MastodonState): string {
  return toHtml(text, {
    tag: (name) => tagUrl(name, state),
    person(mention) {
      const person = findMentioned(mention, state);
      return person && { url: profileUrl(person.handle, state), username: person.handle };
    },
  });
}

/** The quote of a post, or null if the post does not quote. */
function toQuote(
  post: StoredPost,
  quoted: StoredPost | undefined,
  request: MastodonRequest,
  { shallow = false }: StatusOptions,
): JsonObject | null {
  if (post.quote === undefined) return null;
  const written = request.state.core.written.find(post.quote);
  const state = quoted ? 'accepted' : written && written.deletedAtMs === undefined ? 'unauthorized' : 'deleted';
  if (shallow) return { state, quoted_status_id: quoted ? request.state.ids.status(quoted) : null };
  return { state, quoted_status: quoted ? toStatus(quoted, request, { shallow: true }) : null };
}

/** The users who can quote a post, and whether the viewer is one of them. */
function toQuoteApproval(post: StoredPost, { state, snapshot, viewer }: MastodonRequest): JsonObject {
  const automatic = { public: ['public'], followers: ['followers'], nobody: [] }[quotePolicyOf(post, state)];
  const isAllowed = viewer !== undefined && canQuote(viewer, post, state, snapshot.relations);
  const isDenied = !isAllowed || (isRestricted(post, state) && post.authorId === viewer.id);
  return { automatic, manual: [], current_user: isDenied ? 'denied' : 'automatic' };
}

/** The poll of a post as the viewer sees it. */
export function toPoll(post: StoredPost, { state, snapshot, viewer }: MastodonRequest): JsonObject | undefined {
  const poll = pollOf(post, snapshot);
  if (!post.poll || !poll) return undefined;
  const vote = viewer && snapshot.votes.find({ userId: viewer.id, postId: post.id });
  const isHidden = state.statuses.get(post.id)?.hideTotals === true && poll.closed === false;
  return {
    id: state.ids.related('poll', post),
    expires_at: new Date(post.poll.endsAtMs).toISOString(),
    expired: poll.closed ?? false,
    multiple: post.poll.multiple,
    votes_count: poll.totalVotes ?? 0,
    voters_count: poll.voters ?? 0,
    options: poll.options.map(({ label, votes }) => ({ title: label, votes_count: isHidden ? null : (votes ?? 0) })),
    emojis: [],
    ...(viewer && { voted: vote !== undefined || viewer.id === post.authorId, own_votes: vote?.choices ?? [] }),
  };
}

const MEDIA_TYPES = { image: 'image', video: 'video', gif: 'gifv', audio: 'audio' } as const;

function mediaId(uploadId: string, { ids, files }: MastodonState): string {
  return ids.write(idNumberAt(files.get(uploadId)?.createdAtMs ?? 0, Number(uploadId.slice('media-'.length)) & 0xffff));
}

export function uploadNamed(id: string, state: MastodonState): string | undefined {
  return state.files.all().find(({ uploadId }) => mediaId(uploadId, state) === id)?.uploadId;
}

/** An upload that is in no status. It has no address until the server has processed it. */
export function toUpload(upload: Upload, state: MastodonState, nowMs: number): JsonObject {
  const media = { ...upload, altText: state.files.get(upload.id)?.description ?? upload.altText };
  return { ...toAttachment(media, mediaId(upload.id, state), state), ...(nowMs < upload.readyAtMs && { url: null }) };
}

/** The files of a post. */
export function toAttachments({ createdAtMs }: StoredPost, media: readonly StoredMedia[], state: MastodonState): readonly JsonObject[] {
  return media.map((one) => {
    const id = state.files.has(one.id) ? mediaId(one.id, state) : state.ids.write(idNumberAt(createdAtMs, hashedOrder(one.id)));
    return toAttachment(one, id, state);
  });
}

function toAttachment({ id: name, kind, altText, width, height }: StoredMedia, id: string, { home }: MastodonState): JsonObject {
  const size = width !== undefined && height !== undefined && { width, height, size: `${width}x${height}`, aspect: width / height };
  return {
    id,
    type: MEDIA_TYPES[kind],
    url: `${home}/media/${name}`,
    preview_url: kind === 'audio' ? null : `${home}/media/${name}`,
    remote_url: null,
    meta: size ? { original: size, small: size } : {},
    description: altText ?? null,
    blurhash: null,
  };
}

/** A scheduled status with the parameters of its request. */
export function toScheduledStatus({ number, draft, writtenAtMs, dueAtMs }: ScheduledStatus, request: MastodonRequest): JsonObject {
  const { state, uploads, snapshot, written, nowMs } = request;
  const statusId = (name: string | undefined): string | null => {
    const post = name === undefined ? undefined : (snapshot.feed.find(name) ?? written.find(name));
    return post ? state.ids.status(post) : null;
  };
  const { poll } = draft;
  return {
    id: state.ids.write(idNumberAt(writtenAtMs, number)),
    scheduled_at: new Date(dueAtMs).toISOString(),
    params: {
      text: draft.text,
      poll: poll
        ? { options: poll.options, expires_in: String(poll.expiresInSeconds), multiple: poll.multiple, hide_totals: poll.hideTotals }
        : null,
      media_ids: draft.uploadIds.length === 0 ? null : draft.uploadIds.map((id) => mediaId(id, state)),
      sensitive: draft.sensitive,
      spoiler_text: draft.spoilerText,
      visibility: draft.visibility,
      language: draft.language,
      scheduled_at: null,
      in_reply_to_id: statusId(draft.replyTo),
      quoted_status_id: statusId(draft.quote),
      application_id: Number(draft.application.id ?? 0),
    },
    media_attachments: draft.uploadIds.flatMap((id) => uploads.find(id) ?? []).map((upload) => toUpload(upload, state, nowMs)),
  };
}

const DAY_MS = 86_400_000;
const TAG_DAYS = 7;

function hashtagNames({ text }: StoredPost): ReadonlySet<string> {
  return new Set(spelledHashtagsIn(text).map((tag) => tag.slice(1).toLowerCase()));
}

/** The public posts with a hashtag, newest first. `name` has no #. */
export function postsTagged(name: string, { state, snapshot }: MastodonRequest): readonly StoredPost[] {
  const tag = `#${fold(name)}`;
  const posts = snapshot.feed.all().filter(({ text }) => text.includes('#') && hashtagsIn(text).has(tag));
  return posts.filter((post) => visibilityOf(post, state) === 'public');
}

/** A hashtag with its use in the last week, today first. */
export function toTag(name: string, request: MastodonRequest): JsonObject {
  const posts = postsTagged(name, request);
  const today = Math.floor(request.nowMs / DAY_MS);
  const history = Array.from({ length: TAG_DAYS }, (_, ago) => {
    const used = posts.filter(({ createdAtMs }) => Math.floor(createdAtMs / DAY_MS) === today - ago);
    const accounts = new Set(used.map(({ authorId }) => authorId)).size;
    return { day: String(((today - ago) * DAY_MS) / 1000), accounts: String(accounts), uses: String(used.length) };
  });
  return { id: String(hashedOrder(fold(name), 10_000_000)), name, url: tagUrl(name, request.state), history };
}
