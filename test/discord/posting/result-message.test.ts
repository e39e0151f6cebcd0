import { expect, test } from 'vitest';
import { en } from '#src/discord/language/en/index.ts';
import type { PostTarget, SentPost } from '#src/engine/posting/posting.ts';
import { resultMessage, waitingList } from '#src/discord/posting/sent-posts.ts';

const POST: Omit<SentPost, 'targets'> = {
  id: 'id',
  server: '1',
  by: { id: '2', name: 'ada' },
  text: 'Hello',
  hasPicture: false,
  madeAt: new Date(0),
  at: new Date(0),
  isQueued: false,
  edits: 0,
};

test('the result of a post to many accounts fits into a message and counts the omitted accounts', () => {
  const targets = Array.from({ length: 30 }, (_, index): PostTarget => ({
    account: `account_${index}`,
    state: 'failed',
    problem: { message: 'x'.repeat(400) },
  }));
  const { content } = resultMessage({ ...POST, targets }, { texts: en, nowMs: 1 });
  const answered = targets.filter(({ account }) => content.includes(`**${account.replaceAll('_', String.raw`\_`)}**`)).length;

  expect(content.length).toBeLessThanOrEqual(2_000);
  expect(answered).toBeGreaterThan(2);
  expect(content).toMatch(new RegExp(`\\+ ${targets.length - answered}$`));
});

const URL = 'https://x.com/ada/status/1';

test.for<readonly [state: PostTarget['state'], headline: string, about: string]>([
  ['failed', '**Not sent everywhere.**', `Only the beginning of the thread was sent: <${URL}>. Delete it before you post again.`],
  ['pending', '**Sending …**', `The beginning of the thread was sent: <${URL}>`],
  ['unknown', '**Not sent everywhere.**', `The beginning of the thread was sent: <${URL}>`],
])('the result of a thread whose later part is %s names the part that everyone can read', ([state, headline, about]) => {
  const { content } = resultMessage({ ...POST, targets: [{ account: 'x', state, url: URL, isBegun: true }] }, { texts: en, nowMs: 1 });

  expect(content.split('\n')[0]).toBe(headline);
  expect(content).toContain(about);
});

test.for([
  ['unavailable', '❌ **x**: No attempt succeeded, and Fanfare has stopped retrying. Post it again if you still need it.'],
  ['rateLimited', '❌ **x**: No attempt succeeded, and Fanfare has stopped retrying. Post it again if you still need it.'],
  [
    'unauthorized',
    '❌ **x**: The account is signed out. The operator of the bot has to sign it in again. No attempt succeeded, and Fanfare has stopped retrying.',
  ],
] as const)('the result of a post after the last attempt announces no further one: %s', ([fault, line]) => {
  const problem = { error: { fault, message: '' }, reason: { kind: 'retriesExhausted' } } as const;
  const { content } = resultMessage({ ...POST, targets: [{ account: 'x', state: 'failed', problem }] }, { texts: en, nowMs: 1 });

  expect(content).toContain(line);
});

test('/post queue names a post that an account waits for, even if newer posts are sent', async () => {
  const sent = ['1', '2', '3', '4', '5'].map((id): SentPost => ({ ...POST, id, targets: [{ account: 'x', state: 'sent' }] }));
  const delayed: SentPost = { ...POST, text: 'Delayed', targets: [{ account: 'x', state: 'pending' }] };
  const posting = { waiting: () => Promise.resolve([]), recent: () => Promise.resolve([...sent, delayed]) };

  const { content } = await waitingList(0, posting, { texts: en, server: undefined, zone: 'UTC', locale: 'en-US' });

  expect(content).toContain('Delayed');
});
