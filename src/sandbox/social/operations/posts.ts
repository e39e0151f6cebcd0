import type { SocialPlatform } from '#src/social/social.ts';
import { requirePost, type Meeting } from '../meeting.ts';
import { toPost } from '../records.ts';
import { Refusal } from '../refusal.ts';

interface Posts {
  readonly operations: Pick<Required<SocialPlatform['operations']>, 'createPost' | 'deletePost'>;
  readonly recover: Pick<Required<NonNullable<SocialPlatform['recover']>>, 'createPost'>;
}

/** What the signed-in account writes. */
export function postsOperations(meeting: Meeting): Posts {
  const { moment, viewer, written, fault } = meeting;
  const { feed, now } = moment;
  return {
    operations: {
      async createPost({ text, replyTo, quote }, { key }) {
        const earlier = key === undefined || fault('ignoreKey') ? undefined : written.findByKey(key);
        if (earlier) return toPost(earlier, moment);
        const parent = replyTo === undefined ? undefined : requirePost(meeting, replyTo);
        const shown = quote === undefined ? undefined : requirePost(meeting, quote);
        const visibleAtMs = now.getTime() + (fault('delayedVisibility')?.ms ?? 0);
        const draft = { authorId: viewer.id, text, replyTo: parent?.id, quote: shown?.id, key, createdAtMs: now.getTime(), visibleAtMs };
        return toPost(written.add(draft), moment);
      },

      async deletePost({ post: id }) {
        const post = written.find(id);
        if (post && post.authorId === viewer.id) written.delete(post, now.getTime());
        else if (feed.find(id)) throw new Refusal(403, 'forbidden', "This post is somebody else's.");
        return true;
      },
    },

    recover: {
      async createPost(_, { key }) {
        const post = written.findByKey(key);
        return post ? { found: toPost(post, moment) } : 'absent';
      },
    },
  };
}
