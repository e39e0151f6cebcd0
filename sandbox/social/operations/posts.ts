import { textBehind } from '#src/clients/operation/text/content-warning.ts';
import type { NewFileParam } from '#src/clients/social/files.ts';
import type * as insightTopic from '#src/clients/social/insight.ts';
import type * as postTopic from '#src/clients/social/posts.ts';
import type { UploadedMedia } from '#src/clients/social/records/media.ts';
import type { ScheduledPost } from '#src/clients/social/records/post.ts';
import type * as scheduleTopic from '#src/clients/social/schedule.ts';
import type { PrimitivesOf } from '#src/clients/social/social.ts';
import { analyticsOf } from '../analytics.ts';
import { attached, checkContent, composed } from '../draft.ts';
import { type Upload, mediaContent } from '../media.ts';
import { pageOf } from '../paging.ts';
import type { StoredMedia, WrittenPost } from '../posts.ts';
import { PLATFORM, toMedia, toPost } from '../records.ts';
import { Refusal } from '../refusal.ts';
import { type SocialRequest, findViewerPost, postIdOf, requireItem, requirePost, requireViewerPost } from '../request.ts';

/** Videos, sounds and GIFs are processed for this time. Pictures are ready at once. */
const PROCESSING_MS = 1500;
const LIFETIME_MS = 86_400_000;
const LARGEST_BYTES = 16 * 1024 * 1024;

/** Posts and files of the signed-in account. */
export function postsOperations(request: SocialRequest): PrimitivesOf<typeof postTopic> {
  const { snapshot, viewer, written, uploads, fault } = request;
  const nowMs = snapshot.now.getTime();
  return {
    async createPost(draft, { key }) {
      const visibleAtMs = nowMs + (fault('delayedVisibility')?.ms ?? 0);
      return toPost(written.add({ ...composed(draft, nowMs, request), key, scheduled: false, visibleAtMs }), snapshot);
    },

    async editPost({ post: id, text: below, files, ...changed }) {
      const post = requireViewerPost(request, id);
      const warning = changed.warning ?? post.warning;
      const sensitive = changed.sensitive ?? (post.sensitive || changed.warning !== undefined || undefined);
      const text = textBehind(warning, below);
      const media = files ? attached(files, request) : post.media;
      checkContent({ text, files: media, poll: post.poll });
      const isCovered = warning === post.warning && sensitive === post.sensitive;
      const unchanged = isCovered && text === post.text && shownBy(media) === shownBy(post.media);
      return toPost(unchanged ? post : written.edit(post, { text, media, atMs: nowMs, warning, sensitive }), snapshot);
    },

    async deletePost({ post: id }) {
      const item = snapshot.feed.find(postIdOf(id, snapshot));
      if (item?.repostOf !== undefined && item.authorId === viewer.id) {
        snapshot.reactions.set('repost', { userId: viewer.id, postId: item.repostOf }, { on: false, atMs: nowMs });
        return true;
      }
      const post = findViewerPost(request, id);
      if (post) written.delete(post, nowMs);
      return true;
    },

    postDetail: async ({ identifier }) => toPost(requireItem(request, identifier), snapshot),

    async uploadMedia({ file, altText }, { key }) {
      const bytes = bytesOf(file);
      const content = mediaContent(bytes);
      if (!content) throw new Refusal(422, 'unknown_media', 'The file is not a picture, video or sound that the platform supports.');
      const readyAtMs = content.kind === 'image' ? nowMs : nowMs + PROCESSING_MS;
      const facts = { ...content, ownerId: viewer.id, altText, readyAtMs, expiresAtMs: nowMs + LIFETIME_MS, key };
      return toUploaded(uploads.add(facts, bytes), request);
    },
  };
}

/** The properties of files that readers of a post can see. */
function shownBy(media: readonly StoredMedia[]): string {
  return JSON.stringify(media.map(({ id, altText }) => [id, altText]));
}

