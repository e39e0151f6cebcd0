import type { Suppression } from '#src/rules/reasons/reason.ts';
import type { ReasonEntry } from './entry.ts';

type OfKind<K extends Suppression['kind']> = Extract<Suppression, { readonly kind: K }>;

const BELOW = { kind: 'false', clauses: [{ source: 'item.viewerCount >= 100', values: [{ of: 'item.viewerCount', is: '40' }] }] } as const;

/** The reasons why a firing or an item is not announced, or not yet. */
export const GATE_REASONS: { readonly [K in Suppression['kind']]: ReasonEntry<OfKind<K>> } = {
  if: {
    examples: [
      { kind: 'if', because: BELOW },
      {
        kind: 'if',
        because: { kind: 'unclear', source: 'items[5].title == ""', error: 'index 5 is out of bounds: the list has 3 elements' },
      },
    ],
    meaning: 'The `if` of the rule is false, or its evaluation failed.',
    action: 'Change `if`. A condition that must hold all the time belongs in `where`.',
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
  collected: {
    examples: [{ kind: 'collected' }],
    meaning: 'The item entered in quiet hours. The steps of `quiet.then` announce it.',
    action: 'Wait for the end of the quiet hours.',
  },
  endedInQuiet: {
    examples: [{ kind: 'endedInQuiet' }],
    meaning: 'The item entered and left in quiet hours with `then: hold`, so there is nothing to announce.',
    action: 'To announce such items, write steps in `quiet.then`.',
  },
  paused: {
    examples: [{ kind: 'paused', by: 'ada', agoMs: 3_600_000 }],
    meaning: 'Someone paused the rule. Open cards are still updated and closed.',
    action: 'Run `fanfare resume <rule>`.',
  },
  fuseBlows: {
    examples: [{ kind: 'fuseBlows', firings: 31, perMs: 3_600_000, most: 30 }],
    meaning: 'The rule fired more often than `fuse` allows, so Fanfare paused it.',
    action: 'Find out why it fired so often, then run `fanfare resume <rule>`. If the number is normal, make `fuse` larger.',
  },
  fuseBlown: {
    examples: [{ kind: 'fuseBlown', agoMs: 3_600_000 }],
    meaning: 'The fuse paused the rule earlier.',
    action: 'Run `fanfare resume <rule>`.',
  },
  single: {
    examples: [{ kind: 'single' }],
    meaning: 'With `mode: single`: an earlier firing of the item is still being delivered, waits included.',
    action: 'Use `mode: queued`, or shorten the waits.',
  },
  queueFull: {
    examples: [{ kind: 'queueFull', waiting: 10, most: 10 }],
    meaning: 'With `mode: queued`: as many firings wait as `max` allows.',
    action: 'Check the targets with `fanfare doctor`. If they work, make `max` larger.',
  },
  parallelFull: {
    examples: [{ kind: 'parallelFull', firings: 10, most: 10 }],
    meaning: 'With `mode: parallel`: as many firings are being delivered as `max` allows.',
    action: 'Check the targets with `fanfare doctor`. If they work, make `max` larger.',
  },
  thereAlready: {
    examples: [{ kind: 'thereAlready' }],
    meaning: 'The first poll of the rule found the item.',
    action: 'To announce such items, write `first: fire`.',
  },
  unasked: {
    examples: [{ kind: 'unasked' }],
    meaning: '`changes` does not contain `entered`.',
    action: 'Add `entered` to `changes`.',
  },
  old: {
    examples: [{ kind: 'old', ageMs: 10_800_000, maxAgeMs: 3_600_000 }],
    meaning: 'The item is older than `when.maxAge`. A feed can show old records, for example after an edit.',
    action: 'Make `when.maxAge` longer.',
  },
  begunUnread: {
    examples: [{ kind: 'begunUnread', agoMs: 10_800_000, maxAgeMs: 3_600_000, unreadMs: 14_400_000 }],
    meaning: 'The stream began while Fanfare was down or could not read, longer than `when.maxAge` ago.',
    action: 'Make `when.maxAge` longer.',
  },
};
