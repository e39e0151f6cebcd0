import { expect, test } from 'vitest';
import { Postponed } from '#src/errors.ts';
import { NO_LIMITS, openChat, type ChatGround } from './open-chat.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/** Tries an edit; how long it has to wait, in seconds, or `done`. */
async function tried(ground: ChatGround, id: string, footer: string): Promise<number | 'done'> {
  try {
    await ground.chat.edit(id, { embed: { footer } });
    return 'done';
  } catch (error) {
    if (!(error instanceof Postponed)) throw error;
    return (error.until.getTime() - ground.clock.nowMs()) / 1000;
  }
}

test('a message that is younger than an hour is changed as often as wanted', async () => {
  await using ground = await openChat();
  const { id } = await ground.chat.send('live', { embed: { title: 'Chess' } });
  await ground.clock.advance(59 * MINUTE_MS);

  expect([await tried(ground, id, '1'), await tried(ground, id, '2'), await tried(ground, id, '3')]).toEqual(['done', 'done', 'done']);
});

test.for([
  [1, 60],
  [2, 120],
  [10, 600],
  [15, 900],
  [100, 900],
] as const)('a message that is %i hours old is changed every %i seconds at most', async ([hours, seconds]) => {
  await using ground = await openChat();
  const { id } = await ground.chat.send('live', { embed: { title: 'Chess' } });
  await ground.clock.advance(hours * HOUR_MS);

  expect(await tried(ground, id, '1')).toBe('done');
  expect(await tried(ground, id, '2')).toBeCloseTo(seconds);
  await ground.clock.advance(seconds * 1000);
  expect(await tried(ground, id, '3')).toBe('done');
});

test('where Discord takes no more, every old message of the channel waits, and nothing is an error', async () => {
  await using ground = await openChat({ limits: { ...NO_LIMITS, editOldMessage: { requests: 2, windowMs: 3 * MINUTE_MS } } });
  const cards = [];
  for (const title of ['a', 'b', 'c', 'd']) cards.push(await ground.chat.send('live', { embed: { title } }));
  const elsewhere = await ground.chat.send('general', { embed: { title: 'e' } });
  await ground.clock.advance(HOUR_MS);
  const fresh = await ground.chat.send('live', { embed: { title: 'f' } });
  const [a, b, c, d] = cards.map(({ id }) => id);

  const first = [await tried(ground, a ?? '', '1'), await tried(ground, b ?? '', '1'), await tried(ground, c ?? '', '1')];
  const asked = await askedOf(ground);
  const fourth = await tried(ground, d ?? '', '1');

  expect(first.slice(0, 2)).toEqual(['done', 'done']);
  expect(first[2]).toBeGreaterThanOrEqual(60);
  expect(fourth).toBeGreaterThanOrEqual(60);
  // Discord was not asked again.
  expect(await askedOf(ground)).toBe(asked);
  expect([await tried(ground, elsewhere.id, '1'), await tried(ground, fresh.id, '1')]).toEqual(['done', 'done']);
  await ground.clock.advance(3 * MINUTE_MS + 2000);
  expect([await tried(ground, c ?? '', '2'), await tried(ground, d ?? '', '2')]).toEqual(['done', 'done']);
});

test('a standing message may be changed every slot, and waits where Discord takes no more', async () => {
  await using ground = await openChat({ limits: { ...NO_LIMITS, editOldMessage: { requests: 3, windowMs: MINUTE_MS } } });
  await ground.chat.put('top', 'live', { content: 'a' });
  await ground.clock.advance(50 * HOUR_MS);

  for (const content of ['b', 'c', 'd']) await ground.chat.put('top', 'live', { content });
  await expect(ground.chat.put('top', 'live', { content: 'e' })).rejects.toBeInstanceOf(Postponed);
  await ground.clock.advance(62_000);
  await ground.chat.put('top', 'live', { content: 'f' });

  expect((await ground.standing('live')).map(({ content }) => content)).toEqual(['f']);
});

async function askedOf(ground: ChatGround): Promise<number> {
  const [message] = await ground.standing('live');
  return (message?.history.length ?? 0) + (await ground.discord.messages()).length;
}
