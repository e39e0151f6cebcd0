import { setImmediate } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { PlatformError } from '#src/errors.ts';
import { createLog, silentLog } from '#src/log.ts';
import { costOf } from '#src/engine/planner/cost.ts';
import { mergeQueries } from '#src/engine/planner/merge-queries.ts';
import { createPlanner } from '#src/engine/planner/planner.ts';
import type { PollResult, Need, Query } from '#src/engine/planner/query.ts';
import type { RecordedPolls } from '#src/engine/planner/recorded-polls.ts';
import type { Rule } from '#src/rules/rule.ts';
import { makeRule, makeWatched } from '../../support/rules.ts';
import { readAll } from './read-all.ts';

const streams = (rule: string, users: readonly string[], account = 'twitch'): Need => ({
  rule,
  verb: 'streaming.getStreams',
  account,
  params: { users },
});
const game = (rule: string, name: string): Need => ({ rule, verb: 'streaming.getGameStreams', account: 'twitch', params: { game: name } });
const live = (handle: string) => ({
  id: `s-${handle}`,
  owner: { id: `1${handle.length}`, handle },
  startedAt: new Date('2026-11-20T18:00:00Z'),
});
const wanted = (rule: Rule) => ({ rule, slotMs: Date.parse('2026-11-20T18:00:00Z') });
const answer = (over: Partial<PollResult>): PollResult => ({ items: [], approximate: false, partialErrors: [], ...over });

describe('mergeQueries', () => {
  test('sends equal queries once, with any order of their keys', () => {
    const top: Need = { rule: 'c', verb: 'streaming.getGameStreams', account: 'twitch', params: { tags: ['a'], game: 'Chess' } };
    const same: Need = { ...top, rule: 'd', params: { game: 'Chess', tags: ['a'] } };

    const polls = mergeQueries([game('a', 'Chess'), game('b', 'Chess'), top, same]);

    expect(polls.map(({ params, needs }) => [params, needs.map(({ rule }) => rule)])).toEqual([
      [{ game: 'Chess' }, ['a', 'b']],
      [{ tags: ['a'], game: 'Chess' }, ['c', 'd']],
    ]);
  });

  test('unites the channels of all rules, each once, in any letter case', () => {
    const [poll, ...others] = mergeQueries([streams('a', ['ada', 'Grace']), streams('b', ['grace', 'linus'])]);

    expect(others).toEqual([]);
    expect(poll?.params).toEqual({ users: ['ada', 'Grace', 'linus'] });
  });

  test('unites users of a social platform, for rules with one or several users', () => {
    const info = (rule: string, user: string | string[]): Need => ({
      rule,
      verb: 'social.getUserInfo',
      account: 'sandbox',
      params: { user },
    });

    const [poll, ...others] = mergeQueries([info('a', 'ada'), info('b', ['Ada', 'grace'])]);
    const [alone] = mergeQueries([info('a', 'ada')]);

    expect(others).toEqual([]);
    expect(poll?.params).toEqual({ user: ['Ada', 'grace'] });
    expect(alone?.params).toEqual({ user: 'ada' });
  });

  test('keeps accounts apart', () => {
    expect(mergeQueries([streams('a', ['ada']), streams('b', ['ada'], 'twitch_two')])).toHaveLength(2);
  });
});

