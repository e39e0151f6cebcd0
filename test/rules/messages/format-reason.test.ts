import { describe, expect, test } from 'vitest';
import { withMessage } from '#src/rules/messages/format-reason.ts';
import { withStepMessage } from '#src/rules/messages/format-step-reason.ts';
import type { ChangeDetail, Reason, Suppression } from '#src/rules/reasons/reason.ts';
import type { StepReason } from '#src/rules/reasons/step-reason.ts';

const [MINUTE, HOUR] = [60_000, 3_600_000];

const condition = {
  kind: 'false',
  clauses: [{ source: 'item.rank < 3', values: [{ expression: 'item.rank', value: '7' }, { expression: 'item.game' }] }],
} as const;

describe('the message of a suppression', () => {
  test.for<readonly [Suppression, string]>([
    [{ kind: 'paused', by: 'Ada', agoMs: 2 * MINUTE }, 'Ada paused the rule 2m ago; resume it to announce again'],
    [{ kind: 'if', condition }, 'if: item.rank < 3 is false: item.rank is 7, item.game is absent'],
    [
      { kind: 'if', condition: { kind: 'error', source: 'a / 0', error: 'division by zero' } },
      'if: a / 0 cannot be evaluated: division by zero',
    ],
    [
      { kind: 'fuseBlown', agoMs: 199 * MINUTE, limit: 30, perMs: HOUR },
      'paused automatically 3h 19m ago: more than 30 announcements in an hour; resume the rule to announce again',
    ],
    [
      { kind: 'fuseLimitReached', firings: 2, perMs: HOUR, limit: 2 },
      'paused automatically: more than 2 announcements in an hour; resume the rule to announce again',
    ],
    [{ kind: 'cooldown', per: 'item', agoMs: 2 * HOUR, leftMs: 4 * HOUR }, 'cooldown: last announced 2h ago, 4h left'],
    [{ kind: 'cooldown', per: 'rule', agoMs: 0, leftMs: HOUR }, 'cooldown: the rule last fired in this poll, 1h left'],
    [
      { kind: 'quietHours', fromMinute: 1_390, toMinute: 450, timezone: 'Europe/Berlin', leftMs: 5 * HOUR },
      'quiet: from 23:10 to 07:30 in Europe/Berlin, 5h left',
    ],
    [{ kind: 'modeSingle' }, 'mode single: an earlier firing is being delivered'],
    [{ kind: 'queueFull', waiting: 2, limit: 2 }, 'mode queued: 2 firings already wait, the limit is 2: check the targets'],
    [{ kind: 'queueFull', waiting: 1, limit: 1 }, 'mode queued: 1 firing already waits, the limit is 1: check the targets'],
    [{ kind: 'parallelFull', firings: 1, limit: 1 }, 'mode parallel: 1 firing is being delivered, the limit is 1: check the targets'],
    [{ kind: 'parallelFull', firings: 3, limit: 3 }, 'mode parallel: 3 firings are being delivered, the limit is 3: check the targets'],
    [{ kind: 'deferredToQuietSteps' }, 'only the steps of quiet announce it'],
    [{ kind: 'deferredToLimitSteps' }, 'only the steps of limit announce it'],
    [{ kind: 'endedInQuietHours' }, 'it ended in quiet hours'],
    [{ kind: 'olderThanMaxAge', ageMs: 130 * MINUTE, maxAgeMs: HOUR }, 'it is 2h 10m old, more than maxAge (1h)'],
  ])('%j', ([suppression, message]) => {
    const { message: whole } = withMessage({
      kind: 'opened',
      name: 'Ada',
      standing: { rank: 2, viewers: 1_740 },
      suppressedBy: suppression,
    });

    expect(whole).toBe(`Ada is #2 with 1,740 viewers, not announced: ${message}`);
  });
});

test('the message of restricted items', () => {
  expect(withMessage({ kind: 'restricted', followers: 1, direct: 2 }).message).toBe(
    '3 items left out, because not everyone can read them: 1 for followers, 2 direct; include adds them',
  );
});

test('the message of a poll that was read in part', () => {
  const parts = [
    { account: 'twitch', names: { count: 4, names: ['ada', 'grace', 'linus'] }, failure: 'rejected: no such user' },
    { account: 'kick', isWhole: true, failure: 'unavailable: it answered 503' },
    { account: 'mastodon', failure: 'row 2 cannot be read' },
  ] as const;

  expect(withMessage({ kind: 'pollPartlyFailed', count: 4, parts }).message).toBe(
    'not read: ada, grace, linus and 1 more through twitch (rejected: no such user); everything through kick (unavailable: it answered 503); a part through mastodon (row 2 cannot be read); and 1 more',
  );
});

describe('the message of a change', () => {
  test.for<readonly [ChangeDetail, string]>([
    [{ kind: 'entered', standing: { rank: 2, viewers: 740 } }, 'entered at #2 with 740 viewers'],
    [{ kind: 'entered', standing: {} }, 'is new in the list'],
    [{ kind: 'moved', direction: 'up' }, 'moved up from #? to #?'],
    [
      { kind: 'changed', fields: [{ field: 'title', value: '"b"', previous: '"a"' }, { field: 'game' }] },
      'has a new title: "b", was "a", a new game: nothing, was nothing',
    ],
    [
      { kind: 'rose', field: 'viewerCount', thresholds: [100, 1_000], value: 1_200, previous: 90 },
      'rose above 100 and above 1,000: viewerCount is 1,200, was 90',
    ],
    [
      { kind: 'rose', field: 'viewerCount', thresholds: [300], every: 100, value: 305, previous: 298 },
      'reached 300: viewerCount is 305, was 298',
    ],
    [{ kind: 'fell', field: 'viewerCount', thresholds: [60] }, 'fell below 60: viewerCount is ?'],
  ])('%j', ([change, message]) => {
    expect(withMessage({ kind: 'itemChanged', name: 'Ada', change }).message).toBe(`Ada ${message}`);
  });
});

