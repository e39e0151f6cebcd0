import type { SocialPlatform } from '#src/social/social.ts';
import { attached, checkContent, composed } from '../draft.ts';
import { postIdOf, requireItem, type Meeting } from '../meeting.ts';
import { findOwn, requireOwn } from '../own-posts.ts';
import type { StoredMedia, WrittenPost } from '../posts.ts';
import { toPost } from '../records.ts';

interface Posts {
  readonly operations: Pick<Required<SocialPlatform['operations']>, 'createPost' | 'editPost' | 'deletePost' | 'postDetail'>;
  readonly recover: Pick<Required<NonNullable<SocialPlatform['recover']>>, 'createPost'>;
}

/** What the signed-in account writes. */
export function postsOperations(meeting: Meeting): Posts {
  const { moment, viewer, written, fault } = meeting;
  const nowMs = moment.now.getTime();

  function findByKey(key: string | undefined): WrittenPost | undefined {
    return key === undefined ? undefined : written.findByKey({ authorId: viewer.id, key, scheduled: false });
  }

  return {
    operations: {
      async createPost(draft, { key }) {
        const earlier = fault('ignoreKey') ? undefined : findByKey(key);
        if (earlier) return toPost(earlier, moment);
        const visibleAtMs = nowMs + (fault('delayedVisibility')?.ms ?? 0);
        return toPost(written.add({ ...composed(draft, nowMs, meeting), key, scheduled: false, visibleAtMs }), moment);
      },

      async editPost({ post: id, text, files }) {
        const post = requireOwn(meeting, id);
        const media = files ? attached(files, meeting) : post.media;
        checkContent({ text, files: media, poll: post.poll });
        const unchanged = text === post.text && shownBy(media) === shownBy(post.media);
        return toPost(unchanged ? post : written.edit(post, { text, media, atMs: nowMs }), moment);
      },

      async deletePost({ post: id }) {
        const item = moment.feed.find(postIdOf(id, moment));
        if (item?.repostOf !== undefined && item.authorId === viewer.id) {
          moment.reactions.set('repost', { userId: viewer.id, postId: item.repostOf }, { on: false, atMs: nowMs });
          return true;
        }
        const post = findOwn(meeting, id);
        if (post) written.delete(post, nowMs);
        return true;
      },

      async postDetail({ identifier }) {
        return toPost(requireItem(meeting, identifier), moment);
      },
    },

    recover: {
      async createPost(_, { key }) {
        const post = findByKey(key);
        return post ? { found: toPost(post, moment) } : 'absent';
      },
    },
  };
}

/** What makes files the same to who reads the post. */
function shownBy(media: readonly StoredMedia[]): string {
  return JSON.stringify(media.map(({ id, altText }) => [id, altText]));
}
