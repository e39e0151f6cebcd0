import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { twitch } from '#adapters/twitch/index.ts';
import { createClients } from '#src/clients/clients.ts';
import { pollPlatform } from '#src/engine/planner/poll-platform.ts';
import { PlatformError } from '#src/errors.ts';
import { silentLog } from '#src/log.ts';
import { createPlanner } from '#src/engine/planner/planner.ts';
import type { Query } from '#src/engine/planner/query.ts';
import type { Poll } from '#src/rules/poll.ts';
import type { Rule } from '#src/rules/rule.ts';
import { streamRow, userRow } from '../../adapters/twitch/script-twitch.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { fc, runs } from '../../support/property.ts';
import { makeRule, makeWatched } from '../../support/rules.ts';
import { readAll } from './read-all.ts';

const GAME = { id: '509658', name: 'Just Chatting', box_art_url: '', igdb_id: '' };
const PAGE = 3;

interface TwitchWorld {
  /** The tags of each stream, most watched first. */
  readonly streams: readonly (readonly string[])[];
  /** The first rows of pages that fail. */
  readonly broken: readonly number[];
  readonly users: readonly string[];
}

const worlds: fc.Arbitrary<TwitchWorld> = fc.record({
  streams: fc.array(fc.subarray(['chess', 'Speedrun']), { maxLength: 14 }),
  broken: fc.oneof(
    { weight: 3, arbitrary: fc.constant([]) },
    { weight: 1, arbitrary: fc.array(fc.constantFrom(0, 3, 6, 9), { maxLength: 2 }) },
  ),
  users: fc.subarray(['ada', 'grace', 'linus', 'bob', '42']),
});

/** Answers requests from a world, deterministically. */
function answerOf({ streams, broken, users }: TwitchWorld, { pathname, searchParams: query }: URL): object | number {
  const userOf = (login: string) => userRow(String(1000 + ['ada', 'grace', 'linus', 'bob', '42'].indexOf(login)), login);
  const all = users.map(userOf) as readonly { readonly id: string; readonly login: string }[]; // userRow makes such rows
  switch (pathname) {
    case '/oauth2/token':
      return { access_token: 't', expires_in: 5_000_000, token_type: 'bearer' };
    case '/oauth2/validate':
      return { client_id: 'c', scopes: [], expires_in: 5_000_000 };
    case '/helix/users': {
      // One bad name makes Twitch refuse the whole request.
      if (query.getAll('login').includes('bad')) return 400;
      return { data: all.filter(({ id, login }) => query.getAll('id').includes(id) || query.getAll('login').includes(login)) };
    }
    case '/helix/games':
      return { data: query.getAll('name').includes(GAME.name) || query.getAll('id').includes(GAME.id) ? [GAME] : [] };
    case '/helix/search/categories':
      return { data: [GAME] };
    default: {
      const after = Number(query.get('after') ?? 0);
      if (query.has('user_id')) return { data: [] };
      if (broken.includes(after)) return 400;
      const rows = streams
        .slice(after, after + PAGE)
        .map((tags, index) => streamRow(`s${after + index}`, { viewer_count: 1000 - after - index, tags }));
      return { data: rows, pagination: after + PAGE < streams.length ? { cursor: String(after + PAGE) } : {} };
    }
  }
}

const watches = fc.oneof(
  fc.record({
    verb: fc.constant('streaming.getTopStreams'),
    kind: fc.constant('ranking'),
    with: fc.record({ pages: fc.integer({ min: 1, max: 3 }) }),
  }),
  fc.record({
    verb: fc.constant('streaming.getTopStreams'),
    kind: fc.constant('ranking'),
    with: fc.record({ tags: fc.subarray(['CHESS', 'speedrun'], { minLength: 1 }) }),
  }),
  fc.record({
    verb: fc.constant('streaming.getGameStreams'),
    kind: fc.constant('ranking'),
    with: fc.record({
      game: fc.constantFrom('Just Chatting', 'just chatting', ' Just  Chatting', GAME.id, { id: GAME.id }, 'Unknown'),
      pages: fc.integer({ min: 1, max: 3 }),
    }),
  }),
  fc.record({
    verb: fc.constant('streaming.getUser'),
    kind: fc.constant('one'),
    with: fc.record({ user: fc.constantFrom('ada', 'ADA', '1000', 'grace', 'linus', 'bob', '42', 'ghost', 'bad', 'no name') }),
  }),
) as fc.Arbitrary<{ verb: string; kind: 'ranking' | 'one'; with: Query['params'] }>; // the records have these keys

