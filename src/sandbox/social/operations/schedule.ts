import type { ScheduledPost } from '#src/social/records/post.ts';
import type { SocialPlatform } from '#src/social/social.ts';
import { composed } from '../draft.ts';
import type { Meeting } from '../meeting.ts';
import { pageOf } from '../paging.ts';
import type { WrittenPost } from '../posts.ts';
import { toMedia } from '../records.ts';
import { Refusal } from '../refusal.ts';
import { PLATFORM } from '../user-record.ts';

interface Schedule {
  readonly operations: Pick<Required<SocialPlatform['operations']>, 'createScheduledPost' | 'getScheduledPosts' | 'deleteScheduledPost'>;
  readonly recover: Pick<Required<NonNullable<SocialPlatform['recover']>>, 'createScheduledPost'>;
}

/** What the signed-in account writes to go out later: each is a post that does not show before its time. */
export function scheduleOperations(meeting: Meeting): Schedule {
  const { moment, viewer, written, fault } = meeting;
  const nowMs = moment.now.getTime();

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
      media: media.map((one) => toMedia(one, moment)),
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
        const post = written.add({ ...composed(draft, sendAtMs, meeting), key, scheduled: true, visibleAtMs: sendAtMs });
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
