import { describe, expect, test } from 'vitest';
import { goneAtOnce, grace5m, testCases, settle2m, thenAndFinally } from './cases.ts';
import { cardRule, MINUTE, rankingRule } from './fixture.ts';
import { runPolls } from './run-polls.ts';

describe('a channel and its broadcasts', () => {
  testCases([
    {
      promise: 'with `grace`, a new stream id without a gap continues the episode',
      rule: grace5m,
      polls: ['0m', '1m ada', '2m ada/2'],
      fires: ['1m then entered ada', '2m while ada'],
    },
    {
      promise: 'with `grace: 0s`, a new stream id without a gap closes the episode and opens the next one in the same poll',
      polls: ['0m', '1m ada', '2m ada/2', '3m ada/2'],
      fires: ['1m then entered ada', '2m finally left ada', '2m then entered ada', '3m while ada'],
    },
    {
      promise: 'a new stream id within grace continues the episode',
      rule: { while: [], ...grace5m },
      polls: ['0m', '1m ada', '2m', '6m ada/2'],
      fires: ['1m then entered ada'],
    },
    {
      promise: 'a new stream id after grace is a new episode',
      rule: { while: [], ...grace5m },
      polls: ['0m', '1m ada', '2m', '7m ada/2'],
      fires: ['1m then entered ada', '7m finally left ada', '7m then entered ada'],
    },
    {
      promise: 'a new stream id after the close is a new episode, with its own settle',
      rule: { while: [], watched: { settleMs: MINUTE, confirm: { new: 1, gone: 1 } } },
      polls: ['0m', '1m ada', '2m ada', '3m', '4m ada/2', '5m ada/2'],
      fires: ['2m then entered ada', '3m finally left ada', '5m then entered ada'],
    },
    {
      promise: 'with `grace: 0s`, a new stream id of a pending episode restarts `settle`',
      rule: { while: [], ...settle2m },
      polls: ['0m', '1m ada', '2m ada/2', '3m ada/2', '4m ada/2'],
      fires: ['4m then entered ada'],
    },
    {
      promise: 'after a night without polls, a new stream id that began after `grace` is a new episode',
      rule: { while: [], watched: { graceMs: 15 * MINUTE } },
      polls: ['0m', '1m ada', '10h ada/2@9h'],
      fires: ['1m then entered ada', '10h finally left ada', '10h then entered ada'],
    },
    {
      promise: 'with `grace: 0s`, a new stream id is a new episode whenever it began',
      rule: { while: [] },
      polls: ['0m', '1m ada', '9m ada/2@-5m'],
      fires: ['1m then entered ada', '9m finally left ada', '9m then entered ada'],
    },
    {
      promise: 'after a gap without polls, a new stream id that began within `grace` continues the episode',
      rule: { while: [], watched: { graceMs: 15 * MINUTE } },
      polls: ['0m', '1m ada', '2m !', '20m ada/2@10m'],
      fires: ['1m then entered ada'],
    },
    {
      promise: 'after incomplete lists without the channel, a new stream id that began after `grace` is a new episode',
      rule: { while: [], ...grace5m },
      polls: ['0m', '1m ada', '2m ...', '4m ...', '6m ...', '8m ada/2@7m'],
      fires: ['1m then entered ada', '8m finally left ada', '8m then entered ada'],
    },
    {
      promise: 'after incomplete lists without the channel, a new stream id that began within `grace` continues the episode',
      rule: { while: [], ...grace5m },
      polls: ['0m', '1m ada', '2m ...', '4m ...', '6m ...', '8m ada/2@5m'],
      fires: ['1m then entered ada'],
    },
    {
      promise: 'after a gap that began while the channel was missing, a new stream id that began within `grace` continues the episode',
      rule: { while: [], watched: { graceMs: 15 * MINUTE } },
      polls: ['0m', '1m ada', '2m', '3m !', '20m ada/2@10m'],
      fires: ['1m then entered ada'],
    },
    {
      promise: 'after a gap that began while the channel was missing, a new stream id that began after `grace` is a new episode',
      rule: { while: [], watched: { graceMs: 15 * MINUTE } },
      polls: ['0m', '1m ada', '2m', '3m !', '20m ada/2@18m'],
      fires: ['1m then entered ada', '20m finally left ada', '20m then entered ada'],
    },
  ]);
});

describe('reopening', () => {
  testCases([
    {
      promise: 'the same id reopens its episode after any gap: without `then`, with `while` at once, and with `finally` at the next close',
      rule: goneAtOnce,
      polls: ['0m', '1m ada', '2m', '600m ada', '601m'],
      fires: ['1m then entered ada', '2m finally left ada', '600m while ada', '601m finally left ada'],
    },
    {
      promise: 'a closed episode is remembered for 30 days',
      rule: thenAndFinally,
      polls: ['0m', '1m ada', '2m', '30d ada'],
      fires: ['1m then entered ada', '2m finally left ada'],
    },
    {
      promise: 'a closed episode is forgotten after 30 days',
      rule: thenAndFinally,
      polls: ['0m', '1m ada', '2m', '31d ada'],
      fires: ['1m then entered ada', '2m finally left ada', '31d then entered ada'],
    },
    {
      promise: 'a suppressed episode stays suppressed when it reopens',
      rule: goneAtOnce,
      polls: ['0m ada', '1m', '2m ada', '3m ada', '4m'],
      fires: [],
    },
    {
      promise: 'if two episodes had the same id, the one that closed last reopens',
      rule: { while: [], watched: { graceMs: 2 * MINUTE, confirm: { new: 1, gone: 1 } } },
      polls: ['0m', '1m ada', '2m', '4m', '5m ada/2', '6m ada', '7m', '9m', '10m ada', '11m', '13m'],
      fires: ['1m then entered ada', '4m finally left ada', '5m then entered ada', '9m finally left ada', '13m finally left ada'],
    },
    {
      promise: 'an older id that returns closes the newer episode and reopens its own',
      rule: thenAndFinally,
      polls: ['0m', '1m ada', '2m ada/2', '3m ada'],
      fires: ['1m then entered ada', '2m finally left ada', '2m then entered ada', '3m finally left ada'],
    },
  ]);

  test('old closed episodes are deleted', () => {
    const { state } = runPolls(cardRule(thenAndFinally), ['0m', '1m ada', '2m', '31d']);

    expect(state.episodes.size).toBe(0);
  });
});

describe('a ranking', () => {
  testCases(
    [
      {
        promise: 'an item that returns after its episode closed begins a new one, even with the same id',
        rule: thenAndFinally,
        polls: ['0m', '1m ada', '2m', '3m ada'],
        fires: ['1m then entered ada', '2m finally left ada', '3m then entered ada'],
      },
      {
        promise: 'within `grace`, the episode continues',
        rule: { while: [], ...grace5m },
        polls: ['0m', '1m ada', '2m', '3m', '6m ada'],
        fires: ['1m then entered ada'],
      },
    ],
    rankingRule,
  );

  test('a closed episode is deleted, because nothing can reopen it', () => {
    const { state } = runPolls(rankingRule(thenAndFinally), ['0m', '1m ada grace', '2m grace']);

    expect([...state.episodes.values()].map(({ key }) => key)).toEqual(['grace']);
  });
});
