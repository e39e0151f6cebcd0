import { expect, test } from 'vitest';
import { suggestions } from '#src/discord/suggestions.ts';
import { ManualClock } from '../support/manual-clock.ts';

test('what begins with the typed text comes before what holds it, each in its own order', async () => {
  const games = suggestions({ clock: new ManualClock(), load: async () => ['Chess', 'Speed Chess', 'Go', 'Chessboxing'] });

  expect(await games.find('CHESS')).toEqual(['Chess', 'Chessboxing', 'Speed Chess']);
  expect(await games.find('')).toEqual(['Chess', 'Speed Chess', 'Go', 'Chessboxing']);
  expect(await games.find('shogi')).toEqual([]);
});

test('what was loaded serves for a minute', async () => {
  const clock = new ManualClock();
  let version = 0;
  const games = suggestions({ clock, load: async () => [`version ${++version}`] });

  const first = await games.find('');
  await clock.advance(59_000);
  const within = await games.find('');
  await clock.advance(1_000);
  const after = await games.find('');

  expect([first, within, after]).toEqual([['version 1'], ['version 1'], ['version 2']]);
});

test('who types is not kept waiting: late suggestions serve the next letter', async () => {
  const clock = new ManualClock();
  const loading = Promise.withResolvers<readonly string[]>();
  const games = suggestions({ clock, load: () => loading.promise });

  const early = games.find('c');
  await clock.advance(2_000);
  expect(await early).toEqual([]);
  loading.resolve(['Chess']);

  expect(await games.find('ch')).toEqual(['Chess']);
  expect(clock.sleeping).toBe(0);
});

test('where nothing can be loaded, what was known before still serves', async () => {
  const clock = new ManualClock();
  const answers = [async () => ['Chess'], async () => Promise.reject(new Error('down')), async () => ['Go']];
  const games = suggestions({ clock, load: () => answers.shift()?.() ?? Promise.reject(new Error('too often')) });

  await games.find('');
  await clock.advance(60_000);
  const whileDown = await games.find('');
  await clock.advance(10_000);

  expect(whileDown).toEqual(['Chess']);
  expect(await games.find('')).toEqual(['Go']);
});
