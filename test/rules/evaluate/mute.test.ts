import { expect, test } from 'vitest';
import type { RuleState } from '#src/rules/episode.ts';
import { aStep, cardRule, HOUR, MINUTE, START_MS } from './fixture.ts';
import { runPolls } from './run-polls.ts';

/** The state with a mute of `ada` a minute after the start. */
function withMute(state: RuleState): RuleState {
  const [episode] = [...state.episodes.values()].filter(({ key }) => key === 'ada');
  return { ...state, muted: new Map([[episode?.id ?? '', { by: 'Grace', atMs: START_MS + MINUTE }]]) };
}

const goneAtOnce = { confirm: { new: 1, gone: 1 } };
const HOURLY = { cron: '0 * * * *', timezone: 'UTC' };

test.for([
  ['quiet', '1m eve ada grace', '30m', { quiet: { fromMinute: 18 * 60, toMinute: 18 * 60 + 30, timezone: 'UTC', then: [aStep()] } }],
  ['limit', '1m eve ada grace', '61m', { limit: { firings: 1, perMs: HOUR, then: [aStep()] } }],
  ['gather', '1m ada', '3m', { then: [], gather: { count: 3, then: [aStep()] } }],
] as const)('the steps of `%s` do not get the changes of an item that was muted after them', ([section, before, at, over]) => {
  const rule = cardRule({ while: [], finally: [], watched: goneAtOnce, ...over });
  const { state } = runPolls(rule, ['0m', before]);

  const { lines, advances } = runPolls(rule, [`${at} eve ada grace`], withMute(state));

  const reasons = advances.flatMap(({ decisions }) => decisions.flatMap(({ reason }) => reason ?? []));
  expect(lines.at(-1)).toMatch(new RegExp(`^${at} ${section} .*entered grace$`, 'u'));
  expect(lines.join()).not.toContain('ada');
  expect(reasons).toContainEqual(
    expect.objectContaining({ changes: 1, suppressedBy: expect.objectContaining({ kind: 'muted', by: 'Grace' }) }),
  );
});

test.for([
  ['limit', '61m', { limit: { firings: 1, perMs: HOUR, then: [aStep()] } }],
  ['gather', '63m', { then: [], gather: { count: 9, schedule: HOURLY, then: [aStep()] } }],
] as const)('the steps of `%s` do not get the changes of a muted item that has left before they run', ([section, at, over]) => {
  const rule = cardRule({ while: [], finally: [], watched: { ...goneAtOnce, kind: 'ranking' }, ...over });
  const { state } = runPolls(rule, ['0m', '1m eve ada grace']);

  const left = runPolls(rule, ['3m eve grace', '4m eve grace'], withMute(state));
  const { lines } = runPolls(rule, [`${at} eve grace`], { ...left.state, muted: undefined });

  expect(lines).toEqual([expect.stringMatching(new RegExp(`^${at} ${section} .*entered grace$`, 'u'))]);
  expect(lines.join()).not.toContain('ada');
});

test('a muted item alone does not count for the fuse of `gather`', () => {
  const rule = cardRule({ then: [], while: [], finally: [], watched: goneAtOnce, gather: { count: 1, then: [aStep()] } });
  const once = { ...rule, fuse: { firings: 1, perMs: HOUR } };
  const { state } = runPolls({ ...once, gather: { count: 2, then: [aStep()] } }, ['0m', '1m ada']);

  expect(runPolls(once, ['3m ada', '4m ada eve'], withMute(state)).lines).toContain('4m gather entered eve');
});

test('the steps of `limit` do not run for a muted item alone', () => {
  const rule = cardRule({ while: [], finally: [], watched: goneAtOnce, limit: { firings: 1, perMs: HOUR, then: [aStep()] } });
  const { state } = runPolls(rule, ['0m', '1m eve ada']);

  const { lines, decisions } = runPolls(rule, ['61m eve ada', '62m eve ada'], withMute(state));

  expect(lines).toEqual([]);
  expect(decisions[0]).toContain('1 change collected, not announced: Grace muted it 1h ago, until it ends');
});

test('an item that a person muted is not announced until its episode ends, and its card is updated and closed', () => {
  const changes = [{ kind: 'entered' }, { kind: 'moved' }] as const;
  const rule = cardRule({ watched: { kind: 'ranking', confirm: { new: 1, gone: 1 }, changes: [...changes] } });
  const { state } = runPolls(rule, ['0m', '1m ada grace']);
  const [episode] = [...state.episodes.values()].filter(({ key }) => key === 'ada');
  const muted = new Map([[episode?.id ?? '', { by: 'Grace', atMs: START_MS + MINUTE }]]);

  const { lines, suppressions } = runPolls(rule, ['3m grace ada'], { ...state, muted });

  expect(suppressions).toEqual([['3m', 'ada', { kind: 'muted', by: 'Grace', agoMs: 2 * MINUTE }]]);
  expect(lines).toEqual(expect.arrayContaining(['3m while ada']));
});
