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

test('edits of messages younger than an hour are not limited', async () => {
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
] as const)('a message that is %i hours old is edited at most every %i seconds', async ([hours, seconds]) => {
  await using ground = await openChat();
  const { id } = await ground.chat.send('live', { embed: { title: 'Chess' } });
  await ground.clock.advance(hours * HOUR_MS);

  expect(await tried(ground, id, '1')).toBe('done');
  expect(await tried(ground, id, '2')).toBeCloseTo(seconds);
  await ground.clock.advance(seconds * 1000);
  expect(await tried(ground, id, '3')).toBe('done');
});

test('after a refusal of Discord, edits of all old messages of the channel are postponed', async () => {
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

test('many old messages of a channel are edited in turn', async () => {
  await using ground = await openChat({ limits: { ...NO_LIMITS, editOldMessage: { requests: 2, windowMs: MINUTE_MS } } });
  const cards: string[] = [];
  for (const title of ['a', 'b', 'c', 'd', 'e']) cards.push((await ground.chat.send('live', { embed: { title } })).id);
  await ground.clock.advance(HOUR_MS);

  // As a rule does that edits all of its cards at every poll: the same ones ask first, again and again.
  const edits = new Map(cards.map((id) => [id, 0]));
  const dueMs = new Map<string, number>();
  for (let second = 0; second < 15 * 60; second++) {
    if (second % 60 === 0) for (const id of cards) dueMs.set(id, 0);
    for (const id of cards) {
      if ((dueMs.get(id) ?? 0) > ground.clock.nowMs()) continue;
      const answer = await tried(ground, id, String(second));
      dueMs.set(id, answer === 'done' ? Infinity : ground.clock.nowMs() + answer * 1000);
      if (answer === 'done') edits.set(id, (edits.get(id) ?? 0) + 1);
    }
    await ground.clock.advance(1000);
  }

  const counts = [...edits.values()];
  expect(Math.min(...counts)).toBeGreaterThanOrEqual(Math.max(...counts) - 1);
});

test('a waiting message without further edits does not block others for long', async () => {
  await using ground = await openChat({ limits: { ...NO_LIMITS, editOldMessage: { requests: 1, windowMs: MINUTE_MS } } });
  const [a, b] = [await ground.chat.send('live', { embed: { title: 'a' } }), await ground.chat.send('live', { embed: { title: 'b' } })];
  await ground.clock.advance(HOUR_MS);
  await tried(ground, a.id, '1');
  await tried(ground, b.id, '1');

  await ground.clock.advance(4 * MINUTE_MS);

  expect(await tried(ground, a.id, '2')).toBe('done');
});

test('a standing message may be edited every slot, and waits after a refusal of Discord', async () => {
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
