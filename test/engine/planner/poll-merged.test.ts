import { expect, test } from 'vitest';
import { twitch } from '#adapters/twitch/index.ts';
import { kick } from '#adapters/kick/index.ts';
import { startSandbox } from '#sandbox/index.ts';
import { createClients } from '#src/clients/clients.ts';
import { pollPlatform } from '#src/engine/planner/poll-platform.ts';
import { silentLog } from '#src/log.ts';
import { createPlanner } from '#src/engine/planner/planner.ts';
import type { Poll } from '#src/rules/poll.ts';
import type { Watched } from '#src/rules/rule.ts';
import { makeRule, makeWatched } from '../../support/rules.ts';
import { readAll } from './read-all.ts';
import { fetch } from 'undici';
import { z } from 'zod';

const Requests = z.object({ items: z.array(z.object({ platform: z.string(), route: z.string(), count: z.number() })) });

/** Polls for rules with these queries at a new sandbox, and counts the requests for data. */
async function openStage() {
  const sandbox = await startSandbox({});
  const variable = (name: string): string => sandbox.environment[name] ?? '';
  const access = (name: string) => ({
    clientId: variable(`${name}_CLIENT_ID`),
    clientSecret: variable(`${name}_CLIENT_SECRET`),
    apiUrl: variable(`${name}_API_URL`),
    authUrl: variable(`${name}_AUTH_URL`),
    clock: sandbox.clock,
  });
  const platforms = [twitch(access('TWITCH')), kick(access('KICK'))];
  const clients = createClients({ streaming: platforms, social: [], discord: [] }, sandbox.clock);
  const planner = createPlanner({ poll: (query, options) => pollPlatform(clients, query, options), clock: sandbox.clock, log: silentLog });

  async function requests(): Promise<ReadonlyMap<string, number>> {
    const { items } = Requests.parse(await (await fetch(`${sandbox.url}/control/requests`)).json());
    return new Map(items.filter(({ route }) => !/token|validate/u.test(route)).map(({ route, count }) => [route, count]));
  }

  return {
    world: sandbox.world,
    nowMs: () => sandbox.clock.nowMs(),
    async poll(watched: readonly Partial<Watched>[]): Promise<{ polls: readonly (Poll | undefined)[]; requests: Record<string, number> }> {
      const before = await requests();
      const rules = watched.map((one, index) => makeRule({ id: `r${index}`, watched: makeWatched(one) }));
      const polls = await readAll(
        planner,
        rules.map((rule) => ({ rule, slotMs: 0 })),
      );
      const counts = [...(await requests())].map(([route, count]) => [route, count - (before.get(route) ?? 0)] as const);
      return { polls: rules.map(({ id }) => polls.get(id)), requests: Object.fromEntries(counts.filter(([, count]) => count > 0)) };
    },
    async [Symbol.asyncDispose]() {
      for (const platform of platforms) await platform[Symbol.asyncDispose]();
      await sandbox[Symbol.asyncDispose]();
    },
  };
}

const idsOf = (poll: Poll | undefined): readonly string[] =>
  poll && 'items' in poll ? poll.items.map(({ id }) => (typeof id === 'string' ? id : '')) : [];
const user = (name: string, account = 'twitch'): Partial<Watched> => ({
  verb: 'streaming.getUser',
  kind: 'one',
  accounts: [account],
  with: { user: name },
});
const top = (params: Watched['with']): Partial<Watched> => ({ verb: 'streaming.getTopStreams', kind: 'ranking', with: params });
const game = (params: Watched['with']): Partial<Watched> => ({ verb: 'streaming.getGameStreams', kind: 'ranking', with: params });

test('1,000 rules that each look up one user share the requests of 100 names', async () => {
  await using stage = await openStage();
  const { people } = stage.world;
  const names = Array.from({ length: 1_000 }, (_, index) => people[index]?.handle ?? `nobody_${index}`);
  const found = Math.min(people.length, 1_000);

  const { polls, requests } = await stage.poll(names.map((name) => user(name)));

  expect(requests).toEqual({ '/twitch/helix/users': 10, '/twitch/helix/streams': Math.ceil(found / 100) });
  expect(polls.slice(0, found).map(idsOf)).toEqual(people.slice(0, found).map(({ id }) => [id]));
  for (const poll of polls.slice(found)) expect(poll).toMatchObject({ fault: 'missing', failure: expect.stringContaining('"nobody_') });
});

test('names and ids of the same users share requests', async () => {
  await using stage = await openStage();
  const [ada, grace] = stage.world.people;
  if (!ada || !grace) throw new Error('the world is empty');

  const { polls, requests } = await stage.poll([user(ada.handle), user(ada.id), user(`@${ada.handle.toUpperCase()}`), user(grace.id)]);

  expect(requests).toEqual({ '/twitch/helix/users': 1, '/twitch/helix/streams': 1 });
  expect(polls.flatMap(idsOf)).toEqual([ada.id, ada.id, ada.id, grace.id]);
});

test('on Kick, users of known ids share the requests of 50 ids', async () => {
  await using stage = await openStage();
  const all = stage.world.people.slice(0, 400).map(({ handle }) => user(handle, 'kick'));
  const { polls: first } = await stage.poll(all);
  const known = all.filter((_, index) => idsOf(first[index]).length > 0);

  const { polls, requests } = await stage.poll(known);

  expect(known.length).toBeGreaterThan(50);
  expect(requests).toEqual({
    '/kick/public/v1/channels': Math.ceil(known.length / 50),
    '/kick/public/v1/users': Math.ceil(known.length / 50),
  });
  expect(polls.flatMap(idsOf)).toEqual(first.flatMap(idsOf));
});

test('spellings and the id of a game share a look-up and a list', async () => {
  await using stage = await openStage();
  const [{ id, name } = { id: '', name: '' }] = stage.world.games;

  const { polls, requests } = await stage.poll(
    [name, name.toLowerCase(), ` ${name.toUpperCase()} `, { id }].map((one) => game({ game: one })),
  );

  expect(requests['/twitch/helix/streams']).toBe(1);
  expect(requests['/twitch/helix/games']).toBe(1);
  expect(new Set(polls.map((poll) => JSON.stringify(idsOf(poll)))).size).toBe(1);
});

test('games of many rules share look-ups', async () => {
  await using stage = await openStage();
  const games = stage.world.games.slice(0, 20);

  const { requests } = await stage.poll(games.map(({ name }) => game({ game: name })));

  expect(requests).toEqual({ '/twitch/helix/games': 1, '/twitch/helix/streams': games.length });
});

test('rules for one, two and three pages of a list share its pages, and each rule gets its own pages', async () => {
  await using stage = await openStage();
  const alone = await stage.poll([top({ pages: 3 })]);

  const { polls, requests } = await stage.poll([top({}), top({ pages: 2 }), top({ pages: 3 })]);

  expect(requests).toEqual(alone.requests);
  const [one = [], two = [], three = []] = polls.map(idsOf);
  expect(one.length).toBe(Math.min(100, three.length));
  expect(two).toEqual(expect.arrayContaining([...one]));
  expect(three).toEqual(expect.arrayContaining([...two]));
});

test('scans of a list for tags share its pages', async () => {
  await using stage = await openStage();
  const alone = await stage.poll([top({ tags: ['no such tag'] })]);

  const { requests } = await stage.poll([top({}), ...['no such tag', 'English', 'Speedrun', 'chill'].map((tag) => top({ tags: [tag] }))]);

  expect(requests).toEqual(alone.requests);
});
