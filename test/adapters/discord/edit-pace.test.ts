import { expect, test } from 'vitest';
import { editPace } from '#adapters/discord/edit-pace.ts';
import { Postponed } from '#src/errors.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { NO_LIMITS, openChat, type ChatFixture } from './open-chat.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/** Tries an edit; how long it has to wait, in seconds, or `done`. */
async function tried(fixture: ChatFixture, id: string, footer: string): Promise<number | 'done'> {
  try {
    await fixture.chat.edit(id, { embed: { footer } });
    return 'done';
  } catch (error) {
    if (!(error instanceof Postponed)) throw error;
    return (error.until.getTime() - fixture.clock.nowMs()) / 1000;
  }
}

test('edits of messages younger than an hour are not limited', async () => {
  await using fixture = await openChat();
  const { id } = await fixture.chat.send('live', { embed: { title: 'Chess' } });
  await fixture.clock.advance(59 * MINUTE_MS);

  expect([await tried(fixture, id, '1'), await tried(fixture, id, '2'), await tried(fixture, id, '3')]).toEqual(['done', 'done', 'done']);
});

test.for([
  [1, 60],
  [2, 120],
  [10, 600],
  [15, 900],
  [100, 900],
] as const)('a message that is %i hours old is edited at most every %i seconds', async ([hours, seconds]) => {
  await using fixture = await openChat();
  const { id } = await fixture.chat.send('live', { embed: { title: 'Chess' } });
  await fixture.clock.advance(hours * HOUR_MS);

  expect(await tried(fixture, id, '1')).toBe('done');
  expect(await tried(fixture, id, '2')).toBeCloseTo(seconds);
  await fixture.clock.advance(seconds * 1000);
  expect(await tried(fixture, id, '3')).toBe('done');
});

test('after a refusal of Discord, edits of all old messages of the channel are postponed', async () => {
  await using fixture = await openChat({ limits: { ...NO_LIMITS, editOldMessage: { requests: 2, windowMs: 3 * MINUTE_MS } } });
  const cards = [];
  for (const title of ['a', 'b', 'c', 'd']) cards.push(await fixture.chat.send('live', { embed: { title } }));
  const elsewhere = await fixture.chat.send('general', { embed: { title: 'e' } });
  await fixture.clock.advance(HOUR_MS);
  const fresh = await fixture.chat.send('live', { embed: { title: 'f' } });
  const [a, b, c, d] = cards.map(({ id }) => id);

  const first = [await tried(fixture, a ?? '', '1'), await tried(fixture, b ?? '', '1'), await tried(fixture, c ?? '', '1')];
  const asked = await askedOf(fixture);
  const fourth = await tried(fixture, d ?? '', '1');

  expect(first.slice(0, 2)).toEqual(['done', 'done']);
  expect(first[2]).toBeGreaterThanOrEqual(60);
  expect(fourth).toBeGreaterThanOrEqual(60);
  // Discord was not asked again.
  expect(await askedOf(fixture)).toBe(asked);
  expect([await tried(fixture, elsewhere.id, '1'), await tried(fixture, fresh.id, '1')]).toEqual(['done', 'done']);
  await fixture.clock.advance(3 * MINUTE_MS + 2000);
  expect([await tried(fixture, c ?? '', '2'), await tried(fixture, d ?? '', '2')]).toEqual(['done', 'done']);
});

test('many old messages of a channel are edited in turn', async () => {
  await using fixture = await openChat({ limits: { ...NO_LIMITS, editOldMessage: { requests: 2, windowMs: MINUTE_MS } } });
  const cards: string[] = [];
  for (const title of ['a', 'b', 'c', 'd', 'e']) cards.push((await fixture.chat.send('live', { embed: { title } })).id);
  await fixture.clock.advance(HOUR_MS);

  // As a rule does that edits all of its cards at every poll: the same ones ask first, again and again.
  const edits = new Map(cards.map((id) => [id, 0]));
  const dueMs = new Map<string, number>();
  for (let second = 0; second < 15 * 60; second++) {
    if (second % 60 === 0) for (const id of cards) dueMs.set(id, 0);
    for (const id of cards) {
      if ((dueMs.get(id) ?? 0) > fixture.clock.nowMs()) continue;
      const answer = await tried(fixture, id, String(second));
      dueMs.set(id, answer === 'done' ? Infinity : fixture.clock.nowMs() + answer * 1000);
      if (answer === 'done') edits.set(id, (edits.get(id) ?? 0) + 1);
    }
    await fixture.clock.advance(1000);
  }

  const counts = [...edits.values()];
  expect(Math.min(...counts)).toBeGreaterThanOrEqual(Math.max(...counts) - 1);
});

