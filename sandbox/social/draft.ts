import { coversMedia, textBehind } from '#src/clients/operation/text/content-warning.ts';
import type { SocialPlatform } from '#src/clients/social/social.ts';
import { mayAnswer } from './threads.ts';
import { mayPostIn } from './communities.ts';
import { type SocialRequest, requireCommunity, requirePost } from './request.ts';
import { findPlace } from './records.ts';
import type { NewPost, StoredMedia, StoredPoll, StoredPost } from './posts.ts';
import { notFound, Refusal } from './refusal.ts';

const MOST_GRAPHEMES = 500;
const LONGEST_OPTION = 25;
const MINUTE_MS = 60_000;

type Draft = Parameters<Required<SocialPlatform['operations']>['createPost']>[0];
type Files = NonNullable<Draft['files']>;

/** The post that a draft becomes. Refuses a draft that the platform does not accept. */
export function composed(draft: Draft, atMs: number, request: SocialRequest): Omit<NewPost, 'key' | 'scheduled' | 'visibleAtMs'> {
  const { warning, files = [], filter, language, replyTo, quote, quotable, poll, place, batchCompose, community, postOnTimeline } = draft;
  const { snapshot, viewer } = request;
  const text = textBehind(warning, draft.text);
  checkContent({ text, files, poll });
  const parent = replyTo === undefined ? undefined : requirePost(request, replyTo);
  if (parent && !mayAnswer(viewer, parent, snapshot)) throw new Refusal(403, 'not_invited', 'The author does not allow you to reply.');
  if (batchCompose && parent && parent.authorId !== viewer.id) {
    throw new Refusal(422, 'not_your_thread', 'A thread continues below one of your posts.');
  }
  if (community !== undefined && !mayPostIn(requireCommunity(request, community), viewer.id)) {
    throw new Refusal(403, 'no_member', 'Only members can post in this community.');
  }
  if (place !== undefined && !findPlace(place)) throw notFound(`place ${place}`);
  return {
    authorId: viewer.id,
    text,
    language: language ?? viewer.language,
    createdAtMs: atMs,
    replyTo: parent?.id,
    quote: quote === undefined ? undefined : requireQuotable(quote, request).id,
    media: attached(files, request),
    poll: poll && opened(poll, atMs),
    place,
    community,
    onTimeline: community === undefined ? undefined : postOnTimeline,
    audience: filter,
    quotable,
    warning,
    sensitive: coversMedia(draft) || undefined,
  };
}

/** A post that the viewer may quote. */
function requireQuotable(quote: string, request: SocialRequest): StoredPost {
  const { viewer, snapshot } = request;
  const post = requirePost(request, quote);
  const mayQuote =
    post.authorId === viewer.id ||
    (post.quotable === 'followers' ? snapshot.relations.follows(viewer.id, post.authorId) : post.quotable !== 'nobody');
  if (!mayQuote) throw new Refusal(403, 'not_quotable', 'The author does not allow quotes of this post.');
  return post;
}

/** Refuses a text that is too long, an empty post, and files next to a poll. */
export function checkContent({
  text,
  files,
  poll,
}: {
  readonly text: string;
  readonly files: { readonly length: number };
  readonly poll: object | undefined;
}): void {
  if (poll && files.length > 0) throw new Refusal(422, 'poll_with_files', 'A post has a poll or files, not both.');
  if (text.trim() === '' && files.length === 0) throw new Refusal(422, 'empty_text', 'A post needs a text or a file.');
  const length = [...new Intl.Segmenter().segment(text)].length;
  if (length > MOST_GRAPHEMES) {
    throw new Refusal(422, 'text_too_long', `A post has at most ${MOST_GRAPHEMES} characters, but this post has ${length}.`);
  }
}

/** The files of a post, which its author must have uploaded. */
export function attached(files: Files, { uploads, viewer, snapshot }: SocialRequest): StoredMedia[] {
  const nowMs = snapshot.now.getTime();
  const media = files.map((file): StoredMedia => {
    if (typeof file === 'string' || !('id' in file)) throw new Refusal(422, 'not_uploaded', 'Upload the file first and send its id.');
    const upload = uploads.find(file.id);
    if (!upload || upload.ownerId !== viewer.id) throw notFound(`upload ${file.id}`);
    if (nowMs < upload.readyAtMs) throw new Refusal(422, 'media_not_ready', 'The file is still being processed.');
    if (nowMs > upload.expiresAtMs) throw new Refusal(422, 'media_expired', 'The file was uploaded too long ago.');
    const { id, kind, width, height, sizeBytes } = upload;
    return { id, kind, altText: file.altText ?? upload.altText, width, height, sizeBytes };
  });
  if (media.length > 1 && media.some(({ kind }) => kind !== 'image')) {
    throw new Refusal(422, 'media_mixed', 'A post contains up to four pictures, or one video, sound or GIF.');
  }
  return media;
}

function opened({ options, durationMinutes, multiple }: NonNullable<Draft['poll']>, atMs: number): StoredPoll {
  if (options.some((label) => label.length > LONGEST_OPTION)) {
    throw new Refusal(422, 'option_too_long', `A poll option has at most ${LONGEST_OPTION} characters.`);
  }
  if (new Set(options).size < options.length) throw new Refusal(422, 'option_twice', 'The options of a poll must differ.');
  return { options: options.map((label) => ({ label, crowd: 0 })), endsAtMs: atMs + durationMinutes * MINUTE_MS, multiple };
}
