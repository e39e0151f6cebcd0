import { setImmediate } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { PlatformError, type Fault } from '#src/errors.ts';
import { createLog, silentLog } from '#src/log.ts';
import { createPlanner } from '#src/engine/planner/planner.ts';
import type { PollResult, Query } from '#src/engine/planner/query.ts';
import type { Poll } from '#src/rules/poll.ts';
import type { Rule } from '#src/rules/rule.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { makeRule, makeWatched } from '../../support/rules.ts';
import { readAll } from './read-all.ts';

const wanted = (rule: Rule) => ({ rule, slotMs: 0 });
const live = (handle: string) => ({ id: `s-${handle}`, owner: { id: `1${handle.length}`, handle } });
const answer = (over: Partial<PollResult> = {}): PollResult => ({ items: [], approximate: false, partialErrors: [], ...over });
const failing = (fault: Fault, message: string, retryAt?: Date) => new PlatformError(message, { platform: 'twitch', fault, retryAt });

describe('a rule with several accounts', () => {
  const rule = makeRule({ watched: makeWatched({ accounts: ['twitch', 'kick'] }) });

  test('polls each account, and each item has its account', async () => {
    const planner = createPlanner({
      poll: ({ account }) => Promise.resolve(answer({ items: [live(account === 'kick' ? 'ADA' : 'ada')], more: account === 'kick' })),
      log: silentLog,
    });

    const polls = await readAll(planner, [wanted(rule)]);

    expect(polls.get('live')).toMatchObject({
      items: [
        { id: 's-ada', account: 'twitch' },
        { id: 's-ADA', account: 'kick' },
      ],
      complete: true,
      more: true,
    });
  });

  test.for([
    ['streaming.getTopStreams', {}, ['s-most', 's-more', 's-less', 's-least']],
    ['streaming.getGameStreams', { sort: 'STARTED_AT' }, ['s-more', 's-least', 's-most', 's-less']],
    ['streaming.getStreams', {}, ['s-more', 's-least', 's-most', 's-less']],
  ] as const)('ranks the streams of all accounts together in a list that is ranked by viewers: %s with %j', async ([verb, params, ids]) => {
    const viewers: Readonly<Record<string, readonly (readonly [string, number])[]>> = {
      twitch: [
        ['more', 300],
        ['least', 100],
      ],
      kick: [
        ['most', 400],
        ['less', 200],
      ],
    };
    const planner = createPlanner({
      poll: ({ account }) =>
        Promise.resolve(answer({ items: (viewers[account] ?? []).map(([name, viewerCount]) => ({ ...live(name), viewerCount })) })),
      log: silentLog,
    });

    const ranked = makeRule({ watched: makeWatched({ verb, with: params, accounts: ['twitch', 'kick'] }) });
    const polls = await readAll(planner, [wanted(ranked)]);

    expect(polls.get('live')).toMatchObject({ items: ids.map((id) => ({ id })) });
  });

  test('fails if one account fails, and names the account', async () => {
    const poll = ({ account }: Query) =>
      account === 'kick' ? Promise.reject(failing('unavailable', 'it answered 503')) : Promise.resolve(answer({ items: [live('ada')] }));
    const planner = createPlanner({ poll, log: silentLog });

    const polls = await readAll(planner, [wanted(rule)]);

    expect(polls.get('live')).toEqual({ failure: 'kick: unavailable: it answered 503', fault: 'unavailable' });
  });

  test('says when the platform takes requests again', async () => {
    const retryAt = new Date('2026-11-20T18:01:00Z');
    const planner = createPlanner({ poll: () => Promise.reject(failing('rateLimited', 'too many requests', retryAt)), log: silentLog });

    expect((await readAll(planner, [wanted(rule)])).get('live')).toMatchObject({ fault: 'rateLimited', retryAtMs: retryAt.getTime() });
  });

  test('is incomplete if one of the results is', async () => {
    const poll = ({ account }: Query) => Promise.resolve(answer({ approximate: account === 'kick' }));
    const planner = createPlanner({ poll, log: silentLog });

    expect((await readAll(planner, [wanted(rule)])).get('live')).toMatchObject({ complete: false });
  });
});

describe('a rule that watches one record', () => {
  const one = (id: string, user: string) =>
    wanted(makeRule({ id, watched: makeWatched({ verb: 'social.getUserInfo', kind: 'one', accounts: ['sandbox'], with: { user } }) }));

  test('gets a list of one; a missing record is a failure', async () => {
    const asked: unknown[] = [];
    const poll = ({ params }: Query) => {
      asked.push(params['user']);
      return Promise.resolve(answer({ items: [{ id: '7', handle: 'ada' }] }));
    };
    const planner = createPlanner({ poll, log: silentLog });

    const polls = await readAll(planner, [one('a', 'Ada'), one('b', 'grace'), one('c', '7')]);

    expect(asked).toEqual([['Ada', 'grace', '7']]);
    expect(polls.get('a')).toMatchObject({ items: [{ handle: 'ada' }] });
    expect(polls.get('b')).toEqual({ failure: 'missing: grace does not exist', fault: 'missing' });
    expect(polls.get('c')).toMatchObject({ items: [{ handle: 'ada' }] });
  });
});

