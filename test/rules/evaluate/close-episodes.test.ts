import { describe, expect, test } from 'vitest';
import { closeEpisodes } from '#src/rules/evaluate/close-episodes.ts';
import type { RuleState } from '#src/rules/episode.ts';
import type { Rule } from '#src/rules/rule.ts';
import { aStep, cardRule, HOUR, MINUTE, rankingRule, START_MS } from './fixture.ts';
import { firings, runPolls, withChange } from './run-polls.ts';

function closed(rule: Rule, state: RuleState): ReturnType<typeof closeEpisodes> & { readonly after: RuleState } {
  const one = closeEpisodes({ rule, state, slotMs: START_MS + HOUR });
  return { ...one, after: one.change ? withChange(state, one.change) : state };
}

describe('a value of `each` that was removed', () => {
  test('its open episodes close at once, with `finally`', () => {
    const rule = cardRule();
    const { state } = runPolls(rule, ['0m', '1m ada grace', '2m ada grace', '3m grace']);

    const { firings, withdrawals, decisions, after } = closed(rule, state);

    expect(firings.map(({ section, episode, scope, occasion }) => [section, episode, scope.change?.['kind'], occasion])).toEqual([
      ['finally', 'ada@2026-11-20T18:01:00.000Z', 'left', '1'],
      ['finally', 'grace@2026-11-20T18:01:00.000Z', 'left', '1'],
    ]);
    expect(withdrawals).toHaveLength(2);
    expect(decisions[0]).toMatchObject({ outcome: 'closed', reason: { kind: 'removedFromEach', name: 'ada', seenMs: 60_000 } });
    expect([...after.episodes.values()].map(({ phase }) => phase)).toEqual(['closed', 'closed']);
  });

  test('its steps of `finally` that create something are suppressed', () => {
    const rule = cardRule({ finally: [aStep({ do: 'discord.edit' }), aStep({ creates: true })] });
    const { state } = runPolls(rule, ['0m', '1m ada']);

    const [firing] = closed(rule, state).firings;

    expect(firing?.steps.map(({ suppressed }) => suppressed?.reason)).toEqual([undefined, { kind: 'removedFromEach' }]);
  });

  test('suppressed and pending episodes close without effects, and episodes that cannot reopen are deleted', () => {
    const rule = rankingRule({ watched: { settleMs: 2 * MINUTE } });
    const { state } = runPolls(rule, ['0m ada', '1m ada grace']);

    const { firings, after } = closed(rule, state);

    expect(firings).toEqual([]);
    expect(after.episodes.size).toBe(0);
  });

  test('deferred changes are dropped', () => {
    const quiet = { fromMinute: 18 * 60, toMinute: 20 * 60, timezone: 'UTC', then: [aStep()] } as const;
    const rule = rankingRule({ quiet });
    const { state } = runPolls(rule, ['0m', '1m ada', '2m', '3m']);

    const { firings, after, wakeMs } = closed(rule, state);

    expect([firings, after.episodes.size, after.memory.quietEndMs, wakeMs]).toEqual([[], 0, undefined, undefined]);
  });

  test('a value that returns reopens live episodes without a second announcement', () => {
    const rule = cardRule({ while: [] });
    const { state } = runPolls(rule, ['0m', '1m ada']);
    const { after } = closed(rule, state);

    const { lines } = runPolls(rule, ['61m ada', '62m ada', '63m', '64m'], after);

    expect(lines).toEqual(['61m withdraw finally ada', '64m finally left ada']);
  });

  test.each([
    ['feed', 'silent'],
    ['feed', 'fire'],
    ['set', 'silent'],
    ['set', 'fire'],
    ['ranking', 'silent'],
    ['ranking', 'fire'],
    ['one', 'silent'],
    ['one', 'fire'],
  ] as const)('a value that returns announces no item of a %s again (first: %s)', (kind, first) => {
    const rule = cardRule({ while: [], finally: [], watched: { kind, first } });
    const { state } = runPolls(rule, ['0m ada', '1m ada grace']);
    const { after } = closed(rule, state);

    const { lines } = runPolls(rule, ['61m ada grace', '62m ada grace linus'], after);

    expect(lines).toEqual(['62m then entered linus']);
  });

  test('a value that was removed before its first poll begins with a first poll', () => {
    const rule = cardRule({ watched: { kind: 'set', first: 'fire' } });
    const { after } = closed(rule, runPolls(rule, []).state);

    expect(runPolls(rule, ['61m ada'], after).lines).toEqual(['61m then entered ada']);
  });

  test.each(['live', 'feed'] as const)('collected changes of a %s are dropped', (kind) => {
    const rule = cardRule({ while: [], finally: [], gather: { count: 2, then: [aStep()] }, watched: { kind } });
    const { state } = runPolls(rule, ['0m', '1m ada']);
    expect(state.memory.gathered).toHaveLength(1);
    const { after } = closed(rule, state);

    expect(firings(rule, ['61m ada', '62m ada grace'], after)).toEqual(['62m then entered grace']);
  });
});
