import { expect, test } from 'vitest';
import { suggestions } from '#src/discord/suggestions.ts';
import { ManualClock } from '../support/manual-clock.ts';

test('names that start with the typed text come before names that contain it', async () => {
  const games = suggestions({ clock: new ManualClock(), load: async () => ['Chess', 'Speed Chess', 'Go', 'Chessboxing'] });

  expect(await games.find('CHESS')).toEqual(['Chess', 'Chessboxing', 'Speed Chess']);
  expect(await games.find('')).toEqual(['Chess', 'Speed Chess', 'Go', 'Chessboxing']);
  expect(await games.find('shogi')).toEqual([]);
});

test('loaded names are cached for a minute', async () => {
  const clock = new ManualClock();
  let version = 0;
  const games = suggestions({ clock, load: async () => [`version ${++version}`] });

  const first = await games.find('');
  await clock.advance(59_000);
  const settlesWithin = await games.find('');
  await clock.advance(1_000);
  const after = await games.find('');

  expect([first, settlesWithin, after]).toEqual([['version 1'], ['version 1'], ['version 2']]);
});

test('late suggestions serve the next letter', async () => {
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

test('after a failed load, the cached names stay', async () => {
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

const none = async (): Promise<readonly string[]> => [];

test('with few known names, the platform is searched', async () => {
  const search = async () => ({ names: ['Speed Chess', 'Chessboxing', 'Draughts'], complete: true });
  const games = suggestions({ clock: new ManualClock(), load: async () => ['Chess'], search });

  expect(await games.find('chess')).toEqual(['Chess', 'Chessboxing', 'Speed Chess', 'Draughts']);
});

test('equal and longer texts cause no further search', async () => {
  const asked: string[] = [];
  const games = suggestions({
    clock: new ManualClock(),
    load: none,
    async search(typed) {
      asked.push(typed);
      return { names: ['Chess', 'Chivalry'], complete: true };
    },
  });

  await games.find('c');
  await games.find('ch');
  await games.find('ch');

  expect(await games.find('che')).toEqual(['Chess']);
  expect(await games.find('chess')).toEqual(['Chess']);
  expect(asked).toEqual(['ch']);
});

test('members who type search a platform at most forty times a minute, which leaves its rate limit to rules', async () => {
  const clock = new ManualClock();
  let searches = 0;
  const search = async () => ({ names: [`result ${++searches}`], complete: false });
  const games = suggestions({ clock, load: none, search });

  for (let index = 100; index < 200; index++) await games.find(`word${index}`);
  expect(searches).toBe(40);
  expect(await games.find('word100')).toEqual(['result 1']);
  await clock.advance(60_000);

  expect(await games.find('word200')).toEqual(['result 41']);
});

test('if a search has more results, longer texts are searched', async () => {
  const asked: string[] = [];
  const games = suggestions({
    clock: new ManualClock(),
    load: none,
    async search(typed) {
      asked.push(typed);
      return { names: [`${typed}…`], complete: false };
    },
  });

  await games.find('ch');

  expect(await games.find('che')).toEqual(['che…']);
  expect(asked).toEqual(['ch', 'che']);
});

test('if enough known names match, nothing is searched', async () => {
  const known = Array.from({ length: 12 }, (_, index) => `Game ${index}`);
  const games = suggestions({ clock: new ManualClock(), load: async () => known, search: () => Promise.reject(new Error('not needed')) });

  expect(await games.find('game')).toEqual(known);
});

test('a slow search does not delay the suggestions and serves the next letter', async () => {
  const clock = new ManualClock();
  const searching = Promise.withResolvers<{ names: readonly string[]; complete: boolean }>();
  const games = suggestions({ clock, load: async () => ['Chess'], search: () => searching.promise });

  const early = games.find('ch');
  await clock.advance(2_000);
  expect(await early).toEqual(['Chess']);
  searching.resolve({ names: ['Chivalry'], complete: true });

  expect(await games.find('chi')).toEqual(['Chivalry']);
  expect(clock.sleeping).toBe(0);
});

test('a slow load and a slow search together take less time than Discord waits', async () => {
  const clock = new ManualClock();
  const never = new Promise<never>(() => undefined);
  const games = suggestions({ clock, load: () => never, search: () => never });

  const found = games.find('ch');
  await clock.advance(2_000);

  expect(await found).toEqual([]);
});

test('a failed search is repeated later', async () => {
  const clock = new ManualClock();
  const answers = [async () => Promise.reject(new Error('down')), async () => ({ names: ['Chess'], complete: true })];
  const games = suggestions({ clock, load: none, search: () => answers.shift()?.() ?? Promise.reject(new Error('too often')) });

  expect(await games.find('ch')).toEqual([]);
  expect(await games.find('ch')).toEqual([]);
  await clock.advance(10_000);
  expect(await games.find('ch')).toEqual(['Chess']);
});

test('at most four searches run at once', async () => {
  let running = 0;
  let most = 0;
  const games = suggestions({
    clock: new ManualClock(),
    load: none,
    async search(typed) {
      most = Math.max(most, ++running);
      await Promise.resolve();
      running--;
      return { names: [typed], complete: false };
    },
  });
  await games.find('');

  await Promise.all(Array.from({ length: 30 }, (_, index) => games.find(`word ${index}`)));

  expect(most).toBe(4);
});