describe('the planner', () => {
  const watching = (id: string, users: readonly string[]) => wanted(makeRule({ id, watched: makeWatched({ with: { users } }) }));

  test('returns to each rule exactly the items of its query', async () => {
    const asked: Query[] = [];
    const poll = async (query: Query) => {
      asked.push(query);
      return answer({ items: [live('ada'), live('linus')] });
    };
    const planner = createPlanner({ poll, log: silentLog });

    const polls = await readAll(planner, [watching('a', ['ADA', 'grace']), watching('b', ['linus', 'grace'])]);

    expect(polls.get('a')).toMatchObject({ items: [{ id: 's-ada', startedAt: '2026-11-20T18:00:00.000Z' }], complete: true });
    expect(polls.get('b')).toMatchObject({ items: [{ id: 's-linus' }], complete: true });
    expect(asked).toHaveLength(1);
  });

  test('asks for the hinted names of a rule, merged with the names of others, and estimates the requests that this saves', async () => {
    const asked: Query[] = [];
    const saved: (readonly [string, number])[] = [];
    const recorded: unknown[] = [];
    const poll = async (query: Query) => {
      asked.push(query);
      return answer({ items: [live('ada'), live('linus')] });
    };
    const recordedPolls: RecordedPolls = {
      record: async (_, result) => recorded.push(result) > 0,
      read: () => expect.fail('nothing is read'),
    };
    const planner = createPlanner({ poll, recorded: recordedPolls, onSaved: (...one) => void saved.push(one), log: silentLog });
    const many = Array.from({ length: 950 }, (_, index) => `user-${index}`);
    const hinted = { ...watching('a', ['ada', 'grace', ...many]), asked: { twitch: ['ada'] } };

    await readAll(planner, [hinted]);
    expect(recorded).toEqual([]);
    const together = await readAll(planner, [hinted, watching('b', ['linus'])]);

    expect(asked.map(({ params }) => params)).toEqual([{ users: ['ada'] }, { users: ['ada', 'linus'] }]);
    expect(together.get('a')).toMatchObject({ items: [{ id: 's-ada' }], complete: true });
    expect(saved).toEqual([
      ['twitch', 9],
      ['twitch', 9],
    ]);
    expect(recorded).toHaveLength(1);
  });

  test('an unreadable row without a channel makes the polls incomplete', async () => {
    const poll = async () => answer({ items: [live('ada')], partialErrors: [{ message: 'malformed', values: [] }] });
    const planner = createPlanner({ poll, log: silentLog });

    const polls = await readAll(planner, [watching('a', ['ada', 'grace'])]);

    expect(polls.get('a')).toMatchObject({ items: [{ id: 's-ada' }], complete: false });
  });

  test('a failed batch fails only the rules with ids in it', async () => {
    const poll = async () => answer({ items: [live('ada')], partialErrors: [{ message: 'unavailable', values: ['grace', 'linus'] }] });
    const planner = createPlanner({ poll, log: silentLog });

    const polls = await readAll(planner, [watching('a', ['ada']), watching('b', ['ada', 'linus'])]);

    expect(polls.get('a')).toMatchObject({ complete: true });
    expect(polls.get('b')).toEqual({ failure: 'unavailable' });
  });

  test('a list that a budget shortened is incomplete', async () => {
    const planner = createPlanner({ poll: async () => answer({ items: [live('ada')], approximate: true }), log: silentLog });

    const polls = await readAll(planner, [watching('a', ['ada'])]);

    expect(polls.get('a')).toMatchObject({ items: [{ id: 's-ada' }], complete: false });
  });

  test('a failed poll fails all rules that share it, with its reason', async () => {
    const failure = new PlatformError('Twitch answered 503', { platform: 'twitch', fault: 'unavailable', status: 503 });
    const planner = createPlanner({ poll: () => Promise.reject(failure), log: silentLog });

    const polls = await readAll(planner, [watching('a', ['ada']), watching('b', ['grace'])]);

    expect(polls.get('a')).toEqual({ failure: 'unavailable: Twitch answered 503', fault: 'unavailable' });
    expect(polls.get('b')).toEqual({ failure: 'unavailable: Twitch answered 503', fault: 'unavailable' });
  });

  test('a repeated failure is logged once, and once when it ends', async () => {
    const lines: string[] = [];
    const log = createLog({ level: 'info', secrets: [], write: (line) => void lines.push(line.slice(21).trim()), color: false });
    let outcome: PollResult | PlatformError = new PlatformError('Twitch answered 503', { platform: 'twitch', fault: 'unavailable' });
    const poll = () => (outcome instanceof Error ? Promise.reject(outcome) : Promise.resolve(outcome));
    const planner = createPlanner({ poll, log });
    const readBoth = () => readAll(planner, [watching('a', ['ada']), watching('b', ['grace'])]);

    await readBoth();
    await readBoth();
    outcome = answer({ partialErrors: [{ message: 'malformed', values: ['grace'] }] });
    await readBoth();
    await readBoth();
    outcome = answer({});
    await readBoth();

    expect(lines).toEqual([
      'warn  a poll failed verb=streaming.getStreams account=twitch rules=["a","b"] why="unavailable: Twitch answered 503"',
      'info  a poll works again verb=streaming.getStreams account=twitch rules=["a","b"]',
      'warn  a poll failed verb=streaming.getStreams account=twitch rule=b why=malformed',
      'info  a poll works again verb=streaming.getStreams account=twitch rule=b',
    ]);
  });

  test('an aborted poll is not logged', async () => {
    const lines: string[] = [];
    const log = createLog({ level: 'info', secrets: [], write: (line) => void lines.push(line), color: false });
    const stopping = new AbortController();
    const poll = (_query: unknown, { signal }: { readonly signal?: AbortSignal | undefined }) =>
      new Promise<never>((_resolve, reject) => signal?.addEventListener('abort', () => reject(signal.reason)));
    const planner = createPlanner({ poll, log });

    const reading = readAll(planner, [watching('a', ['ada'])], stopping.signal);
    await setImmediate();
    stopping.abort();

    expect((await reading).get('a')).toMatchObject({ failure: expect.stringContaining('aborted') });
    expect(lines).toEqual([]);
  });
});

