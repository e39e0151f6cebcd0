import { expect, test } from 'vitest';
import { openBot } from './open-bot.ts';

test('games are suggested while a name is typed, and what was typed comes first', async () => {
  await using ground = await openBot();

  const games = await ground.type('game streams', 'game', 'che');

  expect(games[0]).toBe('che');
  expect(games.slice(1)).toContain('Chess');
  expect(games.slice(1).filter((name) => !name.toLowerCase().includes('che'))).toEqual([]);
});

test('where nothing is typed yet, the most watched are suggested, as many as Discord takes', async () => {
  await using ground = await openBot();

  const games = await ground.type('game streams', 'game', '');
  const users = await ground.type('live', 'user', '');

  expect(games).toHaveLength(25);
  expect(users).toHaveLength(25);
  expect(users.filter((handle) => !ground.world.world.findPerson(handle))).toEqual([]);
});

test('a name that is a suggestion already is offered once', async () => {
  await using ground = await openBot();

  const games = await ground.type('game streams', 'game', 'chess');

  expect(games.filter((name) => name.toLowerCase() === 'chess')).toHaveLength(1);
});

test('where the platform is down, what was typed can be chosen still', async () => {
  await using ground = await openBot();
  ground.world.faults.add({ platform: 'twitch', kind: 'status', status: 403 });

  expect(await ground.type('live', 'user', 'ada')).toEqual(['ada']);
});
