import { expect, test } from 'vitest';
import { ManualClock } from '../support/manual-clock.ts';
import { openBot } from './bot-fixture.ts';

/** On a busy machine, a platform needs longer than the bot waits for suggestions. */
const openPatientBot = () => openBot({ clock: new ManualClock() });

test('games are suggested while the user types, and the typed text only if it is a game', async () => {
  await using fixture = await openPatientBot();

  const games = await fixture.type('game streams', 'game', 'che');

  expect(games).toContain('Chess');
  expect(games.filter((name) => !name.toLowerCase().includes('che') || name === 'che')).toEqual([]);
});

test('without typed text, the most watched games are suggested, up to the limit of Discord', async () => {
  await using fixture = await openPatientBot();

  const games = await fixture.type('game streams', 'game', '');
  const users = await fixture.type('live', 'streamer', '');

  expect(games).toHaveLength(25);
  expect(users).toHaveLength(25);
  expect(users.filter((handle) => !fixture.world.world.findPerson(handle))).toEqual([]);
});

test('a typed name that equals a suggestion appears once', async () => {
  await using fixture = await openPatientBot();

  const games = await fixture.type('game streams', 'game', 'chess');

  expect(games.filter((name) => name.toLowerCase() === 'chess')).toHaveLength(1);
});

test('if the platform is down, the typed text can still be chosen', async () => {
  await using fixture = await openPatientBot();
  fixture.world.faults.add({ platform: 'twitch', kind: 'status', status: 403 });

  expect(await fixture.type('live', 'streamer', 'ada')).toEqual(['ada']);
});
