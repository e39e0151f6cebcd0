import { describe, expect, test } from 'vitest';
import { withMessage } from '#src/rules/messages/format-reason.ts';
import { withStepMessage } from '#src/rules/messages/format-step-reason.ts';
import type { ChangeDetail, Reason, Suppression } from '#src/rules/reasons/reason.ts';
import type { StepReason } from '#src/rules/reasons/step-reason.ts';

const [MINUTE, HOUR] = [60_000, 3_600_000];

const because = {
  kind: 'false',
  clauses: [{ source: 'item.rank < 3', values: [{ of: 'item.rank', is: '7' }, { of: 'item.game' }] }],
} as const;

describe('the message of a suppression', () => {
  test.for<readonly [Suppression, string]>([
    [{ kind: 'paused', by: 'Ada', agoMs: 2 * MINUTE }, 'Ada paused the rule 2m ago; resume it to announce again'],
    [{ kind: 'if', because }, 'if: item.rank < 3 is false: item.rank is 7, item.game is absent'],
    [
      { kind: 'if', because: { kind: 'unclear', source: 'a / 0', error: 'division by zero' } },
      'if: a / 0 cannot be evaluated: division by zero',
    ],
    [{ kind: 'fuseBlown', agoMs: 199 * MINUTE }, 'fuse: it blew 3h 19m ago; the rule is paused until you resume it'],
    [
      { kind: 'fuseBlows', firings: 2, perMs: HOUR, most: 2 },
      'fuse: 2 firings in 1h, the limit is 2; the rule is paused until you resume it',
    ],
    [{ kind: 'cooldown', per: 'item', agoMs: 2 * HOUR, leftMs: 4 * HOUR }, 'cooldown: last announced 2h ago, 4h left'],
    [{ kind: 'cooldown', per: 'rule', agoMs: 0, leftMs: HOUR }, 'cooldown: the rule last fired in this poll, 1h left'],
    [
      { kind: 'quietHours', fromMinute: 1_390, toMinute: 450, timezone: 'Europe/Berlin', leftMs: 5 * HOUR },
      'quiet: from 23:10 to 07:30 in Europe/Berlin, 5h left',
    ],
    [{ kind: 'single' }, 'mode single: an earlier firing is being delivered'],
    [{ kind: 'queueFull', waiting: 2, most: 2 }, 'mode queued: 2 firings already wait, the limit is 2: check the targets'],
    [{ kind: 'parallelFull', firings: 3, most: 3 }, 'mode parallel: 3 firings are being delivered, the limit is 3: check the targets'],
    [{ kind: 'collected' }, 'the steps of quiet announce it after the quiet hours'],
    [{ kind: 'endedInQuiet' }, 'it ended in quiet hours'],
    [{ kind: 'old', ageMs: 130 * MINUTE, maxAgeMs: HOUR }, 'it is 2h 10m old, more than maxAge (1h)'],
  ])('%j', ([suppression, message]) => {
    const { message: whole } = withMessage({ kind: 'opened', name: 'Ada', standing: { rank: 2, viewers: 1_740 }, silence: suppression });

    expect(whole).toBe(`Ada is #2 with 1,740 viewers, not announced: ${message}`);
  });
});

test('the message of restricted items', () => {
  expect(withMessage({ kind: 'restricted', followers: 1, direct: 2 }).message).toBe(
    '3 items left out, because not everyone can read them: 1 for followers, 2 direct; include adds them',
  );
});

describe('the message of a change', () => {
  test.for<readonly [ChangeDetail, string]>([
    [{ kind: 'moved', went: 'up' }, 'moved up from #? to #?'],
    [
      { kind: 'changed', fields: [{ field: 'title', is: '"b"', was: '"a"' }, { field: 'game' }] },
      'has a new title: "b", was "a", a new game: nothing, was nothing',
    ],
    [
      { kind: 'rose', field: 'viewerCount', lines: [100, 1_000], is: 1_200, was: 90 },
      'rose above 100 and above 1,000: viewerCount is 1,200, was 90',
    ],
    [{ kind: 'fell', field: 'viewerCount', lines: [60] }, 'fell below 60: viewerCount is ?'],
  ])('%j', ([happened, message]) => {
    expect(withMessage({ kind: 'happened', name: 'Ada', happened }).message).toBe(`Ada ${message}`);
  });
});

