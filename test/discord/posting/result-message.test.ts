import { expect, test } from 'vitest';
import { en } from '#src/discord/language/en/index.ts';
import type { PostTarget, SentPost } from '#src/engine/posting/posting.ts';
import { resultMessage } from '#src/discord/posting/sent-posts.ts';

test('the result of a post to many accounts fits into a message and counts the omitted accounts', () => {
  const targets = Array.from({ length: 30 }, (_, index): PostTarget => ({
    account: `account_${index}`,
    state: 'failed',
    problem: { message: 'x'.repeat(400) },
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

  const { content } = resultMessage(post, { texts: en, nowMs: 1 });
  const answered = targets.filter(({ account }) => content.includes(`**${account.replaceAll('_', String.raw`\_`)}**`)).length;

  expect(content.length).toBeLessThanOrEqual(2_000);
  expect(answered).toBeGreaterThan(2);
  expect(content).toMatch(new RegExp(`\\+ ${targets.length - answered}$`));
});
