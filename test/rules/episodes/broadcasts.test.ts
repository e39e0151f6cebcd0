import { describe, expect, test } from 'vitest';
import { goneAtOnce, grace5m, sayAll, settle2m, thenAndFinally } from './cases.ts';
import { cardRule, MINUTE, rankingRule } from './fixture.ts';
import { play } from './play.ts';

describe('a channel and its broadcasts', () => {
  sayAll([
    {
      promise: 'a new stream id without a gap is the same episode where there is grace',
      rule: grace5m,
      polls: ['0m', '1m ada', '2m ada/2'],
      says: ['1m then entered ada', '2m while ada'],
    },
    {
      promise: 'a new stream id without a gap closes and opens in that poll, in this order, where grace is 0s',
      polls: ['0m', '1m ada', '2m ada/2', '3m ada/2'],
      says: ['1m then entered ada', '2m finally left ada', '2m then entered ada', '3m while ada'],
    },
    {
      promise: 'a new stream id within grace continues the episode',
      rule: { while: [], ...grace5m },
      polls: ['0m', '1m ada', '2m', '6m ada/2'],
      says: ['1m then entered ada'],
    },
    {
      promise: 'a new stream id after grace is a new episode',
      rule: { while: [], ...grace5m },
      polls: ['0m', '1m ada', '2m', '7m ada/2'],
      says: ['1m then entered ada', '7m finally left ada', '7m then entered ada'],
    },
    {
      promise: 'a new stream id after the close is a new episode, with its own settle',
      rule: { while: [], watched: { settleMs: MINUTE, confirm: { new: 1, gone: 1 } } },
      polls: ['0m', '1m ada', '2m ada', '3m', '4m ada/2', '5m ada/2'],
      says: ['2m then entered ada', '3m finally left ada', '5m then entered ada'],
    },
    {
      promise: 'a new stream id while pending, with grace 0s, begins to settle anew',
      rule: { while: [], ...settle2m },
      polls: ['0m', '1m ada', '2m ada/2', '3m ada/2', '4m ada/2'],
      says: ['4m then entered ada'],
    },
    {
      promise: 'a new stream id after a night without polls is a new episode where it began later than grace allows',
      rule: { while: [], watched: { graceMs: 15 * MINUTE } },
      polls: ['0m', '1m ada', '10h ada/2@9h'],
      says: ['1m then entered ada', '10h finally left ada', '10h then entered ada'],
    },
    {
      promise: 'with grace 0s a new stream id is a new episode, whatever it says of its start',
      rule: { while: [] },
      polls: ['0m', '1m ada', '9m ada/2@-5m'],
      says: ['1m then entered ada', '9m finally left ada', '9m then entered ada'],
    },
    {
      promise: 'a new stream id after a gap in the polls continues the episode where it began within grace',
      rule: { while: [], watched: { graceMs: 15 * MINUTE } },
      polls: ['0m', '1m ada', '2m !', '20m ada/2@10m'],
      says: ['1m then entered ada'],
    },
  ]);
});

describe('reopening', () => {
  sayAll([
    {
      promise: 'the same id reopens its episode however long the gap: no then, while at once, and finally again at the next close',
      rule: goneAtOnce,
      polls: ['0m', '1m ada', '2m', '600m ada', '601m'],
      says: ['1m then entered ada', '2m finally left ada', '600m while ada', '601m finally left ada'],
    },
    {
      promise: 'a closed episode is remembered for 30 days',
      rule: thenAndFinally,
      polls: ['0m', '1m ada', '2m', '30d ada'],
      says: ['1m then entered ada', '2m finally left ada'],
    },
    {
      promise: 'a closed episode is forgotten after 30 days',
      rule: thenAndFinally,
      polls: ['0m', '1m ada', '2m', '31d ada'],
      says: ['1m then entered ada', '2m finally left ada', '31d then entered ada'],
    },
    {
      promise: 'an episode that was silent is silent when it reopens',
      rule: goneAtOnce,
      polls: ['0m ada', '1m', '2m ada', '3m ada', '4m'],
      says: [],
    },
    {
      promise: 'of two episodes that had one id the one that closed last reopens',
      rule: { while: [], watched: { graceMs: 2 * MINUTE, confirm: { new: 1, gone: 1 } } },
      polls: ['0m', '1m ada', '2m', '4m', '5m ada/2', '6m ada', '7m', '9m', '10m ada', '11m', '13m'],
      says: ['1m then entered ada', '4m finally left ada', '5m then entered ada', '9m finally left ada', '13m finally left ada'],
    },
    {
      promise: 'an older id that stands in the list again closes the newer episode and reopens its own',
      rule: thenAndFinally,
      polls: ['0m', '1m ada', '2m ada/2', '3m ada'],
      says: ['1m then entered ada', '2m finally left ada', '2m then entered ada', '3m finally left ada'],
    },
  ]);

  test('what closed too long ago is dropped, so that nothing grows for ever', () => {
    const { state } = play(cardRule(thenAndFinally), ['0m', '1m ada', '2m', '31d']);

    expect(state.episodes.size).toBe(0);
  });
});

describe('a ranking', () => {
  sayAll(
    [
      {
        promise: 'the return of an item whose episode closed is a new one, under the same id too',
        rule: thenAndFinally,
        polls: ['0m', '1m ada', '2m', '3m ada'],
        says: ['1m then entered ada', '2m finally left ada', '3m then entered ada'],
      },
      {
        promise: 'within grace the episode goes on',
        rule: { while: [], ...grace5m },
        polls: ['0m', '1m ada', '2m', '3m', '6m ada'],
        says: ['1m then entered ada'],
      },
    ],
    rankingRule,
  );

  test('an episode that closed is not kept, for nothing reopens it', () => {
    const { state } = play(rankingRule(thenAndFinally), ['0m', '1m ada grace', '2m grace']);

    expect([...state.episodes.values()].map(({ key }) => key)).toEqual(['grace']);
  });
});
