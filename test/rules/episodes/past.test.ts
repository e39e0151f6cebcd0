import { expect, test } from 'vitest';
import { closeEpisodes } from '#src/rules/episodes/close-episodes.ts';
import type { Episode } from '#src/rules/episode.ts';
import type { Rule } from '#src/rules/rule.ts';
import { cardRule, HOUR, MINUTE, rankingRule, START_MS } from './fixture.ts';
import { play, type PollLine } from './play.ts';

const watched = { confirm: { new: 1, gone: 1 } };

/** Whom a rule hands over to the history, and when each was over, in minutes. */
function past(rule: Rule, polls: readonly PollLine[]): readonly string[] {
  return play(rule, polls)
    .advances.flatMap(({ change }) => change?.past ?? [])
    .map(lineOf);
}

function lineOf({ key, phase, closedMs = 0 }: Episode): string {
  return `${key} ${phase} ${(closedMs - START_MS) / MINUTE}m`;
}

test('an episode that spoke and is over goes to the history where nothing can reopen it', () => {
  const polls = ['0m linus', '1m ada linus', '2m ada linus', '3m', '4m'];

  expect(past(rankingRule({ watched }), polls)).toEqual(['ada closed 3m']);
  expect(past(cardRule({ watched }), polls)).toEqual([]);
});

test('one whose end was held goes there when that is said', () => {
  const quiet = { fromMinute: 18 * 60 + 3, toMinute: 18 * 60 + 6, timezone: 'UTC', then: 'hold' } as const;
  const rule = rankingRule({ quiet, watched: { ...watched, changes: [{ kind: 'entered' }, { kind: 'left' }] } });

  const { advances } = play(rule, ['0m', '1m ada', '3m', '5m', '6m', '7m']);

  expect(advances.map(({ change }) => change?.past?.map(lineOf))).toEqual([[], [], [], [], ['ada closed 3m'], []]);
});

test('one of a value of `each` that was removed goes there at once', () => {
  const rule = rankingRule({ watched });
  const { state } = play(rule, ['0m linus', '1m ada linus']);

  const { change } = closeEpisodes({ rule, state, slotMs: START_MS + HOUR });

  expect(change?.past?.map(lineOf)).toEqual(['ada closed 60m']);
});
