import { describe, expect, test } from 'vitest';
import { creating } from '../support/firings.ts';
import { BLUESKY } from './networks.ts';
import { openStage, type Story } from './fixture.ts';
import { onePost } from './rule-scenarios.ts';
import { cuts, postsOnce } from './suite.ts';
import { BREAKDOWN_AFTER, CALM } from './faults.ts';

const forFollowers: Story = {
  deed: 'guarded',
  tell: ({ words }) => ({ steps: [creating(['bluesky'], { with: { text: `answer to ${words}`, filter: 'Followers' } })] }),
};

describe('bluesky', () => {
  postsOnce(BLUESKY);

  test('killed while its session is renewed, it posts once, and nobody has to sign in again', { timeout: 60_000 }, async () => {
    await using stage = await openStage(BLUESKY);

    const all = await cuts(stage, ['after', 'late'], { story: onePost(BLUESKY), spent: true });

    expect(all.length).toBeGreaterThanOrEqual(8);
    expect(all.filter(({ world }) => world.signIns > 0)).toEqual([]);
  });

  test('a post and the record of who may answer it are made together, once', { timeout: 60_000 }, async () => {
    await using stage = await openStage(BLUESKY);

    for (const weather of [CALM, BREAKDOWN_AFTER]) {
      const all = await cuts(stage, ['after', 'late'], { story: forFollowers, weather });
      expect(all.length).toBeGreaterThanOrEqual(8);
    }
  });
});
