import type { Choice } from '#src/social/arguments.ts';
import type { ScheduledPost } from '#src/social/records/post.ts';
import { changes, one, row, walks, type Row } from '../rows.ts';
import { expect } from 'vitest';
import type { SocialGround } from './ground.ts';
import { ME } from './installation/past.ts';
import { written, writtenPost } from './world/posts.ts';

const PAGE = 20;

/** What waits to go out, the next first. */
function waiting(ground: SocialGround) {
  const mine = written(ground).filter(({ authorId, scheduled, deletedAtMs }) => authorId === ME && scheduled && deletedAtMs === undefined);
  return mine.filter(({ createdAtMs }) => createdAtMs > ground.nowMs).toSorted((a, b) => a.createdAtMs - b.createdAtMs);
}

function seenScheduled({ id, text, sendAt, origin, state, media }: ScheduledPost): unknown {
  return { id, text, sendAt, origin, state, media: media.map((each) => each.id) };
}

function scheduledFacts({ id, text, createdAtMs, media }: ReturnType<typeof waiting>[number]): unknown {
  return { id, text, sendAt: new Date(createdAtMs), origin: 'remote', state: 'scheduled', media: media.map((each) => each.id) };
}

async function recordOf({ client }: SocialGround, id: string): Promise<Choice<ScheduledPost>> {
  const all = await client.getScheduledPosts({ pages: 'all', waitTime: 0 });
  return all.items.find((post) => post.id === id) ?? Promise.reject(new Error(`${id} does not wait`));
}

export function scheduleRows(): readonly Row<SocialGround>[] {
  return [
    row<SocialGround>(
      'get_scheduled_posts',
      walks(
        { 'no argument': () => undefined },
        {
          get: ({ client }, _, walk) => client.getScheduledPosts(walk),
          holds: (ground) => waiting(ground).map(scheduledFacts),
          seen: seenScheduled,
          page: PAGE,
        },
      ),
    ),
    row<SocialGround>(
      'delete_scheduled_post',
      changes<SocialGround, string, Choice<ScheduledPost>, boolean>(
        { 'post_id: str': (_, id) => id, 'post_id: int': (_, id) => Number(id), 'post_id: ScheduledPost': recordOf },
        {
          subject: (ground) => ground.take('waiting'),
          call: ({ client }, post) => client.deleteScheduledPost(post),
          observe: (ground, id) => waiting(ground).some((post) => post.id === id),
          from: true,
          to: false,
        },
      ),
    ),
  ];
}

export function createScheduledPost(): Row<SocialGround> {
  return row<SocialGround>(
    'create_scheduled_post',
    one({
      form: 'text and instant',
      async prove(ground) {
        const before = waiting(ground);
        const sendAt = new Date(ground.nowMs + 90_000);

        const scheduled = await ground.client.createScheduledPost('Good morning!', sendAt, { filter: 'Followers', place: 'seoul' });

        const [first, ...others] = waiting(ground);
        expect(others.map(({ id }) => id)).toEqual(before.map(({ id }) => id));
        expect(first).toMatchObject({
          text: 'Good morning!',
          createdAtMs: sendAt.getTime(),
          visibleAtMs: sendAt.getTime(),
          audience: 'Followers',
          place: 'seoul',
        });
        expect(seenScheduled(scheduled)).toEqual(first && scheduledFacts(first));
        await expect(ground.client.postDetail(scheduled.id)).rejects.toMatchObject({ fault: 'missing' });
        expect(writtenPost(ground, scheduled.id).scheduled).toBe(true);
      },
    }),
  );
}
