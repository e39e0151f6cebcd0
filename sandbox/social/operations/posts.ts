import type { NewFileParam } from '#src/social/files.ts';
import type { UploadedMedia } from '#src/social/records/media.ts';
import type { ScheduledPost } from '#src/social/records/post.ts';
import type { SocialPlatform } from '#src/social/social.ts';
import { analyticsOf } from '../analytics.ts';
import { attached, checkContent, composed } from '../draft.ts';
import { type Upload, mediaContent } from '../media.ts';
import { pageOf } from '../paging.ts';
import type { StoredMedia, WrittenPost } from '../posts.ts';
import { PLATFORM, toMedia, toPost } from '../records.ts';
import { Refusal } from '../refusal.ts';
import { type SocialRequest, findViewerPost, postIdOf, requireItem, requirePost, requireViewerPost } from '../request.ts';

interface Posts {
  readonly operations: Pick<Required<SocialPlatform['operations']>, 'createPost' | 'editPost' | 'deletePost' | 'postDetail'>;
  readonly recover: Pick<Required<NonNullable<SocialPlatform['recover']>>, 'createPost'>;
}

/** What the signed-in account writes. */
export function postsOperations(request: SocialRequest): Posts {
  const { snapshot, viewer, written, fault } = request;
  const nowMs = snapshot.now.getTime();

  function findByKey(key: string | undefined): WrittenPost | undefined {
    return key === undefined ? undefined : written.findByKey({ authorId: viewer.id, key, scheduled: false });
  }

  return {
    operations: {
      async createPost(draft, { key }) {
        const earlier = fault('ignoreKey') ? undefined : findByKey(key);
        if (earlier) return toPost(earlier, snapshot);
        const visibleAtMs = nowMs + (fault('delayedVisibility')?.ms ?? 0);
        return toPost(written.add({ ...composed(draft, nowMs, request), key, scheduled: false, visibleAtMs }), snapshot);
      },

      async editPost({ post: id, text, files }) {
        const post = requireViewerPost(request, id);
        const media = files ? attached(files, request) : post.media;
        checkContent({ text, files: media, poll: post.poll });
        const unchanged = text === post.text && shownBy(media) === shownBy(post.media);
        return toPost(unchanged ? post : written.edit(post, { text, media, atMs: nowMs }), snapshot);
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

      async postDetail({ identifier }) {
        return toPost(requireItem(request, identifier), snapshot);
      },
    },

    recover: {
      async createPost(_, { key }) {
        const post = findByKey(key);
        return post ? { found: toPost(post, snapshot) } : 'absent';
      },
    },
  };
}

/** What makes files the same to who reads the post. */
function shownBy(media: readonly StoredMedia[]): string {
  return JSON.stringify(media.map(({ id, altText }) => [id, altText]));
}

interface Schedule {
  readonly operations: Pick<Required<SocialPlatform['operations']>, 'createScheduledPost' | 'getScheduledPosts' | 'deleteScheduledPost'>;
  readonly recover: Pick<Required<NonNullable<SocialPlatform['recover']>>, 'createScheduledPost'>;
}

/** What the signed-in account writes to go out later: each is a post that does not show before its time. */
export function scheduleOperations(request: SocialRequest): Schedule {
  const { snapshot, viewer, written, fault } = request;
  const nowMs = snapshot.now.getTime();

  function findByKey(key: string | undefined): WrittenPost | undefined {
    return key === undefined ? undefined : written.findByKey({ authorId: viewer.id, key, scheduled: true });
  }

  function waits({ authorId, scheduled, createdAtMs, deletedAtMs }: WrittenPost): boolean {
    return authorId === viewer.id && scheduled && createdAtMs > nowMs && deletedAtMs === undefined;
  }

  function toScheduled({ id, createdAtMs, text, media }: WrittenPost): ScheduledPost {
    return {
      platform: PLATFORM,
      id,
      origin: 'remote',
      sendAt: new Date(createdAtMs),
      text,
      media: media.map((one) => toMedia(one, snapshot)),
      state: 'scheduled',
    };
  }

  return {
    operations: {
      async createScheduledPost({ sendAt, ...draft }, { key }) {
        const earlier = fault('ignoreKey') ? undefined : findByKey(key);
        if (earlier) return toScheduled(earlier);
        const sendAtMs = sendAt.getTime();
        if (sendAtMs <= nowMs) throw new Refusal(422, 'in_the_past', 'A scheduled post goes out later than now.');
        const post = written.add({ ...composed(draft, sendAtMs, request), key, scheduled: true, visibleAtMs: sendAtMs });
        return toScheduled(post);
      },

      async getScheduledPosts(_, { cursor }) {
        const waiting = written.all().filter(waits);
        const page = pageOf(
          waiting.toSorted((a, b) => a.createdAtMs - b.createdAtMs),
          cursor,
        );
        return { ...page, items: page.items.map(toScheduled) };
      },

      async deleteScheduledPost({ post: id }) {
        const post = written.find(id);
        if (post && waits(post)) written.delete(post, nowMs);
        return true;
      },
    },

    recover: {
      async createScheduledPost(_, { key }) {
        const post = findByKey(key);
        return post ? { found: toScheduled(post) } : 'absent';
      },
    },
  };
}

/** How long it takes until a post takes what moves or sounds; a picture is ready at once. */
const PROCESSING_MS = 1500;
const LIFETIME_MS = 86_400_000;
const LARGEST_BYTES = 16 * 1024 * 1024;

interface MediaOperations {
  readonly operations: Pick<Required<SocialPlatform['operations']>, 'uploadMedia'>;
  readonly recover: Pick<Required<NonNullable<SocialPlatform['recover']>>, 'uploadMedia'>;
}

/** Files that posts and messages can take. */
export function mediaOperations(request: SocialRequest): MediaOperations {
  const { snapshot, viewer, uploads, fault } = request;
  const nowMs = snapshot.now.getTime();

  function findByKey(key: string | undefined): Upload | undefined {
    return key === undefined ? undefined : uploads.findByKey(viewer.id, key);
  }

  function toUploaded({ id, kind, altText, readyAtMs, expiresAtMs, sha256 }: Upload): UploadedMedia {
    const state = nowMs < readyAtMs ? 'processing' : 'ready';
    return { platform: PLATFORM, id, kind, altText, state, expiresAt: new Date(expiresAtMs), sha256 };
  }

  return {
    operations: {
      async uploadMedia({ file, altText }, { key }) {
        const earlier = fault('ignoreKey') ? undefined : findByKey(key);
        if (earlier) return toUploaded(earlier);
        const bytes = bytesOf(file);
        const content = mediaContent(bytes);
        if (!content) throw new Refusal(422, 'unknown_media', 'This is no picture, video or sound that the platform knows.');
        const readyAtMs = content.kind === 'image' ? nowMs : nowMs + PROCESSING_MS;
        const facts = { ...content, ownerId: viewer.id, altText, readyAtMs, expiresAtMs: nowMs + LIFETIME_MS, key };
        return toUploaded(uploads.add(facts, bytes));
      },
    },

    recover: {
      async uploadMedia(_, { key }) {
        const upload = findByKey(key);
        return upload ? { found: toUploaded(upload) } : 'absent';
      },
    },
  };
}

/** What the client read from its disk: it comes as a `data:` address. */
function bytesOf(file: NewFileParam): Buffer {
  const [, encoded] = typeof file === 'string' ? (/^data:[^,]*;base64,(.*)$/s.exec(file) ?? []) : [undefined, file.base64];
  if (encoded === undefined) throw new Refusal(422, 'no_content', 'A file comes as a data: address, in base64.');
  const bytes = Buffer.from(encoded, 'base64');
  if (bytes.length > LARGEST_BYTES) throw new Refusal(422, 'media_too_large', `A file has at most ${LARGEST_BYTES} bytes.`);
  return bytes;
}

type Insights = Pick<Required<SocialPlatform['operations']>, 'getPostAnalytics' | 'translatePost' | 'postEditHistory'>;

/** What can be known of a post beside itself. */
export function insightOperations(request: SocialRequest): Insights {
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
      const versions = [...earlier, { text, media, atMs: editedAtMs ?? createdAtMs }];
      return {
        postId: id,
        versions: versions.map((version) => ({
          text: version.text,
          createdAt: new Date(version.atMs),
          media: version.media.map((one) => toMedia(one, snapshot)),
        })),
        complete: true,
      };
    },
  };
}