describe('the message of a reason', () => {
  const blocked = { kind: 'refused', by: { kind: 'single' } } as const;
  const rose = { kind: 'rose', field: 'viewerCount', lines: [100], is: 200 } as const;
  const changed = { kind: 'changed', fields: [{ field: 'title', is: '"b"', was: '"a"' }] } as const;

  test.for<readonly [Reason, string]>([
    [{ kind: 'unread' }, 'the poll failed: there was no answer'],
    [{ kind: 'keyless' }, 'the poll was ignored: an item has no key'],
    [{ kind: 'slot' }, 'scheduled run'],
    [{ kind: 'slot', hindrance: blocked }, 'scheduled run skipped: mode single: an earlier firing is being delivered'],
    [{ kind: 'settling', name: 'Ada', happened: rose, settleMs: MINUTE }, 'Ada is above 100: viewerCount is 200, settling for 1m more'],
    [{ kind: 'settling', name: 'Ada', happened: changed, settleMs: MINUTE }, 'Ada has another title: "b", settling for 1m more'],
    [
      { kind: 'happened', name: 'Ada', happened: { kind: 'left' }, hindrance: { ...blocked, kind: 'held' } },
      'Ada left; held: mode single: an earlier firing is being delivered',
    ],
    [
      { kind: 'poll', changes: [{ change: 'entered', count: 7, names: ['Ada', 'Grace'] }], hindrance: blocked },
      '7 entered (Ada, Grace and 5 more), not announced: mode single: an earlier firing is being delivered',
    ],
    [{ kind: 'unfollowed', name: 'Ada', seenMs: HOUR }, 'Ada is no longer followed: its value was removed from each; it was seen for 1h'],
    [
      { kind: 'baseline', isNew: false, found: { count: 1, names: ['Ada'] } },
      'the first poll after an edit of the list: 1 item already in the list, not announced: Ada',
    ],
    [
      { kind: 'unchanged', read: 1, followed: 1, cut: 'pages' },
      'nothing changed: 1 item read, 1 of them followed; pages were not read, so the list does not show which items are missing',
    ],
    [{ kind: 'handedOver', changes: 2 }, 'quiet hours ended: 2 changes held'],
    [{ kind: 'handedOver', changes: 2, untold: { kind: 'fuseBlew' } }, 'quiet hours ended: 2 changes held, not announced: the fuse blew'],
  ])('%j', ([reason, message]) => {
    expect(withMessage(reason)).toEqual({ message, reason });
  });
});

describe('the message of a skipped step', () => {
  test.for<readonly [StepReason, string]>([
    [{ kind: 'replaced' }, 'mode restart: a newer firing replaced it'],
    [{ kind: 'over' }, 'the episode ended'],
    [{ kind: 'newerPoll' }, 'a newer poll replaced it'],
    [{ kind: 'keepsRunning' }, 'the item returned'],
    [{ kind: 'valueRemoved' }, 'its value was removed from each'],
    [{ kind: 'emptyList' }, 'the list of forEach is empty'],
    [{ kind: 'noneOfList' }, 'the step was skipped for all elements of forEach'],
    [{ kind: 'partUnknown' }, 'it is unknown whether the previous part of the thread was sent'],
    [{ kind: 'lookUpFailed', step: 'vods', account: 'twitch' }, 'the look-up vods failed on twitch, and this step reads its result'],
  ])('%j', ([reason, message]) => {
    expect(withStepMessage(reason)).toEqual({ message, reason });
  });
});