describe('the message of a reason', () => {
  const blocked = { kind: 'suppressed', by: { kind: 'modeSingle' } } as const;
  const rose = { kind: 'rose', field: 'viewerCount', thresholds: [100], value: 200 } as const;
  const changed = { kind: 'changed', fields: [{ field: 'title', value: '"b"', previous: '"a"' }] } as const;

  test.for<readonly [Reason, string]>([
    [{ kind: 'pollFailed' }, 'the poll failed: there was no answer'],
    [{ kind: 'missingKey' }, 'the poll was ignored: an item has no key'],
    [
      { kind: 'missingKey', items: { count: 1, named: [{ name: 'Ada' }] } },
      'left out 1 item without a key: Ada (the key is empty); no item counts as missing in this poll',
    ],
    [
      { kind: 'missingKey', items: { count: 3, named: [{ name: 'Ada', error: 'no text' }, { name: 'Grace' }] } },
      'left out 3 items without a key: Ada (no text), Grace (the key is empty) and 1 more; no item counts as missing in this poll',
    ],
    [{ kind: 'scheduledRun' }, 'scheduled run'],
    [{ kind: 'scheduledRun', block: blocked }, 'scheduled run skipped: mode single: an earlier firing is being delivered'],
    [{ kind: 'settling', name: 'Ada', change: rose, settleMs: MINUTE }, 'Ada is above 100: viewerCount is 200, settling for 1m more'],
    [
      { kind: 'settling', name: 'Ada', change: { ...rose, every: 100 }, settleMs: MINUTE },
      'Ada has reached 100: viewerCount is 200, settling for 1m more',
    ],
    [{ kind: 'settling', name: 'Ada', change: changed, settleMs: MINUTE }, 'Ada has another title: "b", settling for 1m more'],
    [
      { kind: 'itemChanged', name: 'Ada', change: { kind: 'left' }, block: { ...blocked, kind: 'deferred' } },
      'Ada left; deferred: mode single: an earlier firing is being delivered',
    ],
    [
      { kind: 'itemsChanged', changes: [{ change: 'entered', count: 7, names: ['Ada', 'Grace'] }], block: blocked },
      '7 entered (Ada, Grace and 5 more), not announced: mode single: an earlier firing is being delivered',
    ],
    [
      { kind: 'removedFromEach', name: 'Ada', seenMs: HOUR },
      'Ada is no longer followed: its value was removed from each; it was seen for 1h',
    ],
    [
      { kind: 'baseline', isNew: false, found: { count: 1, names: ['Ada'] } },
      'the first poll after an edit of the list: 1 item already in the list, not announced: Ada',
    ],
    [{ kind: 'unchanged', live: true, hinted: true, read: 0, followed: 0 }, 'only the channels of a notification were read: 0 live'],
    [
      { kind: 'unchanged', read: 1, followed: 1, cut: 'pages' },
      '1 item in the list, 1 followed; pages were not read, so the list does not show which items are missing',
    ],
    [{ kind: 'quietHoursEnded', changes: 2 }, 'quiet hours ended: 2 changes deferred'],
    [
      { kind: 'quietHoursEnded', changes: 2, suppressedBy: { kind: 'fuseBlown', agoMs: HOUR } },
      'quiet hours ended: 2 changes deferred, not announced: paused automatically 1h ago: too many announcements in a short time; resume the rule to announce again',
    ],
  ])('%j', ([reason, message]) => {
    expect(withMessage(reason)).toEqual({ message, reason });
  });
});

describe('the message of a skipped step', () => {
  test.for<readonly [StepReason, string]>([
    [{ kind: 'replaced' }, 'mode restart: a newer firing replaced it'],
    [{ kind: 'episodeEnded' }, 'the episode ended'],
    [{ kind: 'newerPoll' }, 'a newer poll replaced it'],
    [{ kind: 'itemReturned' }, 'the item returned'],
    [{ kind: 'removedFromEach' }, 'its value was removed from each'],
    [{ kind: 'emptyList' }, 'the list of forEach is empty'],
    [{ kind: 'allElementsSkipped' }, 'the step was skipped for all elements of forEach'],
    [{ kind: 'previousPartUnknown' }, 'it is unknown whether the previous part of the thread was sent'],
    [{ kind: 'unsupported', account: 'kick', do: 'streaming.getTeam' }, 'kick does not support streaming.getTeam; its result is empty'],
    [{ kind: 'lookUpFailed', step: 'vods', account: 'twitch' }, 'the look-up vods failed on twitch, and this step reads its result'],
    [
      { kind: 'recordGone', step: 'still', account: 'mastodon' },
      'mastodon does not have the record of the look-up still, and this step reads it',
    ],
  ])('%j', ([reason, message]) => {
    expect(withStepMessage(reason)).toEqual({ message, reason });
  });
});