export function toUploaded({ id, kind, altText, readyAtMs, expiresAtMs, sha256 }: Upload, { snapshot }: SocialRequest): UploadedMedia {
  const state = snapshot.now.getTime() < readyAtMs ? 'processing' : 'ready';
  return { platform: PLATFORM, id, kind, altText, state, expiresAt: new Date(expiresAtMs), sha256 };
}

/** The bytes of a file, which the adapter sends as a `data:` URL. */
function bytesOf(file: NewFileParam): Buffer {
  const [, encoded] = typeof file === 'string' ? (/^data:[^,]*;base64,(.*)$/s.exec(file) ?? []) : [undefined, file.base64];
  if (encoded === undefined) throw new Refusal(422, 'no_content', 'Send the file as a data: URL in base64.');
  const bytes = Buffer.from(encoded, 'base64');
  if (bytes.length > LARGEST_BYTES) throw new Refusal(422, 'media_too_large', `A file has at most ${LARGEST_BYTES} bytes.`);
  return bytes;
}

/** Scheduled posts of the signed-in account. A scheduled post is a stored post that reads show from its time on. */
export function scheduleOperations(request: SocialRequest): PrimitivesOf<typeof scheduleTopic> {
  const { snapshot, viewer, written } = request;
  const nowMs = snapshot.now.getTime();

  function isWaiting({ authorId, scheduled, createdAtMs, deletedAtMs }: WrittenPost): boolean {
    return authorId === viewer.id && scheduled && createdAtMs > nowMs && deletedAtMs === undefined;
  }

  return {
    async createScheduledPost({ sendAt, ...draft }, { key }) {
      const sendAtMs = sendAt.getTime();
      if (sendAtMs <= nowMs) throw new Refusal(422, 'in_the_past', 'The time of a scheduled post must be in the future.');
      return toScheduled(written.add({ ...composed(draft, sendAtMs, request), key, scheduled: true, visibleAtMs: sendAtMs }), request);
    },

    async getScheduledPosts(_, { cursor }) {
      const waiting = written
        .all()
        .filter(isWaiting)
        .toSorted((a, b) => a.createdAtMs - b.createdAtMs);
      const page = pageOf(waiting, cursor);
      return { ...page, items: page.items.map((post) => toScheduled(post, request)) };
    },

    async deleteScheduledPost({ post: id }) {
      const post = written.find(id);
      if (post && isWaiting(post)) written.delete(post, nowMs);
      return true;
    },
  };
}

export function toScheduled({ id, createdAtMs, text, warning, media }: WrittenPost, { snapshot }: SocialRequest): ScheduledPost {
  const sendAt = new Date(createdAtMs);
  const shown = media.map((one) => toMedia(one, snapshot));
  return { platform: PLATFORM, id, origin: 'remote', sendAt, text, warning, media: shown, state: 'scheduled' };
}

/** Analytics, translations and versions of posts. */
export function insightOperations(request: SocialRequest): PrimitivesOf<typeof insightTopic> {
  const { snapshot } = request;
  return {
    getPostAnalytics: async ({ post }) => analyticsOf(requireViewerPost(request, post), snapshot),

    async translatePost({ post, language: targetLanguage }) {
      const { id: postId, text, language: sourceLanguage } = requirePost(request, post);
      const translated = targetLanguage === sourceLanguage ? text : `[${targetLanguage}] ${text}`;
      return { postId, text: translated, sourceLanguage, targetLanguage, provider: 'sandbox' };
    },

    async postEditHistory({ identifier }) {
      const { id, text, media, createdAtMs, editedAtMs, earlier } = requirePost(request, identifier);
      const versions = [...earlier, { text, media, atMs: editedAtMs ?? createdAtMs }].map((version) => ({
        text: version.text,
        createdAt: new Date(version.atMs),
        media: version.media.map((one) => toMedia(one, snapshot)),
      }));
      return { postId: id, versions, complete: true };
    },
  };
}