test('with merged requests, each rule gets the poll that it gets alone', async () => {
  let world: TwitchWorld | undefined;
  const server = createServer((request, response) => {
    const answer = world ? answerOf(world, new URL(request.url ?? '/', 'http://twitch.test')) : 500;
    response.writeHead(typeof answer === 'number' ? answer : 200, { 'content-type': 'application/json' });
    response.end(JSON.stringify(typeof answer === 'number' ? { message: 'bad' } : answer));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo; // it listens on TCP
  const clock = new ManualClock();

  async function polls(rules: readonly Rule[]): Promise<Map<string, Poll>> {
    const url = `http://127.0.0.1:${port}`;
    await using platform = twitch({ clientId: 'c', clientSecret: 'secret', apiUrl: `${url}/helix`, authUrl: `${url}/oauth2`, clock });
    const clients = createClients({ streaming: [platform], social: [], discord: [] }, clock);
    const planner = createPlanner({ poll: (query, options) => pollPlatform(clients, query, options), clock, log: silentLog });
    return await readAll(
      planner,
      rules.map((rule) => ({ rule, slotMs: 0 })),
    );
  }

  try {
    await fc.assert(
      fc.asyncProperty(worlds, fc.array(watches, { minLength: 2, maxLength: 8 }), async (drawn, wanted) => {
        world = drawn;
        const rules = wanted.map((watched, index) => makeRule({ id: `r${index}`, watched: makeWatched(watched) }));

        const together = await polls(rules);

        for (const rule of rules) expect(together.get(rule.id)).toEqual((await polls([rule])).get(rule.id));
      }),
      { numRuns: runs(8, 200) },
    );
  } finally {
    server.close();
  }
});

/** A social network. A platform may reject a list with an unknown name, or leave the name out. */
interface Network {
  readonly names: readonly string[];
  readonly rejects: boolean;
  readonly isDown: boolean;
}

const PEOPLE = ['ada', 'grace', 'linus', '7', 'bob@far.test'];

function networkPoll(network: Network, asked: Query[]) {
  const { names, rejects } = network;
  const find = (name: string) => {
    const handle = name.replace('https://near.test/@', '').replace('@near.test', '');
    return names.includes(handle) ? { id: `id-${handle}`, handle } : undefined;
  };
  return async (query: Query) => {
    asked.push(query);
    if (network.isDown) throw new PlatformError('down', { platform: 'demo', fault: 'unavailable' });
    const { user } = query.params;
    const list = [user].flat().map(String);
    const found = list.flatMap((name) => find(name.toLowerCase()) ?? []);
    const missing = list.find((name) => !find(name.toLowerCase()));
    if (missing !== undefined && (rejects || !Array.isArray(user)))
      throw new PlatformError('somebody is not there', { platform: 'demo', fault: 'missing' });
    return { items: found, approximate: false, partialErrors: [] };
  };
}

test('with merged look-ups, each rule gets the poll that it gets alone, and refused names stay apart', async () => {
  const users = fc.constantFrom(...PEOPLE, 'Ada', 'ghost', 'nobody', 'https://near.test/@ada', 'grace@near.test');
  await fc.assert(
    fc.asyncProperty(
      fc.record({ names: fc.subarray(PEOPLE), rejects: fc.boolean(), isDown: fc.boolean() }),
      fc.array(fc.oneof(users, fc.uniqueArray(users, { minLength: 1, maxLength: 3 })), { minLength: 1, maxLength: 8 }),
      async (drawn, wanted) => {
        const network = { ...drawn };
        const rules = wanted.map((user, index) =>
          makeRule({ id: `r${index}`, watched: makeWatched({ verb: 'social.getUserInfo', kind: 'one', with: { user } }) }),
        );
        const asked: Query[] = [];
        const planner = createPlanner({ poll: networkPoll(network, asked), log: silentLog });
        const slots = rules.map((rule) => ({ rule, slotMs: 0 }));

        const polls = [await readAll(planner, slots), await readAll(planner, slots)];

        for (const rule of rules) {
          const alone = createPlanner({ poll: networkPoll(network, []), log: silentLog });
          const expected = (await readAll(alone, [{ rule, slotMs: 0 }])).get(rule.id);
          for (const merged of polls) expect(outcome(merged.get(rule.id))).toEqual(outcome(expected));
        }
        // From the second time on, no query is repeated in halves.
        const before = asked.length;
        await readAll(planner, slots);
        expect(asked.length - before).toBeLessThanOrEqual(1 + new Set(wanted.map((user) => JSON.stringify(user))).size);

        // While the platform is down, the other queries would fail as well, and halves of a merged one.
        network.isDown = true;
        const beforeOutage = asked.length;
        await readAll(planner, slots);
        expect(asked.length - beforeOutage).toBe(1);
      },
    ),
    { numRuns: runs(100, 2_000) },
  );
});

/** A poll without the order of its items and without the text of a failure. */
function outcome(poll: Poll | undefined): unknown {
  if (!poll || 'failure' in poll) return { fault: poll && 'fault' in poll ? poll.fault : undefined };
  return { ...poll, items: new Set(poll.items.map(({ id }) => id)), count: poll.items.length };
}