describe('an account whose credentials are refused', () => {
  const SECOND_MS = 1_000;

  function stage(isRefused: () => boolean) {
    const clock = new ManualClock('2026-11-20T18:00:00Z');
    const asked: string[] = [];
    const lines: string[] = [];
    const log = createLog({ level: 'info', secrets: [], write: (line) => void lines.push(line.slice(21).trim()), color: false });
    const poll = async ({ account, params }: Query): Promise<PollResult> => {
      asked.push(`${account} ${JSON.stringify(params['game']).slice(1, -1)} ${new Date(clock.nowMs()).toISOString().slice(11, 19)}`);
      // Simultaneous polls start before the first result.
      await setImmediate();
      if (account === 'twitch' && isRefused()) throw failing('unauthorized', 'Twitch does not accept the secret');
      return answer();
    };
    const planner = createPlanner({ poll, clock, log });
    const game = (id: string, account: string) =>
      wanted(
        makeRule({
          id,
          watched: makeWatched({ verb: 'streaming.getGameStreams', kind: 'ranking', accounts: [account], with: { game: id } }),
        }),
      );
    const rules = [game('chess', 'twitch'), game('go', 'twitch'), game('poker', 'kick')];
    const readEach = async (): Promise<Poll[]> => {
      const polls = await readAll(planner, rules);
      return rules.flatMap(({ rule }) => polls.get(rule.id) ?? []);
    };
    return { clock, asked, lines, readEach };
  }

  test('is probed by one query after pauses of one to fifteen minutes', async () => {
    const { clock, asked, readEach } = stage(() => true);

    for (let second = 0; second < 3_600; second += 10) {
      await readEach();
      await clock.advance(10 * SECOND_MS);
    }

    expect(asked.filter((one) => one.startsWith('twitch'))).toEqual([
      'twitch chess 18:00:00',
      'twitch go 18:00:00',
      'twitch chess 18:01:00',
      'twitch chess 18:03:00',
      'twitch chess 18:07:00',
      'twitch chess 18:15:00',
      'twitch chess 18:30:00',
      'twitch chess 18:45:00',
    ]);
    expect(asked.filter((one) => one.startsWith('kick'))).toHaveLength(360);
  });

  test('is probed after longer pauses if its quota is used up', async () => {
    const clock = new ManualClock('2026-11-20T18:00:00Z');
    const asked: number[] = [];
    const poll = (): Promise<PollResult> => {
      asked.push((clock.nowMs() - Date.parse('2026-11-20T18:00:00Z')) / 60_000);
      return Promise.reject(failing('quotaExhausted', 'the credits are used up'));
    };
    const planner = createPlanner({ poll, clock, log: silentLog });
    const rule = wanted(makeRule({ watched: makeWatched({}) }));
    const failures = new Set<string | undefined>();

    for (let minute = 0; minute < 240; minute++) {
      const read = (await readAll(planner, [rule])).get('live');
      failures.add(read && 'fault' in read ? read.fault : undefined);
      await clock.advance(60 * SECOND_MS);
    }

    expect(asked).toEqual([0, 15, 45, 105, 165, 225]);
    expect([...failures]).toEqual(['quotaExhausted']);
  });

  test('fails its rules with the reason while it is paused, and other accounts continue', async () => {
    const { clock, readEach } = stage(() => true);
    await readEach();
    await clock.advance(20 * SECOND_MS);

    const [chess, go, poker] = await readEach();

    expect(chess).toEqual({ failure: 'paused: Twitch does not accept the secret (asked again in 40s)', fault: 'unauthorized' });
    expect(go).toEqual(chess);
    expect(poker).toMatchObject({ items: [] });
  });

  test('is probed after the whole pause if the clock is set back', async () => {
    const { clock, asked, readEach } = stage(() => true);
    await readEach();
    clock.set('2026-11-20T17:00:00Z');

    const [paused] = await readEach();
    await clock.advance(59 * SECOND_MS);
    await readEach();
    await clock.advance(SECOND_MS);
    await readEach();

    expect(paused).toMatchObject({ failure: expect.stringContaining('(asked again in 60s)') });
    expect(asked.filter((one) => one.startsWith('twitch'))).toEqual([
      'twitch chess 18:00:00',
      'twitch go 18:00:00',
      'twitch chess 17:01:00',
    ]);
  });

  test('is logged once, and once when it works again', async () => {
    let isRefused = true;
    const { clock, asked, lines, readEach } = stage(() => isRefused);

    for (let minute = 0; minute < 20; minute++) {
      if (minute === 10) isRefused = false;
      await readEach();
      await clock.advance(60 * SECOND_MS);
    }

    expect(lines).toEqual([
      'warn  the platform rejects the credentials of an account: its polls are paused until it has new ones account=twitch why="Twitch does not accept the secret"',
      'info  an account can be polled again account=twitch',
    ]);
    expect(asked.filter((one) => one.endsWith('18:15:00') && one.startsWith('twitch'))).toHaveLength(2);
  });
});

test('a new sign-in ends the pause of an account at once', async () => {
  const clock = new ManualClock();
  let credentials = 'old';
  let asked = 0;
  const poll = () => {
    asked += 1;
    return credentials === 'old' ? Promise.reject(failing('unauthorized', 'refused')) : Promise.resolve(answer());
  };
  const planner = createPlanner({ poll, credentialsOf: async () => credentials, clock, log: silentLog });
  const rule = makeRule({ watched: makeWatched({ accounts: ['twitch'] }) });

  await readAll(planner, [wanted(rule)]);
  await readAll(planner, [wanted(rule)]);
  credentials = 'new';
  const polls = await readAll(planner, [wanted(rule)]);

  expect(asked).toBe(2);
  expect(polls.get('live')).toMatchObject({ complete: true });
});
