import { fetch } from 'undici';
import { expect, test } from 'vitest';
import { send } from '#src/clients/chat/messages.ts';
import { ask } from '#src/clients/chat/questions.ts';
import { thread as startThread } from '#src/clients/chat/message-actions.ts';
import { openChat, type ChatFixture } from './open-chat.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/** When a write is begun on a machine whose clock is two minutes ahead of Discord's. */
function begunAhead({ clock }: ChatFixture): Date {
  return new Date(clock.nowMs() + 2 * MINUTE_MS);
}

const [CARD, MESSAGE, POST] = [
  { channel: 'live', content: 'Ada is live', embed: { title: 'Chess' } },
  { channel: 'live', content: 'Ada is live' },
  { channel: 'guides', content: 'Ada is live', title: 'Ada' },
] as const;

test.for([
  ['a message with a card', CARD],
  ['a message', MESSAGE],
  ['a post of a forum', POST],
] as const)('%s that arrived is not sent again if the clock of this machine is ahead', async ([, wanted]) => {
  await using fixture = await openChat();
  const since = begunAhead(fixture);
  const { channel, ...message } = wanted;
  fixture.lose('resetAfter');
  await expect(fixture.chat.send(channel, { ...message, key: 'k', since })).rejects.toMatchObject({ fault: 'unanswered' });
  await fixture.clock.advance(HOUR_MS);

  const recovery = await fixture.recoverOf(send.declared, wanted, { key: 'k', since });

  expect(recovery).toBe('cannotTell');
});

test('messages of other deliveries, old messages and different messages are not candidates', async () => {
  await using fixture = await openChat();
  const { chat, clock } = fixture;
  for (const { channel, ...message } of [MESSAGE, POST]) await chat.send(channel, message);
  await clock.advance(24 * HOUR_MS);
  for (const { channel, ...message } of [MESSAGE, POST]) await chat.send(channel, { ...message, content: 'Grace is live' });
  const known = [];
  for (const { channel, ...message } of [MESSAGE, POST]) known.push((await chat.send(channel, message)).id);
  await clock.advance(HOUR_MS);
  const since = begunAhead(fixture);

  for (const wanted of [MESSAGE, POST]) {
    expect(await fixture.recoverOf(send.declared, wanted, { key: 'k', since, taken: known })).toBe('absent');
    expect(await fixture.recoverOf(send.declared, wanted, { key: 'k', since })).toBe('cannotTell');
  }
});

test('the search covers a little more than a clock may be ahead, but not a whole day', async () => {
  await using fixture = await openChat();
  const { chat, clock } = fixture;
  await chat.send('live', { content: 'Ada is live' });
  await clock.advance(HOUR_MS);
  await fixture.fill('live', 350);
  await clock.advance(HOUR_MS);
  const before = await requestsOf(fixture);

  expect(await fixture.recover({ content: 'Ada is live' }, { key: 'k', since: begunAhead(fixture) })).toBe('absent');

  expect((await requestsOf(fixture)) - before).toBeLessThanOrEqual(6);
});

test.for(['live', 'guides'])('a question is found by its key even if the clock is far ahead: %s', async (channel) => {
  await using fixture = await openChat();
  const since = begunAhead(fixture);
  fixture.lose('resetAfter');
  await expect(fixture.chat.ask(channel, 'Which?', ['a'], { key: 'k', since })).rejects.toMatchObject({ fault: 'unanswered' });
  await fixture.clock.advance(HOUR_MS);

  const wanted = { channel, content: 'Which?', choices: ['a'] };
  expect(await fixture.recoverOf(ask.declared, wanted, { key: 'k', since })).toMatchObject({ found: {} });
  expect(await fixture.recoverOf(ask.declared, wanted, { key: 'other', since })).toBe('absent');
});

test.for(['general', 'guides'])('an existing thread is not started again if the clock is ahead: %s', async (channel) => {
  await using fixture = await openChat();
  const since = begunAhead(fixture);
  fixture.lose('resetAfter');
  await expect(fixture.chat.thread({ channel }, 'Bets', { key: 'k', since })).rejects.toMatchObject({ fault: 'unanswered' });
  await fixture.clock.advance(HOUR_MS);

  expect(await fixture.recoverOf(startThread.declared, { channel, name: 'Bets' }, { key: 'k', since })).toBe('cannotTell');
  expect(await fixture.recoverOf(startThread.declared, { channel, name: 'Quotes' }, { key: 'k', since })).toBe('absent');
});

test('without permission to read the history, an hour without a message proves nothing', async () => {
  await using fixture = await openChat();
  const since = begunAhead(fixture);
  await fixture.chat.send('live', { content: 'Ada is live', key: 'k', since });
  await fixture.discord.order('/discord/permissions', { channel: 'live', deny: ['ReadMessageHistory'] });

  expect(await fixture.recover({ content: 'Ada is live' }, { key: 'k', since })).toBe('cannotTell');
});

async function requestsOf({ discord }: ChatFixture): Promise<number> {
  const response = await fetch(`${discord.sandbox.url}/control/requests`);
  const { items } = (await response.json()) as { items: readonly { platform: string; count: number }[] }; // the response of the sandbox
  return items.filter(({ platform }) => platform === 'discord').reduce((sum, { count }) => sum + count, 0);
}
