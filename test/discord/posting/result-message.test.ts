import { expect, test } from 'vitest';
import { en } from '#src/discord/language/en/index.ts';
import type { PostTarget, SentPost } from '#src/discord/posting/posting.ts';
import { resultMessage } from '#src/discord/posting/result-message.ts';

test('a post to many accounts is told in a message that Discord takes, and it says of how many it tells nothing', () => {
  const targets = Array.from({ length: 30 }, (_, index): PostTarget => ({
    account: `account_${index}`,
    state: 'failed',
    trouble: { reason: 'x'.repeat(400) },
  }));
  const at = new Date(0);
  const post: SentPost = {
    id: 'id',
    server: '1',
    by: { id: '2', name: 'ada' },
    text: 'Hello',
    hasPicture: false,
    madeAt: at,
    at,
    isQueued: false,
    targets,
  };

  const { content } = resultMessage(post, { words: en, nowMs: 1 });
  const told = targets.filter(({ account }) => content.includes(`**${account.replaceAll('_', String.raw`\_`)}**`)).length;

  expect(content.length).toBeLessThanOrEqual(2_000);
  expect(told).toBeGreaterThan(2);
  expect(content).toMatch(new RegExp(`\\+ ${targets.length - told}$`));
});