test.for([
  ['younger than an hour', 0],
  ['older than an hour', HOUR_MS],
] as const)('many messages %s are edited in turn if each edit that has to wait is postponed', async ([, ageMs]) => {
  const clock = new ManualClock();
  const pace = editPace(clock);
  const madeMs = clock.nowMs() - ageMs;
  const cards = Array.from({ length: 8 }, (_, index) => ({ path: '/m', channelId: '1', messageId: idOf(madeMs + index) }) as const);
  const edits = cards.map(() => 0);
  let windowMs = 0;
  let used = 0;

  /** Three edits in each five seconds. */
  const change = (index: number) => async (): Promise<void> => {
    if (clock.nowMs() >= windowMs + 5_000) [windowMs, used] = [clock.nowMs(), 0];
    if (used === 3) throw new Postponed('the window is full', { until: new Date(windowMs + 5_000) });
    used++;
    edits[index] = (edits[index] ?? 0) + 1;
  };

  // Each poll replaces the edits of the last one, and the same cards come first.
  for (let poll = 0; poll < 40; poll++) {
    const dueMs = cards.map(() => 0);
    for (let second = 0; second < 10; second++) {
      for (const [index, card] of cards.entries()) {
        if ((dueMs[index] ?? 0) > clock.nowMs()) continue;
        dueMs[index] = await pace.put(card, change(index)).then(
          () => Infinity,
          (error: unknown) => (error instanceof Postponed ? error.until.getTime() : Promise.reject(error)),
        );
      }
      await clock.advance(1000);
    }
  }

  expect(Math.min(...edits)).toBeGreaterThanOrEqual(Math.max(...edits) - 1);
});

test('a waiting message without further edits does not block others for long', async () => {
  await using fixture = await openChat({ limits: { ...NO_LIMITS, editOldMessage: { requests: 1, windowMs: MINUTE_MS } } });
  const [a, b] = [await fixture.chat.send('live', { embed: { title: 'a' } }), await fixture.chat.send('live', { embed: { title: 'b' } })];
  await fixture.clock.advance(HOUR_MS);
  await tried(fixture, a.id, '1');
  await tried(fixture, b.id, '1');

  await fixture.clock.advance(4 * MINUTE_MS);

  expect(await tried(fixture, a.id, '2')).toBe('done');
});

test('a standing message may be edited every slot, and waits after a refusal of Discord', async () => {
  await using fixture = await openChat({ limits: { ...NO_LIMITS, editOldMessage: { requests: 3, windowMs: MINUTE_MS } } });
  await fixture.chat.put('top', 'live', { content: 'a' });
  await fixture.clock.advance(50 * HOUR_MS);

  for (const content of ['b', 'c', 'd']) await fixture.chat.put('top', 'live', { content });
  await expect(fixture.chat.put('top', 'live', { content: 'e' })).rejects.toBeInstanceOf(Postponed);
  await fixture.clock.advance(62_000);
  await fixture.chat.put('top', 'live', { content: 'f' });

  expect((await fixture.standing('live')).map(({ content }) => content)).toEqual(['f']);
});

/** The id of a message that Discord made at a time. */
function idOf(ms: number): string {
  return String((BigInt(ms) - 1_420_070_400_000n) << 22n);
}

async function askedOf(fixture: ChatFixture): Promise<number> {
  const [message] = await fixture.standing('live');
  return (message?.history.length ?? 0) + (await fixture.discord.messages()).length;
}
