import { describe, expect, test } from 'vitest';
import { endOf } from './cuts.ts';
import { live } from './lives.ts';
import { X } from './networks.ts';
import { openStage } from './stage.ts';
import { onePost, twoPictures } from './stories.ts';
import { cuts, postsOnce } from './suite.ts';
import { OUT_OF_SIGHT } from './weather.ts';

describe('x', () => {
  postsOnce(X);

  test('a post that stays out of sight is left to the operator, and is never made twice', { timeout: 60_000 }, async () => {
    await using stage = await openStage(X);

    // X refuses the same text again, but not with pictures.
    const all = await cuts(stage, ['after', 'late'], { story: twoPictures(X), weather: OUT_OF_SIGHT });

    const open = all.filter(({ byItself }) => byItself.deliveries.some(({ state }) => state === 'unknown'));
    expect(open.length).toBeGreaterThan(all.length / 2);
  });

  test('an operator who says too early to send it again makes no second post: X refuses it, and the first one is found', async () => {
    await using stage = await openStage(X);
    const world = await stage.newWorld({ story: onePost(X), weather: OUT_OF_SIGHT });
    await live(world);
    const [left] = await world.deliveries();

    await live(world, { operator: async ({ id }, outbox) => void (await outbox.resolve(id, 'again')) });

    const { written: posts, deliveries } = (await endOf(world)).end;
    expect(left?.state).toBe('unknown');
    expect(posts).toHaveLength(1);
    expect(deliveries).toMatchObject([{ state: 'sent', result: { id: posts[0]?.id } }]);
  });

  test(
    'killed while the sign-in is renewed, it posts once; only where X’s answer was lost with the program somebody signs in again',
    {
      timeout: 60_000,
    },
    async () => {
      await using stage = await openStage(X);

      const all = await cuts(stage, ['after', 'late'], { story: onePost(X), spent: true });

      const lost = all.filter(({ world }) => world.signIns > 0).map(({ where }) => where);
      expect(all.length).toBeGreaterThanOrEqual(8);
      // A token that is exchanged twice ends the sign-in: the one exchange died with its answer, the other came late.
      expect(lost).toEqual(['x, killed after 3', 'x, killed late 3']);
    },
  );
});
