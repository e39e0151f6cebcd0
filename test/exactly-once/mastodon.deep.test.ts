import { describe, expect, test } from 'vitest';
import type { KilledRun } from './kill-points.ts';
import { MASTODON } from './networks.ts';
import { openStage } from './fixture.ts';
import { postForLater } from './scenarios.ts';
import { killedRuns, postsOnce } from './suite.ts';

const MINUTE_MS = 60_000;

describe('mastodon', () => {
  postsOnce(MASTODON);

  test('a scheduled post that Mastodon published while the program was down is found and not posted again', async () => {
    await using stage = await openStage(MASTODON);
    const outcomes: (readonly [state: string | undefined, posts: number])[] = [];
    const note = ({ end: { deliveries, written } }: KilledRun): void => void outcomes.push([deliveries[0]?.state, written.length]);

    await killedRuns(stage, ['after'], { scenario: postForLater(MASTODON, 10 * MINUTE_MS), downMs: 30 * MINUTE_MS }, note);

    // Without a scheduled post on the platform, its time is over.
    const [never, once] = [['failed', 0] as const, ['sent', 1] as const];
    expect(outcomes).toEqual([never, never, never, once, once, once]);
  });
});
