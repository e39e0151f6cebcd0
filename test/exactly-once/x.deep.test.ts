import { describe, expect, test } from 'vitest';
import { endOf } from './kill-points.ts';
import { runProgram } from './restarts.ts';
import { X } from './networks.ts';
import { openStage } from './fixture.ts';
import { onePost, twoPictures } from './scenarios.ts';
import { killedRuns, postsOnce } from './suite.ts';
import { LOST_ANSWER, NEVER_ARRIVED, type FaultSchedule } from './faults.ts';

const MINUTE_MS = 60_000;

const hiddenFor = (hiddenMs: number): FaultSchedule => ({
  ...LOST_ANSWER,
  name: 'the response is lost, the post stays hidden for minutes',
  hiddenMs,
});

describe('x', () => {
  postsOnce(X);

  test('a post with pictures, which X accepts twice, is searched for longer and never created twice', async () => {
    await using stage = await openStage(X);

    const all = await killedRuns(stage, ['after'], { scenario: twoPictures(X), faults: hiddenFor(10 * MINUTE_MS) });

    expect(all.length).toBeGreaterThan(8);
  });

  test('a text post that becomes visible after the repeat is not created twice, because X refuses the duplicate', async () => {
    await using stage = await openStage(X);
    const world = await stage.newWorld({ scenario: onePost(X), faults: hiddenFor(20 * MINUTE_MS) });

    await runProgram(world);

    const { written: posts, deliveries } = (await endOf(world)).unattended;
    expect(posts).toHaveLength(1);
    expect(deliveries).toMatchObject([{ state: 'sent', attempts: 2, result: { id: posts[0]?.id } }]);
  });

  test('a post that never arrived costs few reads before it is sent again', async () => {
    await using stage = await openStage(X);
    const world = await stage.newWorld({ scenario: onePost(X), faults: NEVER_ARRIVED });

    await runProgram(world);

    const requested = (pattern: RegExp): number => stage.connections.requests.filter(({ path }) => pattern.test(path)).length;
    expect(await world.deliveries()).toMatchObject([{ state: 'sent', attempts: 2 }]);
    // Six searches, the last of which also reads the day before.
    expect(requested(/\/users\/\d+\/tweets$/)).toBeLessThanOrEqual(7);
    expect(requested(/\/search\/recent$/)).toBe(1);
    expect(requested(/\/counts\/recent$/)).toBe(1);
  });

  test('a resolution that repeats a post too early creates no second post, because X refuses the duplicate', async () => {
    await using stage = await openStage(X);
    const world = await stage.newWorld({ scenario: onePost(X), faults: hiddenFor(45 * MINUTE_MS) });
    await runProgram(world);
    const [left] = await world.deliveries();

    await runProgram(world, { operator: async ({ id }, engine) => void (await engine.resolve(id, 'again')) });

    const { written: posts, deliveries } = (await endOf(world)).end;
    expect(left?.state).toBe('unknown');
    expect(posts).toHaveLength(1);
    expect(deliveries).toMatchObject([{ state: 'sent', result: { id: posts[0]?.id } }]);
  });

  test('a kill during the renewal of the sign-in causes one post; a new sign-in is needed only if the response of X was lost', async () => {
    await using stage = await openStage(X);

    const all = await killedRuns(stage, ['after', 'late'], { scenario: onePost(X), isExpired: true });

    const lost = all.filter(({ world }) => world.signIns > 0).map(({ where }) => where);
    expect(all.length).toBeGreaterThanOrEqual(8);
    // A token that is exchanged twice ends the sign-in: the one exchange died with its answer, the other came late.
    expect(lost).toEqual(['x, killed after 3', 'x, killed late 3']);
  });
});
