import { describe, expect, test } from 'vitest';
import type { Rule } from '#src/rules/rule.ts';
import { aStep, cardRule, DAY, MINUTE, rankingRule, START_MS } from './fixture.ts';
import { runPolls } from './run-polls.ts';

const goneAtOnce = { confirm: { new: 1, gone: 1 } };
const quiet = { fromMinute: 18 * 60 + 10, toMinute: 18 * 60 + 30, timezone: 'UTC', then: [aStep()] } as const;

describe('found by random worlds', () => {
  test('a change that is announced at the end of quiet hours does not replace a deferred one', () => {
    const rule = cardRule({ while: [], finally: [], quiet, watched: { changes: [{ kind: 'changed', fields: ['title'] }] } });

    expect(runPolls(rule, ['0m ada:a', '11m ada:b', '30m ada:c']).lines).toEqual(['30m then changed ada', '30m quiet changed ada']);
  });

  test('the age of a feed key counts from its last sight, not from the last poll', () => {
    const rule = cardRule({ while: [], finally: [], watched: { kind: 'feed' } });

    const { state } = runPolls(rule, ['0m ada', '1m grace', '40d grace', '80d grace', '91d grace']);

    expect([...state.episodes.values()].map(({ key }) => key)).toEqual(['grace']);
    expect(state.memory.lastPollMs).toBeGreaterThan(90 * DAY);
  });

  test('a reopened episode did not move', () => {
    const rule = cardRule({ while: [], finally: [], watched: { changes: [{ kind: 'moved' }] } });

    expect(runPolls(rule, ['0m grace ada', '1m grace ada/2', '2m ada grace']).lines).toEqual(['2m then moved grace']);
  });

  test('an episode with a deferred departure that returns is open at the end', () => {
    const held = { ...quiet, then: 'hold' } as const;
    const rule = cardRule({ while: [], finally: [], quiet: held, watched: { ...goneAtOnce, changes: [{ kind: 'left' }] } });

    const { lines, state } = runPolls(rule, ['0m ada', '11m', '30m ada']);

    expect(lines).toEqual([]);
    expect([...state.episodes.values()].map(({ phase, deferred }) => [phase, deferred])).toEqual([['open', undefined]]);
  });
  test('a fuse that blows in the poll that ends the quiet hours suppresses their steps too', () => {
    const fuse = { firings: 1, perMs: MINUTE };
    const rule = cardRule({ while: [], finally: [], fuse, quiet, watched: { changes: [{ kind: 'changed', fields: ['title'] }] } });

    const { lines, state } = runPolls(rule, ['0m ada:a grace:a', '11m ada:b grace:b', '30m ada:c grace:c']);

    expect(lines).toEqual(['30m then changed ada']);
    expect(state.memory.blownMs).toBe(START_MS + 30 * MINUTE);
    expect([...state.episodes.values()].map(({ deferredChanges }) => deferredChanges)).toEqual([undefined, undefined]);
  });

  test('deferred departures are announced in the order of their close and rank, not of their entry', () => {
    const held = { ...quiet, then: 'hold' } as const;
    const rule = cardRule({ while: [], finally: [], quiet: held, watched: { ...goneAtOnce, changes: [{ kind: 'left' }] } });

    const { lines } = runPolls(rule, ['0m mary grace ada', '9m ada grace mary', '11m mary', '12m', '30m']);

    expect(lines).toEqual(['30m then left ada', '30m then left grace', '30m then left mary']);
  });
});

describe('found while the model was written', () => {
  test('a closed episode with deferred changes is stored until the quiet hours end', () => {
    const rule = rankingRule({ while: [], finally: [], quiet, watched: { ...goneAtOnce, changes: [{ kind: 'left' }] } });

    expect(runPolls(rule, ['0m ada', '11m', '12m ada', '30m ada']).lines).toEqual(['30m quiet left ada over']);
  });

  test('the poll that announces a deferred entry has no `while`', () => {
    const rule = cardRule({ quiet: { ...quiet, then: 'hold' } });

    expect(runPolls(rule, ['0m', '11m ada', '30m ada']).lines).toEqual(['30m then entered ada']);
  });

  test('steps of `quiet` that an edit removes leave no deferred changes', () => {
    const loud = (rule: Rule): Rule => ({ ...rule, quiet: undefined });

    const { state } = runPolls(rankingRule({ quiet, watched: { ...goneAtOnce, graceMs: MINUTE } }), [
      '0m',
      '11m ada',
      '12m',
      '13m',
      loud,
      '14m',
      '15m',
    ]);

    expect(state.episodes.size).toBe(0);
  });
});
