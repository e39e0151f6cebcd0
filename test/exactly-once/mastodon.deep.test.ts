import { describe, expect, test } from 'vitest';
import type { Cut } from './crash-points.ts';
import { MASTODON } from './networks.ts';
import { openStage } from './fixture.ts';
import { postForLater } from './rule-scenarios.ts';
import { cuts, postsOnce } from './suite.ts';

const MINUTE_MS = 60_000;

describe('mastodon', () => {
  postsOnce(MASTODON);

  test(
    'a post that went out by itself while the program was down is known, and none is posted beside it',
    { timeout: 60_000 },
    async () => {
      await using stage = await openStage(MASTODON);
      const outcomes: (readonly [state: string | undefined, posts: number])[] = [];
      const note = ({ end: { deliveries, written } }: Cut): void => void outcomes.push([deliveries[0]?.state, written.length]);

      await cuts(stage, ['after'], { story: postForLater(MASTODON, 10 * MINUTE_MS), downMs: 30 * MINUTE_MS }, note);

      // Where nothing was there to go out, its time is over.
      const [never, once] = [['failed', 0] as const, ['sent', 1] as const];
      expect(outcomes).toEqual([never, never, never, once, once, once]);
    },
  );
});
