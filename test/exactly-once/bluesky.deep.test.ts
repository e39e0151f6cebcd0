import { describe, expect, test } from 'vitest';
import { creating } from '../support/firings.ts';
import { BLUESKY } from './networks.ts';
import { openStage, type Scenario } from './fixture.ts';
import { onePost } from './scenarios.ts';
import { killedRuns, postsOnce } from './suite.ts';
import { UNAVAILABLE_AFTER_WRITE, NO_FAULTS } from './faults.ts';

const forFollowers: Scenario = {
  write: 'guarded',
  plan: ({ uniqueText }) => ({ steps: [creating(['bluesky'], { with: { text: `answer to ${uniqueText}`, filter: 'Followers' } })] }),
};

describe('bluesky', () => {
  postsOnce(BLUESKY);

  test('a program that is killed while it renews the session posts once without a new sign-in', async () => {
    await using stage = await openStage(BLUESKY);

    const all = await killedRuns(stage, ['after', 'late'], { scenario: onePost(BLUESKY), isExpired: true });

    expect(all.length).toBeGreaterThanOrEqual(8);
    expect(all.filter(({ world }) => world.signIns > 0)).toEqual([]);
  });

  test('a post and its reply restriction are created together, once', async () => {
    await using stage = await openStage(BLUESKY);

    for (const faults of [NO_FAULTS, UNAVAILABLE_AFTER_WRITE]) {
      const all = await killedRuns(stage, ['after', 'late'], { scenario: forFollowers, faults });
      expect(all.length).toBeGreaterThanOrEqual(8);
    }
  });
});
