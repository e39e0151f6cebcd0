import { describe, expect, test } from 'vitest';
import { advance } from '#src/rules/evaluate/advance.ts';
import { NEW_STATE, type RuleState } from '#src/rules/episode.ts';
import { cardRule, HOUR, MINUTE, slotRule, START_MS } from './fixture.ts';
import { runPolls } from './run-polls.ts';

const PAUSED = { by: 'Ada', atMs: START_MS + MINUTE };

function paused(state: RuleState): RuleState {
  return { ...state, paused: PAUSED };
}

describe('a rule that a user paused', () => {
  const rule = cardRule({ watched: { confirm: { new: 1, gone: 1 } } });

  test('announces no change, with the user and the time as the reason, and updates open cards', () => {
    const open = runPolls(rule, ['0m', '1m ada']).state;

    const { lines, suppressions } = runPolls(rule, ['3m ada grace'], paused(open));

    expect(lines).toEqual(['3m while ada']);
    expect(suppressions).toEqual([['3m', 'grace', { kind: 'paused', by: 'Ada', agoMs: 2 * MINUTE }]]);
  });

  test('announces no missed change after it is resumed', () => {
    const during = runPolls(rule, ['3m ada'], paused(runPolls(rule, ['0m']).state)).state;

    expect(runPolls(rule, ['4m ada grace'], during).lines).toEqual(['4m then entered grace']);
  });

  test('does not count for its fuse', () => {
    const fused = cardRule({ while: [], fuse: { firings: 1, perMs: HOUR }, watched: { confirm: { new: 1, gone: 1 } } });

    const { state } = runPolls(fused, ['3m ada grace linus'], paused(runPolls(fused, ['0m']).state));

    expect([state.memory.blownMs, state.memory.fusedMs ?? []]).toEqual([undefined, []]);
  });

  test('does not fire its slots', () => {
    const { firings, decisions } = advance({ rule: slotRule(), state: paused(NEW_STATE), slotMs: START_MS + 2 * MINUTE });

    expect(firings).toEqual([]);
    expect(decisions).toMatchObject([
      {
        outcome: 'suppressed',
        reason: { kind: 'scheduledRun', block: { kind: 'suppressed', by: { kind: 'paused', by: 'Ada', agoMs: MINUTE } } },
      },
    ]);
  });
});
