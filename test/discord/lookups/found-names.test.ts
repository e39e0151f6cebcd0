import { expect, test } from 'vitest';
import { suggestions } from '#src/discord/suggestions.ts';
import { ManualClock } from '../../support/manual-clock.ts';

const none = async (): Promise<readonly string[]> => [];

test('where little that is known fits, the platform is searched, and what begins with the letters comes first', async () => {
  const search = async () => ({ names: ['Speed Chess', 'Chessboxing', 'Draughts'], complete: true });
  const games = suggestions({ clock: new ManualClock(), load: async () => ['Chess'], search });

  expect(await games.find('chess')).toEqual(['Chess', 'Chessboxing', 'Speed Chess', 'Draughts']);
});

test('who types the same letters, or goes on typing, causes no further search', async () => {
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

test('where a search had more than it gave, further letters are searched for', async () => {
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

test('where enough that is known fits, nothing is searched', async () => {
  const known = Array.from({ length: 12 }, (_, index) => `Game ${index}`);
  const games = suggestions({ clock: new ManualClock(), load: async () => known, search: () => Promise.reject(new Error('not needed')) });

  expect(await games.find('game')).toEqual(known);
});

test('a search that takes too long holds nobody up, and serves the next letter', async () => {
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

test('slow loading and slow searching together hold nobody up for longer than Discord waits', async () => {
  const clock = new ManualClock();
  const never = new Promise<never>(() => undefined);
  const games = suggestions({ clock, load: () => never, search: () => never });

  const found = games.find('ch');
  await clock.advance(2_000);

  expect(await found).toEqual([]);
});

test('a search that fails is tried again after a while', async () => {
  const clock = new ManualClock();
  const answers = [async () => Promise.reject(new Error('down')), async () => ({ names: ['Chess'], complete: true })];
  const games = suggestions({ clock, load: none, search: () => answers.shift()?.() ?? Promise.reject(new Error('too often')) });

  expect(await games.find('ch')).toEqual([]);
  expect(await games.find('ch')).toEqual([]);
  await clock.advance(10_000);
  expect(await games.find('ch')).toEqual(['Chess']);
});

test('however many type at once, only four searches are under way', async () => {
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
