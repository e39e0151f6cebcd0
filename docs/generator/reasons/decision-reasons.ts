import type { Reason } from '#src/rules/reasons/reason.ts';
import type { ReasonEntry } from './entry.ts';

type OfKind<K extends Reason['kind']> = Extract<Reason, { readonly kind: K }>;

const STANDING = { rank: 3, viewers: 740 };
/** Only items of rankings have a rank. */
const LIVE = { viewers: 740 };
const BELOW = {
  kind: 'false',
  clauses: [{ source: 'item.viewerCount >= 100', values: [{ expression: 'item.viewerCount', value: '40' }] }],
} as const;
const NOTHING = 'Nothing.';

/** The reasons of decisions: one for each item and poll, or for a whole poll. */
export const DECISION_REASONS: { readonly [K in Reason['kind']]: ReasonEntry<OfKind<K>> } = {
  itemChanged: {
    examples: [
      { kind: 'itemChanged', name: 'ada', change: { kind: 'entered', standing: STANDING } },
      { kind: 'itemChanged', name: 'ada', change: { kind: 'entered', standing: LIVE, live: true } },
      {
        kind: 'itemChanged',
        name: 'ada',
        change: { kind: 'entered', standing: STANDING },
        block: { kind: 'suppressed', by: { kind: 'cooldown', per: 'item', agoMs: 3_600_000, leftMs: 18_000_000 } },
      },
      { kind: 'itemChanged', name: 'ada', change: { kind: 'rose', field: 'viewerCount', thresholds: [1000], value: 1200, previous: 900 } },
      {
        kind: 'itemChanged',
        name: 'ada',
        change: { kind: 'rose', field: 'viewerCount', thresholds: [1100], every: 100, value: 1120, previous: 1080 },
      },
    ],
    meaning: 'The item changed as `changes` asks. The rule fired, or a gate blocked the firing.',
    action: 'If the firing was blocked, see the reason after the message in [Gates](#gates).',
  },
  itemsChanged: {
    examples: [{ kind: 'itemsChanged', changes: [{ change: 'entered', count: 2, names: ['ada', 'grace'] }] }],
    meaning: 'With `per: poll`: the poll had these changes.',
    action: 'If the firing was blocked, see the reason after the message in [Gates](#gates).',
  },
  scheduledRun: {
    examples: [{ kind: 'scheduledRun' }, { kind: 'scheduledRun', block: { kind: 'suppressed', by: { kind: 'modeSingle' } } }],
    meaning: 'The schedule reached a slot of a rule without `watch`, or with `per: slot`.',
    action: 'If nothing was sent, see the reason after the message in [Gates](#gates).',
  },
  commandUsed: {
    examples: [
      { kind: 'commandUsed', command: 'schedule', by: 'Ada' },
      {
        kind: 'commandUsed',
        command: 'schedule',
        by: 'Ada',
        block: { kind: 'suppressed', by: { kind: 'paused', by: 'Grace', agoMs: 60_000 } },
      },
    ],
    meaning: 'A member used the slash command of a rule with `command`.',
    action: 'If nothing was answered, see the reason after the message in [Gates](#gates).',
  },
  webhookReceived: {
    examples: [
      { kind: 'webhookReceived', webhook: 'kofi' },
      { kind: 'webhookReceived', webhook: 'kofi', block: { kind: 'suppressed', by: { kind: 'paused', by: 'Grace', agoMs: 60_000 } } },
    ],
    meaning: 'A request to the webhook of a rule with `webhook` arrived, and its secret and its fields were right.',
    action: 'If nothing was sent, see the reason after the message in [Gates](#gates).',
  },
  quietHoursEnded: {
    examples: [{ kind: 'quietHoursEnded', changes: 3 }],
    meaning: 'The quiet hours ended. The steps of `quiet.then` get the deferred changes.',
    action: NOTHING,
  },
  limitEnded: {
    examples: [
      { kind: 'limitEnded', changes: 3 },
      { kind: 'limitEnded', changes: 3, block: { kind: 'deferred', by: { kind: 'paused', by: 'Grace', agoMs: 60_000 } } },
    ],
    meaning: '`limit` allows a further firing. The steps of `limit.then` get the collected changes, if no pause delays them.',
    action: 'If a pause delays the steps, resume the rule.',
  },
  gathered: {
    examples: [
      { kind: 'gathered', changes: 5, by: 'count' },
      { kind: 'gathered', changes: 2, by: 'time' },
      { kind: 'gathered', changes: 2, by: 'time', block: { kind: 'deferred', by: { kind: 'paused', by: 'Grace', agoMs: 60_000 } } },
    ],
    meaning: '`gather` has collected enough changes, or its time has come. Its steps get them, if no pause delays them.',
    action: 'If a pause delays the steps, resume the rule.',
  },
  everyReached: {
    examples: [
      { kind: 'everyReached', name: 'ada', everyMs: 14_400_000, multipleMs: 28_800_000 },
      { kind: 'everyReached', name: 'ada', everyMs: 14_400_000, multipleMs: 43_200_000, missed: 2 },
      {
        kind: 'everyReached',
        name: 'ada',
        everyMs: 14_400_000,
        multipleMs: 28_800_000,
        block: { kind: 'suppressed', by: { kind: 'paused', by: 'Grace', agoMs: 60_000 } },
      },
    ],
    meaning:
      'The poll is the first one at or after a multiple of `every` since the start of the episode. The steps of `while` with this `every` ran, or a gate blocked those that create something.',
    action: 'If nothing was sent, see the reason after the message in [Gates](#gates).',
  },
  closed: {
    examples: [{ kind: 'closed', name: 'ada', live: true, seenMs: 7_500_000, standing: LIVE }],
    meaning: 'The episode of the item ended, and `finally` runs.',
    action: 'If the stream continues, make `grace` longer.',
  },
  returned: {
    examples: [{ kind: 'returned', name: 'ada', standing: LIVE, awayMs: 300_000 }],
    meaning: 'The item was missing for less than `grace` and returned.',
    action: 'If the return must be announced, make `grace` shorter.',
  },
  opened: {
    examples: [{ kind: 'opened', name: 'ada', standing: LIVE, suppressedBy: { kind: 'alreadyInList' } }],
    meaning: 'The rule follows the item without an announcement.',
    action: 'See the reason after the message in [Gates](#gates).',
  },
  baseline: {
    examples: [
      { kind: 'baseline', isNew: true, found: { count: 2, names: ['ada', 'grace'] } },
      { kind: 'baseline', isNew: false, found: { count: 2, names: ['ada', 'grace'] } },
    ],
    meaning: 'The first poll of a rule, or the first one after a change of `watch`, `with`, `where` or `take`. Items in it are not news.',
    action: 'To announce them, write `first: fire`.',
  },
  waiting: {
    examples: [{ kind: 'waiting', name: 'ada', standing: STANDING, settleMs: 300_000, seen: { count: 1, of: 2 } }],
    meaning: 'The item must stay in the list for `settle`, and in as many polls as `confirm` asks, before it counts.',
    action: 'Wait, or make `settle` or `confirm` smaller.',
  },
  settling: {
    examples: [
      { kind: 'settling', name: 'ada', change: { kind: 'rose', field: 'viewerCount', thresholds: [1000], value: 1200 }, settleMs: 60_000 },
    ],
    meaning: 'A new value must hold for `settle` before it counts.',
    action: 'Wait, or make `settle` shorter.',
  },
  missing: {
    examples: [{ kind: 'missing', name: 'ada', missing: { polls: { count: 1, of: 2 }, graceMs: 600_000 } }],
    meaning: 'The item is missing, but not for long enough to end its episode.',
    action: NOTHING,
  },
  leftBeforeOpening: {
    examples: [{ kind: 'leftBeforeOpening', name: 'ada', seenMs: 120_000 }],
    meaning: 'The item left before `settle` or `confirm` was fulfilled. It was never announced.',
    action: 'If it should be announced, make `settle` or `confirm` smaller.',
  },
  unchanged: {
    examples: [
      { kind: 'unchanged', read: 2, followed: 2 },
      { kind: 'unchanged', live: true, hinted: true, read: 1, followed: 1 },
    ],
    meaning: 'The poll succeeded and nothing that the rule announces changed.',
    action: 'If you expected an announcement, compare `changes`, `where` and `take` with the item.',
  },
  filteredOut: {
    examples: [{ kind: 'filteredOut', count: 1, named: [{ name: 'ada', condition: BELOW }] }],
    meaning: 'Items of the list do not fulfil `where`. The message has their values.',
    action: 'Change `where` if the items should count.',
  },
  restricted: {
    examples: [{ kind: 'restricted', followers: 1, direct: 2 }],
    meaning: 'The list has items that not everyone can read: posts for followers, or direct posts and messages.',
    action: 'Add `include` to `when` if the rule needs them.',
  },
  removedByEdit: {
    examples: [{ kind: 'removedByEdit', name: 'ada', seenMs: 7_500_000 }],
    meaning:
      'An edit of the rule removed the item from the list, for example its user. The episode ends: `finally` edits and deletes its messages, and creates none.',
    action: NOTHING,
  },
  removedFromEach: {
    examples: [{ kind: 'removedFromEach', name: 'ada', seenMs: 7_500_000 }],
    meaning:
      'The value of the item was removed from `each`, so its episode ends: `finally` edits and deletes its messages, and creates none.',
    action: NOTHING,
  },
  pollFailed: {
    examples: [{ kind: 'pollFailed', failure: 'twitch is unavailable (503)' }, { kind: 'pollFailed' }],
    meaning: 'The poll failed. A failed poll opens and closes nothing.',
    action: 'The next poll tries again. If the failure stays, run `fanfare doctor`.',
  },
  pollPartlyFailed: {
    examples: [
      {
        kind: 'pollPartlyFailed',
        count: 2,
        parts: [
          { account: 'twitch', names: { count: 1, names: ['ada'] }, failure: 'rejected: invalid login name', fault: 'rejected' },
          { account: 'kick', isWhole: true, failure: 'unavailable: kick is unavailable (503)', fault: 'unavailable' },
        ],
      },
    ],
    meaning: 'The poll was read without these names, or without these accounts. Their episodes stay as they were.',
    action: 'The next poll tries again. If a name stays in the message, correct it in the list or in the rule.',
  },
  missingKey: {
    examples: [{ kind: 'missingKey', items: { count: 1, named: [{ name: 'ada' }] } }],
    meaning:
      'Items have no key, so they are left out. Fanfare cannot tell whether their episodes continue, so no item counts as missing in this poll.',
    action: 'Write `when.key` with a field that every item has, or exclude these items with `where`.',
  },
};
