import { expect, test } from 'vitest';
import { createHints, type Hint } from '#src/engine/hints.ts';
import { silentLog } from '#src/log.ts';
import type { Rule, Watched } from '#src/rules/rule.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { makeRule, makeWatched } from '../support/rules.ts';

const messages = (id: string, watched: Partial<Watched>, over: Partial<Rule> = {}): Rule =>
  makeRule({
    id,
    watched: makeWatched({ verb: 'discord.getMessages', accounts: ['discord'], with: { channel: id }, ...watched }),
    ...over,
  });

const RULES = [
  messages('live', {}),
  messages('other-account', { accounts: ['second'], with: { channel: 'live' } }),
  messages('two-accounts', { accounts: ['second', 'discord'], with: { channel: '<#7>' } }),
  messages('read-from-a-list', { withOf: () => ({ channel: 'unknown' }) }),
  messages('calendar', { with: { channel: 'live' } }, { schedule: { cron: '* * * * *', timezone: 'UTC' } }),
  messages('each-slot', { with: { channel: 'live' }, per: 'slot' }),
  makeRule({ id: 'other-operation' }),
  makeRule({ id: 'watches-nothing', watched: undefined }),
];

const inChannel = (values: readonly string[]): Hint => ({
  account: 'discord',
  verb: 'discord.getMessages',
  named: { parameter: 'channel', values },
});

function openHints(rules: () => readonly Rule[] = () => RULES) {
  const clock = new ManualClock('2026-11-20T18:00:00Z');
  const hurried: (readonly string[])[] = [];
  const counted: string[] = [];
  const hint = createHints({
    rules,
    scheduler: { hurry: async (some) => void hurried.push(some.map(({ rule, names }) => (names ? `${rule}: ${names.join(' ')}` : rule))) },
    onHint: (account) => void counted.push(account),
    clock,
    log: silentLog,
    signal: new AbortController().signal,
  });
  return { clock, hurried, hint, counted };
}

test.for([
  ['a channel by its name', inChannel(['7', 'live']), ['live', 'read-from-a-list']],
  ['a channel in another form', inChannel(['7', '<#7>']), ['two-accounts', 'read-from-a-list']],
  ['a channel that only lists can name', inChannel(['8']), ['read-from-a-list']],
  ['the whole server', { account: 'discord', verb: 'discord.getMessages' }, ['live', 'two-accounts', 'read-from-a-list']],
  ['an account that no rule reads', { account: 'third', verb: 'discord.getMessages' }, undefined],
  ['an operation that no rule reads', { account: 'discord', verb: 'discord.getMembers' }, undefined],
] as const)('a hint about %s reaches the rules that may read it', async ([, about, expected]) => {
  const { clock, hurried, hint } = openHints();
  hint(about);
  await clock.advance(200);
  expect(hurried).toEqual(expected ? [expected] : []);
});

test('a hint about streams names the users that a rule watches, and reaches no rule without them, unless only a list can name them', async () => {
  const streams = (id: string, users: readonly string[], watched: Partial<Watched> = {}): Rule =>
    makeRule({ id, watched: makeWatched({ with: { users: [...users] }, ...watched }) });
  const rules = [streams('all', ['ada', 'grace', 'linus']), streams('one', ['linus']), streams('first-two', ['ada', 'grace'], { take: 2 })];
  rules.push(streams('of-a-list', [], { with: {}, people: { list: 'team', platforms: { twitch: 'twitch' } } }));
  const { clock, hurried, hint } = openHints(() => rules);
  const about = (...values: string[]): Hint => ({
    account: 'twitch',
    verb: 'streaming.getStreams',
    named: { parameter: 'users', values, isRequired: true },
  });

  hint(about('1234', 'ada', '@ada'));
  hint(about('99', 'grace', '@grace'));
  await clock.advance(200);
  hint(about('5', 'nobody'));
  hint({ account: 'twitch', verb: 'streaming.getStreams' });
  await clock.advance(200);

  expect(hurried).toEqual([
    ['all: ada grace', 'first-two', 'of-a-list'],
    ['of-a-list', 'all', 'one', 'first-two'],
  ]);
});