describe('with very many polls', () => {
  const games = (count: number, account: string) =>
    Array.from({ length: count }, (_, index) =>
      wanted(
        makeRule({
          id: `${account} ${index}`,
          watched: makeWatched({ verb: 'streaming.getGameStreams', kind: 'ranking', accounts: [account], with: { game: `${index}` } }),
        }),
      ),
    );

  /** A platform that answers all accounts at once, except one account that the test answers. */
  function stage() {
    const held: (() => void)[] = [];
    let asked = 0;
    const poll = async ({ account }: Query, { signal }: { readonly signal?: AbortSignal | undefined }) => {
      asked++;
      if (account === 'slow')
        await new Promise<void>((resolve, reject) => {
          held.push(resolve);
          signal?.addEventListener('abort', () => reject(signal.reason));
        });
      return answer({});
    };
    return { planner: createPlanner({ poll, log: silentLog }), held, asked: () => asked };
  }

  test('a limited number runs at a time, and the next one starts when one ends', async () => {
    const { planner, held, asked } = stage();
    let most = 0;

    const reading = readAll(planner, games(200, 'slow'));
    for (let polls = 0; polls < 200; polls++) {
      await setImmediate();
      most = Math.max(most, asked() - polls);
      held[polls]?.();
    }

    expect((await reading).size).toBe(200);
    expect(most).toBe(32);
  });

  test('a slow account does not delay other accounts', async () => {
    const { planner, asked } = stage();

    void readAll(planner, games(200, 'slow'));
    const polls = await readAll(planner, games(200, 'fast'));

    expect(polls.size).toBe(200);
    expect(asked()).toBe(232);
  });

  test('a later call does not wait for all earlier polls', async () => {
    const { planner, held } = stage();
    const reported: string[] = [];
    const late = wanted(makeRule({ id: 'late', watched: makeWatched({ accounts: ['slow'], with: { users: ['ada'] } }) }));

    void planner.read(games(200, 'slow'), async (rule) => void reported.push(rule));
    await setImmediate();
    const reading = planner.read([late], async (rule) => void reported.push(rule));
    for (let polls = 0; !reported.includes('late'); polls++) {
      await setImmediate();
      held[polls]?.();
    }
    await reading;

    expect(reported.length).toBeLessThan(40);
  });

  test('the planner does not poll ahead of its reader', async () => {
    const { planner, asked } = stage();

    void planner.read(games(200, 'fast'), () => new Promise(() => undefined));
    for (let tick = 0; tick < 10; tick++) await setImmediate();

    expect(asked()).toBe(32);
  });

  test('polls that have not begun are dropped after an abort', async () => {
    const { planner, asked } = stage();
    const stopping = new AbortController();

    const reading = readAll(planner, games(200, 'slow'), stopping.signal);
    await setImmediate();
    stopping.abort();

    expect((await reading).size).toBe(32);
    expect(asked()).toBe(32);
  });
});

describe('the cost of a rule', () => {
  test('counts the units of an operation, and the channels that a unit covers', () => {
    const youtube = { all: [], defaults: [], namesPerRequest: { twitch: 15 }, unitsPerRequest: { twitch: { search: 102 } } };
    const accounts = { streaming: youtube };
    const search = makeRule({ id: 'search', watched: makeWatched({ verb: 'streaming.search', with: { keyword: 'a', pages: 2 } }) });
    const many = makeRule({ id: 'many', watched: makeWatched({ with: { users: Array.from({ length: 31 }, (_, n) => `user${n}`) } }) });

    expect(costOf(search, { all: [search], runsPerMinute: 0.5, accounts }).requestsPerMinute).toBe(102);
    expect(costOf(many, { all: [many], runsPerMinute: 1, accounts }).requestsPerMinute).toBe(3);
  });

  test('counts a request for every hundred channels, and names the rules that share the polls', () => {
    const many = makeRule({ id: 'many', watched: makeWatched({ with: { users: Array.from({ length: 250 }, (_, n) => `user${n}`) } }) });
    const one = makeRule({ id: 'one' });

    expect(costOf(many, { all: [many, one], runsPerMinute: 6 })).toEqual({ requestsPerMinute: 18, sharedWith: ['one'] });
  });

  test('names the rules that request other pages, tags or spellings of the same list', () => {
    const ranking = (id: string, params: Need['params']) =>
      makeRule({ id, watched: makeWatched({ verb: 'streaming.getGameStreams', kind: 'ranking', with: params }) });
    const rules = [
      ranking('a', { game: 'Just Chatting' }),
      ranking('b', { game: ' just  chatting', pages: 3 }),
      ranking('c', { game: 'Chess' }),
    ];
    const tagged = ranking('d', { game: 'Just Chatting', tags: ['English'] });
    const [one] = rules;
    if (!one) throw new Error('there is a first rule');

    expect(costOf(one, { all: [...rules, tagged], runsPerMinute: 2 })).toEqual({ requestsPerMinute: 2, sharedWith: ['b', 'd'] });
  });

  test('names the rules that look up other users', () => {
    const lookup = (id: string, user: string) =>
      makeRule({ id, watched: makeWatched({ verb: 'streaming.getUser', kind: 'one', with: { user } }) });
    const one = lookup('a', 'ada');

    expect(costOf(one, { all: [one, lookup('b', 'grace')], runsPerMinute: 1 })).toEqual({ requestsPerMinute: 1, sharedWith: ['b'] });
  });

  test('counts each account', () => {
    const both = makeRule({ id: 'both', watched: makeWatched({ accounts: ['twitch', 'kick'] }) });
    const one = makeRule({ id: 'one', watched: makeWatched({ accounts: ['kick'] }) });

    expect(costOf(both, { all: [both, one], runsPerMinute: 6 })).toEqual({ requestsPerMinute: 12, sharedWith: ['one'] });
  });
});
