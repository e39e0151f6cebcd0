import { describe, expect, test } from 'vitest';
import { advance } from '#src/rules/episodes/advance.ts';
import { sayAll } from './cases.ts';
import { cardRule, HOUR, MINUTE, START_MS, type RuleOptions } from './fixture.ts';
import { play } from './play.ts';

const goneAtOnce = { confirm: { new: 1, gone: 1 } };
const quietly: RuleOptions = { while: [], finally: [] };

function byId({ id }: { readonly id?: unknown }): string | undefined {
  return typeof id === 'string' ? id : undefined;
}

describe('a feed', () => {
  const feed: RuleOptions = { ...quietly, maxAgeMs: HOUR, watched: { kind: 'feed', key: byId, ...goneAtOnce } };

  sayAll([
    { promise: 'what was never seen is new', rule: feed, polls: ['0m ada/1', '1m ada/2 ada/1'], says: ['1m then entered ada-2'] },
    {
      promise: 'a missing item means nothing: its return is not new',
      rule: feed,
      polls: ['0m ada/1', '1m ada/2', '2m', '3m ada/1 ada/2'],
      says: ['1m then entered ada-2'],
    },
    {
      promise: 'what is older than maxAge by its own account is not new',
      rule: feed,
      polls: ['0m', '1m ada/1@-59m grace/1@-60m'],
      says: ['1m then entered ada-1'],
    },
    { promise: 'nor is it on any later day', rule: feed, polls: ['0m', '1m ada/1@-2h', '2m ada/1@-2h', '3h ada/1@-2h'], says: [] },
    {
      promise: 'what does not say when it was made is as old as its first sight',
      rule: feed,
      polls: ['0m', '9h ada/1'],
      says: ['9h then entered ada-1'],
    },
    {
      promise: 'an item that settles may be missing from a poll',
      rule: { ...feed, watched: { ...feed.watched, settleMs: 2 * MINUTE } },
      polls: ['0m', '1m ada/1', '2m', '3m ada/1'],
      says: ['3m then entered ada-1'],
    },
    {
      promise: 'another id of the same key is no new broadcast',
      rule: { ...feed, watched: { kind: 'feed' } },
      polls: ['0m', '1m ada/1', '2m ada/2'],
      says: ['1m then entered ada'],
    },
    { promise: 'keys are remembered for 90 days', rule: feed, polls: ['0m ada/1', '1m', '90d ada/1'], says: [] },
    { promise: 'and not for ever', rule: feed, polls: ['0m ada/1', '1m', '91d', '92d ada/1'], says: ['92d then entered ada-1'] },
  ]);

  test('says how old an item is that is not announced', () => {
    const { decisions } = play(cardRule(feed), ['0m', '10m ada/1@-2h']);

    expect(decisions.at(-1)).toBe('10m silent ada-1: ada is #1 with 100 viewers, not announced: it is 2h 10m old, more than maxAge (1h)');
  });

  test('the date that counts is createdAt, else publishedAt, else startedAt', () => {
    const old = { createdAt: '2026-11-20T10:00:00Z', publishedAt: '2026-11-20T17:59:00Z' };
    const fresh = { publishedAt: '2026-11-20T17:59:00Z', startedAt: '2026-11-20T10:00:00Z' };
    const rule = cardRule(feed);
    const { state } = play(rule, ['0m']);

    const fired = [old, fresh].map((dates) => {
      const poll = { complete: true, items: [{ id: 'clip', ...dates }] };
      return advance({ rule, state, poll, slotMs: START_MS + MINUTE }).firings.length;
    });

    expect(fired).toEqual([0, 1]);
  });

  test('keeps of an item of which there is no more to say little more than its key', () => {
    const { state } = play(cardRule(feed), ['0m', '1m ada/1', '2m grace/1']);

    expect([...state.episodes.values()].map(({ key, item, peak }) => [key, item, peak])).toEqual([
      ['ada-1', {}, {}],
      ['grace-1', {}, {}],
    ]);
  });
});

describe('lists that are longer than what was read', () => {
  for (const kind of ['set', 'live'] as const) {
    test(`a ${kind} of which pages were left unread says nothing of who is missing`, () => {
      const rule = cardRule({ ...quietly, watched: { kind, changes: [{ kind: 'left' }], ...goneAtOnce } });

      const { lines, decisions } = play(rule, ['0m ada grace', '1m ada +++', '2m ada']);

      expect(lines).toEqual(['2m then left grace']);
      expect(decisions).toContain(
        '1m quiet: nothing changed: 1 item read, 1 of them followed; pages were left unread, so the list says nothing of who is missing',
      );
    });
  }

  test('in a ranking who is below what was read has left', () => {
    const rule = cardRule({ ...quietly, watched: { kind: 'ranking', changes: [{ kind: 'left' }], ...goneAtOnce } });

    expect(play(rule, ['0m ada grace', '1m ada +++']).lines).toEqual(['1m then left grace']);
  });

  test('a set tells who is gone by the whole list', () => {
    const rule = cardRule({ ...quietly, watched: { kind: 'set', changes: [{ kind: 'left' }] } });

    expect(play(rule, ['0m ada grace', '1m ada', '2m ada']).lines).toEqual(['2m then left grace']);
  });
});

describe('a list of one', () => {
  test('tells what changes in it', () => {
    const rule = cardRule({ ...quietly, watched: { kind: 'one', changes: [{ kind: 'changed', fields: ['title'] }] } });

    expect(play(rule, ['0m ada:a', '1m ada:b', '2m ada:b']).lines).toEqual(['1m then changed ada']);
  });
});

describe('what is written', () => {
  const stored = (rule: RuleOptions, ...polls: readonly string[]): readonly number[] =>
    play(cardRule(rule), polls).advances.map(({ change }) => change?.put.length ?? 0);

  test('of a rule that looks only at who enters: an episode when it opens, and when its item is gone or another', () => {
    expect(stored(quietly, '0m', '1m ada grace', '2m ada grace', '3m ada', '4m ada grace', '5m ada/2 grace')).toEqual([0, 2, 0, 1, 1, 2]);
  });

  test('of a rule with `while` each poll that has it', () => {
    expect(stored({}, '0m', '1m ada', '2m ada')).toEqual([0, 1, 1]);
  });

  test('when such an item was seen last is known all the same, after polls that say nothing too', () => {
    const rule = cardRule({ ...quietly, watched: { graceMs: 10 * MINUTE } });

    const { lines, decisions } = play(rule, ['0m', '1m ada', '60m ada', '61m ...', '75m ada/2@71m', '76m', '86m']);

    expect(lines).toEqual(['1m then entered ada', '75m then entered ada']);
    expect(decisions).toContain('75m closed ada: ada has ended: seen for 59m, at last #1 with 100 viewers');
  });
});
