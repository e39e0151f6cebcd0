import type { Suppression } from '#src/rules/reasons/reason.ts';
import type { ReasonEntry } from './entry.ts';

type OfKind<K extends Suppression['kind']> = Extract<Suppression, { readonly kind: K }>;

const BELOW = {
  kind: 'false',
  clauses: [{ source: 'item.viewerCount >= 100', values: [{ expression: 'item.viewerCount', value: '40' }] }],
} as const;

/** The reasons why a firing or an item is not announced, or not yet. */
export const GATE_REASONS: { readonly [K in Suppression['kind']]: ReasonEntry<OfKind<K>> } = {
  if: {
    examples: [
      { kind: 'if', condition: BELOW },
      {
        kind: 'if',
        condition: { kind: 'error', source: 'items[5].title == ""', error: 'index 5 is out of bounds: the list has 3 elements' },
      },
    ],
    meaning: 'The `if` of the rule is false, or its evaluation failed.',
    action: 'Change `if`. A condition that must hold all the time belongs in `where`.',
  },
  keepFailed: {
    examples: [{ kind: 'keepFailed', name: 'total', error: 'the value is not a whole number' }],
    meaning: 'A stored value of `keep` cannot be computed, so the rule does not fire and no value changes.',
    action: 'Change the expression in `keep`.',
  },
  cooldown: {
    examples: [
      { kind: 'cooldown', per: 'item', agoMs: 3_600_000, leftMs: 18_000_000 },
      { kind: 'cooldown', per: 'rule', agoMs: 0, leftMs: 3_600_000 },
    ],
    meaning: 'The item or the rule was announced less than `cooldown` ago. The announcement is not sent later.',
    action: 'Make `cooldown` shorter, or use `per: item`.',
  },
  quietHours: {
    examples: [{ kind: 'quietHours', fromMinute: 1380, toMinute: 480, timezone: 'Europe/Paris', leftMs: 3_600_000 }],
    meaning: 'It is in the quiet hours of the rule.',
    action: 'With `then: hold` or steps, wait for the end of the quiet hours. With `then: drop`, nothing is sent later.',
  },
  deferredToQuietSteps: {
    examples: [{ kind: 'deferredToQuietSteps' }],
    meaning: 'The item entered in quiet hours. The steps of `quiet.then` announce it.',
    action: 'Wait for the end of the quiet hours.',
  },
  endedInQuietHours: {
    examples: [{ kind: 'endedInQuietHours' }],
    meaning: 'The item entered and left in quiet hours with `then: hold`, so there is nothing to announce.',
    action: 'To announce such items, write steps in `quiet.then`.',
  },
  limitReached: {
    examples: [{ kind: 'limitReached', limit: 5, perMs: 86_400_000, leftMs: 3_600_000 }],
    meaning: 'The rule fired as often as `limit` allows.',
    action:
      'With `then: hold` or steps, wait until a firing is allowed. With `then: drop`, or if 100 firings are collected for the steps, nothing is sent later.',
  },
  deferredToLimitSteps: {
    examples: [{ kind: 'deferredToLimitSteps' }],
    meaning: 'The item entered when `limit` allowed no firing. The steps of `limit.then` announce it.',
    action: 'Wait until a firing is allowed.',
  },
  endedAtLimit: {
    examples: [{ kind: 'endedAtLimit' }],
    meaning: 'The item entered and left while `limit` with `then: hold` deferred it, so there is nothing to announce.',
    action: 'To announce such items, write steps in `limit.then`.',
  },
  paused: {
    examples: [{ kind: 'paused', by: 'ada', agoMs: 3_600_000 }],
    meaning: 'Someone paused the rule. Open cards are still updated and closed.',
    action: 'Run `fanfare resume <rule>`.',
  },
  muted: {
    examples: [{ kind: 'muted', by: 'ada', agoMs: 3_600_000 }],
    meaning:
      'Someone pressed a button with `mute: item`. The item is announced again in its next episode. Open cards are still updated and closed.',
    action: 'Wait for the end of the episode.',
  },
  fuseLimitReached: {
    examples: [{ kind: 'fuseLimitReached', firings: 31, perMs: 3_600_000, limit: 30 }],
    meaning: 'The rule fired more often than `fuse` allows, so Fanfare paused it.',
    action: 'Find out why it fired so often, then run `fanfare resume <rule>`. If the number is normal, make `fuse` larger.',
  },
  fuseBlown: {
    examples: [{ kind: 'fuseBlown', agoMs: 3_600_000, limit: 30, perMs: 3_600_000 }],
    meaning: 'The fuse paused the rule earlier.',
    action: 'Run `fanfare resume <rule>`.',
  },
  modeSingle: {
    examples: [{ kind: 'modeSingle' }],
    meaning: 'With `mode: single`: an earlier firing of the item is still being delivered, waits included.',
    action: 'Use `mode: queued`, or shorten the waits.',
  },
  queueFull: {
    examples: [{ kind: 'queueFull', waiting: 10, limit: 10 }],
    meaning: 'With `mode: queued`: as many firings wait as `max` allows.',
    action: 'Check the targets with `fanfare doctor`. If they work, make `max` larger.',
  },
  parallelFull: {
    examples: [{ kind: 'parallelFull', firings: 10, limit: 10 }],
    meaning: 'With `mode: parallel`: as many firings are being delivered as `max` allows.',
    action: 'Check the targets with `fanfare doctor`. If they work, make `max` larger.',
  },
  alreadyInList: {
    examples: [{ kind: 'alreadyInList' }],
    meaning: 'The first poll of the rule found the item.',
    action: 'To announce such items, write `first: fire`.',
  },
  notInChanges: {
    examples: [{ kind: 'notInChanges' }],
    meaning: '`changes` does not contain `entered`.',
    action: 'Add `entered` to `changes`.',
  },
  olderThanMaxAge: {
    examples: [{ kind: 'olderThanMaxAge', ageMs: 10_800_000, maxAgeMs: 3_600_000 }],
    meaning:
      'The item is older than `when.maxAge`. The first poll that showed it was too late, or `where` was not true earlier. A feed can also show old records, for example after an edit.',
    action: 'Make `when.maxAge` longer.',
  },
  beganDuringGap: {
    examples: [{ kind: 'beganDuringGap', agoMs: 10_800_000, maxAgeMs: 3_600_000, gapMs: 14_400_000 }],
    meaning: 'The stream began while Fanfare was down or could not read, longer than `when.maxAge` ago.',
    action: 'Make `when.maxAge` longer.',
  },
};
