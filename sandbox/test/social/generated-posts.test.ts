import { expect, test } from 'vitest';
import { communitiesOf } from '#sandbox/social/communities.ts';
import { generatePosts } from '#sandbox/social/generated-posts.ts';
import { DAY_MS, EVENING_MS, freshWorld, HOUR_MS } from '../../../test/support/sandbox-world.ts';

/** The posts at a time, on a platform of a new sandbox. */
function postsAt(atMs: number, { seed = 1, mentions = false }: { readonly seed?: number; readonly mentions?: boolean } = {}) {
  const world = freshWorld(seed);
  const posts = generatePosts({ ...world, communities: communitiesOf(world), mentions });
  const all = posts.at(atMs);
  expect(all.map(({ id }) => posts.find(id, atMs))).toEqual(all);
  return all.map(({ id, authorId, likes, text }) => `${id} ${authorId} ${likes} ${text}`);
}

test('sandboxes with other times, people and mentions do not change the posts of each other', () => {
  const first = postsAt(EVENING_MS);
  const others = [
    postsAt(EVENING_MS, { mentions: true }),
    postsAt(EVENING_MS, { seed: 2 }),
    ...Array.from({ length: 8 }, (_, index) => postsAt(EVENING_MS + index * 10 * DAY_MS + HOUR_MS)),
  ];

  expect(postsAt(EVENING_MS)).toEqual(first);
  for (const other of others) expect(other).not.toEqual(first);
  // A new cast begins without posts that are kept.
  postsAt(EVENING_MS, { seed: 3 });
  expect(postsAt(EVENING_MS)).toEqual(first);
});
