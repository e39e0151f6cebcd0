import { describe, expect, test } from 'vitest';
import { advance } from '#src/rules/episodes/advance.ts';
import { NEW_STATE, type RuleState } from '#src/rules/episode.ts';
import { cardRule, HOUR, MINUTE, slotRule, START_MS } from './fixture.ts';
import { play } from './play.ts';

const PAUSED = { by: 'Ada', atMs: START_MS + MINUTE };

function paused(state: RuleState): RuleState {
  return { ...state, paused: PAUSED };
}

describe('a rule that a person paused', () => {
  const rule = cardRule({ watched: { confirm: { new: 1, gone: 1 } } });

  test('announces nobody, says by whom it was paused and when, and goes on with what is open', () => {
    const open = play(rule, ['0m', '1m ada']).state;

    const { lines, decisions } = play(rule, ['3m ada grace'], paused(open));

    expect(lines).toEqual(['3m while ada']);
    expect(decisions).toEqual([
      '3m refused grace: grace is #2 with 100 viewers, not announced: Ada paused the rule 2m ago; it says nothing until it is resumed',
    ]);
  });

  test('makes up for nothing once it is resumed', () => {
    const during = play(rule, ['3m ada'], paused(play(rule, ['0m']).state)).state;

    expect(play(rule, ['4m ada grace'], during).lines).toEqual(['4m then entered grace']);
  });

  test('counts nothing for its fuse, and blows none', () => {
    const fused = cardRule({ while: [], fuse: { firings: 1, perMs: HOUR }, watched: { confirm: { new: 1, gone: 1 } } });

    const { state } = play(fused, ['3m ada grace linus'], paused(play(fused, ['0m']).state));

    expect([state.memory.blownMs, state.memory.fusedMs ?? []]).toEqual([undefined, []]);
  });

  test('does nothing at its slots', () => {
    const { firings, decisions } = advance({ rule: slotRule(), state: paused(NEW_STATE), slotMs: START_MS + 2 * MINUTE });

    expect(firings).toEqual([]);
    expect(decisions.map(({ reason }) => reason)).toEqual([
      'nothing is done: Ada paused the rule 1m ago; it says nothing until it is resumed',
    ]);
  });
});
