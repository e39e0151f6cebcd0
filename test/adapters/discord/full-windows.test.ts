import { expect, test } from 'vitest';
import { discord } from '#adapters/discord/index.ts';
import { discordApi } from '#adapters/discord/client.ts';
import { windowsOf } from '#adapters/discord/rate-limit-windows.ts';
import { Chat } from '#src/clients/chat/chat.ts';
import { Postponed } from '#src/errors.ts';
import { NO_LIMITS, openChat, type ChatFixture } from './open-chat.ts';

const LIMIT = { requests: 3, windowMs: 60_000 };

/** Discord as deliveries use it: a write that a rate limit delays is postponed. */
function openDeliveries({ clock, discord: { sandbox, token, guildId } }: ChatFixture): Chat {
  const { DISCORD_API_URL: apiUrl = '' } = sandbox.environment;
  const api = discordApi({ token, apiUrl, clock, postponesWrites: true });
  return new Chat({ platform: discord({ token, guildId, apiUrl, api, clock }), clock });
}

/** Writes; the seconds until it can be written, or `done`. */
async function tried({ clock }: ChatFixture, write: Promise<unknown>): Promise<number | 'done'> {
  try {
    await write;
    return 'done';
  } catch (error) {
    if (!(error instanceof Postponed)) throw error;
    return (error.until.getTime() - clock.nowMs()) / 1000;
  }
}

test('messages to a channel whose window is full are distributed over the next windows in their order, and other channels do not wait', async () => {
  await using fixture = await openChat({ limits: { ...NO_LIMITS, createMessage: LIMIT } });
  const chat = openDeliveries(fixture);
  const outcomes: (number | 'done')[] = [];
  for (let number = 0; number < 10; number++) outcomes.push(await tried(fixture, chat.send('live', { content: `message ${number}` })));
  outcomes.push(await tried(fixture, chat.send('general', { content: 'hello' })));

  expect(outcomes.filter((outcome) => outcome === 'done')).toHaveLength(4);
  expect(outcomes.slice(0, 3)).toEqual(['done', 'done', 'done']);
  const windows = outcomes.slice(3, 10).map((seconds) => Math.round(Number(seconds) / 60));
  expect(windows).toEqual([1, 1, 1, 2, 2, 2, 3]);
  expect(await fixture.standing('live')).toHaveLength(3);
});

test('messages that are refused one after the other are distributed over the same windows', () => {
  let nowMs = 0;
  const windows = windowsOf({ nowMs: () => nowMs });
  const limit = {
    global: false,
    method: 'POST',
    url: '',
    route: '',
    majorParameter: '1',
    hash: 'a',
    limit: 2,
    retryAfter: 0,
    sublimitTimeout: 0,
  };
  const untils: number[] = [];
  for (let number = 0; number < 7; number++) {
    // The time is read a little later than discord.js does.
    untils.push(windows.postpone({ ...limit, scope: 'user', timeToReset: 5_000 - nowMs + number }).until.getTime());
    nowMs += 20;
  }

  expect(untils.map((ms) => Math.round(ms / 5_250))).toEqual([1, 1, 2, 2, 3, 3, 4]);
});

test('edits in a channel whose window is full are postponed to its next window', async () => {
  await using fixture = await openChat({ limits: { ...NO_LIMITS, editMessage: LIMIT } });
  const chat = openDeliveries(fixture);
  const { id } = await chat.send('live', { content: 'live' });
  const outcomes: (number | 'done')[] = [];
  for (let number = 0; number < 8; number++) outcomes.push(await tried(fixture, chat.edit(id, { content: `${number} viewers` })));

  expect(outcomes.slice(0, 3)).toEqual(['done', 'done', 'done']);
  expect(outcomes.slice(3).map((seconds) => Math.round(Number(seconds) / 60))).toEqual([1, 1, 1, 1, 1]);
});

test('an edit of an old message that is postponed gives its channel a pause', async () => {
  await using fixture = await openChat({ limits: { ...NO_LIMITS, editOldMessage: { requests: 1, windowMs: 120_000 } } });
  const chat = openDeliveries(fixture);
  const [one, other] = [await chat.send('live', { content: 'one' }), await chat.send('live', { content: 'other' })];
  await fixture.clock.advance(61 * 60_000);

  const outcomes = [];
  for (const { id } of [one, other, other]) outcomes.push(await tried(fixture, chat.edit(id, { content: 'old' })));

  expect(outcomes.map((seconds) => (seconds === 'done' ? seconds : Math.round(Number(seconds) / 60)))).toEqual(['done', 2, 2]);
});