test.for([
  ['names', {}],
  ['whole list', { take: 2 }],
] as const)('further hints do not read a long list again, if they bring the poll of the %s', ([, watched]) => {
  let reads = 0;
  const users = new Proxy(['ada', 'grace', 'linus'], {
    get(list, property, receiver) {
      if (typeof property === 'string' && /^\d+$/u.test(property)) reads++;
      return Reflect.get(list, property, receiver) as unknown; // a name or a method of the list
    },
  });
  const { hint } = openHints(() => [rule]);
  const rule = makeRule({ watched: makeWatched({ with: { users }, ...watched }) });
  const about: Hint = { account: 'twitch', verb: 'streaming.getStreams', named: { parameter: 'users', values: ['linus'] } };
  hint(about);
  expect(reads).toBeGreaterThan(0);

  reads = 0;
  hint(about);

  expect(reads).toBe(0);
});

test('many hints are handled together', async () => {
  const { clock, hurried, hint } = openHints();
  for (let count = 0; count < 10_000; count++) hint(inChannel([count % 2 === 0 ? 'live' : '<#7>']));
  await clock.advance(199);
  expect(hurried).toEqual([]);
  await clock.advance(1);
  expect(hurried).toEqual([['live', 'read-from-a-list', 'two-accounts']]);

  hint(inChannel(['live']));
  await clock.advance(200);
  expect(hurried).toHaveLength(2);
});

test('after a reload, hints reach the new rules', async () => {
  let rules = RULES.slice(0, 1);
  const { clock, hurried, hint } = openHints(() => rules);
  hint(inChannel(['news']));
  rules = [messages('news', {})];
  hint(inChannel(['news']));
  hint(inChannel(['live']));
  await clock.advance(200);
  expect(hurried).toEqual([['news']]);
});

test('a hint whose names are required reaches no query without names', async () => {
  const { clock, hurried, hint } = openHints(() => [messages('live', {}), messages('every-channel', { with: {} })]);
  hint({ ...inChannel(['live']), named: { parameter: 'channel', values: ['live'], isRequired: true } });
  await clock.advance(200);
  hint(inChannel(['live']));
  await clock.advance(200);
  expect(hurried).toEqual([['live'], ['live', 'every-channel']]);
});

test('hints name the accounts whose platforms notified', async () => {
  const clock = new ManualClock('2026-11-20T18:00:00Z');
  const hurried: (readonly string[] | undefined)[] = [];
  const hint = createHints({
    rules: () => [makeRule({ watched: makeWatched({ accounts: ['twitch', 'kick'], with: { users: ['ada'] } }) })],
    scheduler: { hurry: async (some) => void hurried.push(...some.map(({ accounts }) => accounts)) },
    clock,
    log: silentLog,
    signal: new AbortController().signal,
  });
  for (const account of ['kick', 'twitch', 'kick']) hint({ account, verb: 'streaming.getStreams' });
  await clock.advance(200);

  expect(hurried).toEqual([['kick', 'twitch']]);
});

test('each hint that some rule watches is counted', async () => {
  const { clock, hint, counted } = openHints();
  for (const about of [inChannel(['live']), inChannel(['other']), { ...inChannel(['live']), account: 'third' }]) hint(about);
  await clock.advance(200);
  expect(counted).toEqual(['discord', 'discord']);
});

test('after a failure, the hints and newer ones are handled together a second later', async () => {
  const clock = new ManualClock('2026-11-20T18:00:00Z');
  const given: (readonly string[])[] = [];
  const failures = [new Error('the database is down'), new Error('the database is down')];
  const warnings: string[] = [];
  const hint = createHints({
    rules: () => [messages('live', {}), messages('more', {})],
    scheduler: {
      async hurry(some) {
        given.push(some.map(({ rule }) => rule));
        // A statement that is lost fails late.
        await clock.sleep(150);
        const failure = failures.shift();
        if (failure) throw failure;
      },
    },
    clock,
    log: { ...silentLog, warn: (_fields, message) => void warnings.push(message) },
    signal: new AbortController().signal,
  });

  hint(inChannel(['live']));
  await clock.advance(250);
  hint(inChannel(['more']));
  await clock.advance(10_000);

  expect(given.slice(0, 2)).toEqual([['live'], ['more', 'live']]);
  expect(given.at(-1)).toEqual(['more', 'live']);
  expect(given).toHaveLength(3);
  expect(warnings).toHaveLength(1);
});
