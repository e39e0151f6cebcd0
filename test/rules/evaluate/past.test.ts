import { expect, test } from 'vitest';
import { closeEpisodes } from '#src/rules/evaluate/close-episodes.ts';
import type { Episode } from '#src/rules/episode.ts';
import type { Rule } from '#src/rules/rule.ts';
import { cardRule, HOUR, MINUTE, rankingRule, START_MS } from './fixture.ts';
import { runPolls, type PollLine } from './run-polls.ts';

const watched = { confirm: { new: 1, gone: 1 } };

/** The episodes that a rule moves to the history, with the minute of their close. */
function past(rule: Rule, polls: readonly PollLine[]): readonly string[] {
  return runPolls(rule, polls)
    .advances.flatMap(({ change }) => change?.past ?? [])
    .map(lineOf);
}

function lineOf({ key, phase, closedMs = 0 }: Episode): string {
  return `${key} ${phase} ${(closedMs - START_MS) / MINUTE}m`;
}

test('an announced episode that cannot reopen moves to the history when it closes', () => {
  const polls = ['0m linus', '1m ada linus', '2m ada linus', '3m', '4m'];

  expect(past(rankingRule({ watched }), polls)).toEqual(['ada closed 3m']);
  expect(past(cardRule({ watched }), polls)).toEqual([]);
});

test('an episode with a deferred departure moves to the history when the departure is announced', () => {
  const quiet = { fromMinute: 18 * 60 + 3, toMinute: 18 * 60 + 6, timezone: 'UTC', then: 'hold' } as const;
  const rule = rankingRule({ quiet, watched: { ...watched, changes: [{ kind: 'entered' }, { kind: 'left' }] } });

  const { advances } = runPolls(rule, ['0m', '1m ada', '3m', '5m', '6m', '7m']);

  expect(advances.map(({ change }) => change?.past?.map(lineOf))).toEqual([[], [], [], [], ['ada closed 3m'], []]);
});

test('an episode of a value that was removed from `each` moves to the history at once', () => {
  const rule = rankingRule({ watched });
  const { state } = runPolls(rule, ['0m linus', '1m ada linus']);

  const { change } = closeEpisodes({ rule, state, slotMs: START_MS + HOUR });

  expect(change?.past?.map(lineOf)).toEqual(['ada closed 60m']);
});
