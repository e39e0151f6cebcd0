import { describe, expect, test } from 'vitest';
import { closeEpisodes } from '#src/rules/episodes/close-episodes.ts';
import type { RuleState } from '#src/rules/episode.ts';
import type { Rule } from '#src/rules/rule.ts';
import { aStep, cardRule, HOUR, MINUTE, rankingRule, START_MS } from './fixture.ts';
import { applied, play } from './play.ts';

function closed(rule: Rule, state: RuleState): ReturnType<typeof closeEpisodes> & { readonly after: RuleState } {
  const one = closeEpisodes({ rule, state, slotMs: START_MS + HOUR });
  return { ...one, after: one.change ? applied(state, one.change) : state };
}

describe('a value of `each` that was removed', () => {
  test('closes its open episodes at once, with finally', () => {
    const rule = cardRule();
    const { state } = play(rule, ['0m', '1m ada grace', '2m ada grace', '3m grace']);

    const { firings, withdrawals, decisions, after } = closed(rule, state);

    expect(firings.map(({ section, episode, scope, occasion }) => [section, episode, scope.change?.['kind'], occasion])).toEqual([
      ['finally', 'ada@2026-11-20T18:01:00.000Z', 'left', '1'],
      ['finally', 'grace@2026-11-20T18:01:00.000Z', 'left', '1'],
    ]);
    expect(withdrawals).toHaveLength(2);
    expect(decisions[0]?.reason).toBe('ada is not followed any more: its value of each was taken out of the rule; it was seen for 1m');
    expect([...after.episodes.values()].map(({ phase }) => phase)).toEqual(['closed', 'closed']);
  });

  test('says nothing of those that were silent or still waited, and forgets what nothing reopens', () => {
    const rule = rankingRule({ watched: { settleMs: 2 * MINUTE } });
    const { state } = play(rule, ['0m ada', '1m ada grace']);

    const { firings, after } = closed(rule, state);

    expect(firings).toEqual([]);
    expect(after.episodes.size).toBe(0);
  });

  test('drops what was held', () => {
    const quiet = { fromMinute: 18 * 60, toMinute: 20 * 60, timezone: 'UTC', then: [aStep()] } as const;
    const rule = rankingRule({ quiet });
    const { state } = play(rule, ['0m', '1m ada', '2m', '3m']);

    const { firings, after, wakeMs } = closed(rule, state);

    expect([firings, after.episodes.size, after.memory.quietEndMs, wakeMs]).toEqual([[], 0, undefined, undefined]);
  });

  test('and that comes back reopens what lives, and announces nothing again', () => {
    const rule = cardRule({ while: [] });
    const { state } = play(rule, ['0m', '1m ada']);
    const { after } = closed(rule, state);

    const { lines } = play(rule, ['61m ada', '62m ada', '63m', '64m'], after);

    expect(lines).toEqual(['61m withdraw finally ada', '64m finally left ada']);
  });
});
