import { expect, test } from 'vitest';
import { openStore, type Store } from '#src/store/store.ts';
import type { Clock } from '#src/clock.ts';
import { committing } from '../../support/firings.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { selected } from '../../support/property.ts';
import { openEmptyStore } from '../../support/postgres-stores.ts';
import { cardRule, deliveries, openStage, stream } from './fixture.ts';

const RULE = cardRule('live').replace('first: fire', 'first: fire, key: item.title').replace('grace: 1m', 'grace: 20s, confirm: 1');

const STORES: readonly (readonly [name: string, open: (clock: Clock) => Promise<Store>])[] = [
  ['SQLite', (clock) => openStore({ clock })],
  ['PostgreSQL', (clock) => openEmptyStore({ clock })],
];

/** Texts that cannot be compressed: PostgreSQL compresses others before it indexes them. */
const random = (characters: number, seed = 1): string => {
  let state = seed;
  return Array.from({ length: characters }, () => {
    state = (state * 48_271) % 2_147_483_647;
    return String.fromCodePoint(0x4e_00 + (state % 20_000));
  }).join('');
};

const KEYS: readonly (readonly [about: string, text: string])[] = [
  ['100 kB', random(33_000)],
  ['half a character', `Ranked \uD83D`],
  ['the character U+0000', 'a\0b'],
  ['500 characters', random(500)],
  ['501 characters', random(501)],
  ['separators of ids', 'a/b@2026#7'],
];

const all = KEYS.flatMap(([about, text]) => STORES.map(([name, open]) => ({ name, about, text, open })));

test.for(selected(all, 6))('an item whose key has $about opens and closes one episode in $name', async ({ text, open }) => {
  const clock = new ManualClock();
  await using store = await open(clock);
  await store.ruleVersions?.publish({ files: [{ file: 'live.yaml', source: RULE }], by: 'ada', after: 0 });
  await using stage = await openStage({ 'live.yaml': RULE }, { store, clock });
  stage.live = [stream('ada', { title: text }), stream('grace', { title: `${text}!` })];
  await stage.pass(11);
  // Edited items have the same keys.
  stage.live = [stream('ada', { title: text, viewerCount: 1 }), stream('grace', { title: `${text}!` })];
  await stage.pass(11);
  const opened = await deliveries(store);
  stage.live = [];
  await stage.pass(60);

  expect(stage.scheduler.stuck()).toEqual([]);
  expect(opened).toEqual(['live discord.send pending', 'live discord.send pending']);
  expect(
    (await store.ruleStates.load('live')).episodes
      .values()
      .map(({ phase }) => phase)
      .toArray(),
  ).toEqual(['closed', 'closed']);
});

test('long keys of an earlier version continue as their hash', async () => {
  const clock = new ManualClock();
  await using store = await openStore({ clock });
  await using stage = await openStage({ 'live.yaml': RULE }, { store, clock });
  const title = random(2_000);
  stage.live = [stream('ada', { title })];
  await stage.pass(11);
  const state = await store.ruleStates.load('live');
  const [episode] = state.episodes.values();
  if (!episode) throw new Error('no episode was opened');
  const before = { ...episode, key: title };
  const memory = { ...state.memory, firedMs: Object.fromEntries(Object.values(state.memory.firedMs).map((ms) => [title, ms])) };
  const slotMs = clock.nowMs();
  await store.ruleStates.commit(committing([], { slotMs, change: { memory, put: [before], drop: [] } }));
  await using again = await stage.restart();
  await again.pass(21);

  expect(await deliveries(store)).toEqual(['live discord.send pending']);
  expect(
    (await store.ruleStates.load('live')).episodes
      .values()
      .map(({ key }) => key)
      .toArray(),
  ).toEqual([episode.key]);
});
