import { describe, expect, test } from 'vitest';
import { endOf } from './crash-points.ts';
import { live } from './restarts.ts';
import { X } from './networks.ts';
import { openStage } from './fixture.ts';
import { onePost, twoPictures } from './rule-scenarios.ts';
import { cuts, postsOnce } from './suite.ts';
import { LOST_ANSWER, NEVER_ARRIVED, type Weather } from './faults.ts';

const MINUTE_MS = 60_000;

const hiddenFor = (hiddenMs: number): Weather => ({ ...LOST_ANSWER, name: 'answer lost, nothing shows for minutes', hiddenMs });

describe('x', () => {
  postsOnce(X);

  test('a post with pictures, which X would take twice, is searched for longer, and is never made twice', { timeout: 60_000 }, async () => {
    await using stage = await openStage(X);

    const all = await cuts(stage, ['after'], { story: twoPictures(X), weather: hiddenFor(10 * MINUTE_MS) });

    expect(all.length).toBeGreaterThan(8);
  });

  test('a post of words alone that shows only after the repeat is not made twice: X refuses it, and the first one is found', async () => {
    await using stage = await openStage(X);
    const world = await stage.newWorld({ story: onePost(X), weather: hiddenFor(20 * MINUTE_MS) });

    await live(world);

    const { written: posts, deliveries } = (await endOf(world)).byItself;
    expect(posts).toHaveLength(1);
    expect(deliveries).toMatchObject([{ state: 'sent', attempts: 2, result: { id: posts[0]?.id } }]);
  });

  test('a post that never arrived costs few reads before it is sent again', async () => {
    await using stage = await openStage(X);
    const world = await stage.newWorld({ story: onePost(X), weather: NEVER_ARRIVED });

    await live(world);

    const requested = (pattern: RegExp): number => stage.lines.requests.filter(({ path }) => pattern.test(path)).length;
    expect(await world.deliveries()).toMatchObject([{ state: 'sent', attempts: 2 }]);
    // Six searches, the last of which also reads the day before.
    expect(requested(/\/users\/\d+\/tweets$/)).toBeLessThanOrEqual(7);
    expect(requested(/\/search\/recent$/)).toBe(1);
    expect(requested(/\/counts\/recent$/)).toBe(1);
  });

  test('an operator who says too early to send it again makes no second post: X refuses it, and the first one is found', async () => {
    await using stage = await openStage(X);
    const world = await stage.newWorld({ story: onePost(X), weather: hiddenFor(45 * MINUTE_MS) });
    await live(world);
    const [left] = await world.deliveries();

    await live(world, { operator: async ({ id }, engine) => void (await engine.resolve(id, 'again')) });

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
