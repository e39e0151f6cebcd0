import { z } from 'zod';
import { ChangeFile } from './change-draft.ts';
import { accountNames, condition, duration, maxAge, parameters, verb } from './words.ts';

const confirm = z.union([
  z.int().min(1),
  z.strictObject({
    new: z.int().min(1).optional().describe('Before an item counts as new. Default: 1.'),
    gone: z.int().min(1).optional().describe('Before an item counts as gone. Default: 2.'),
  }),
]);

/** When a rule looks and at what, as written. */
export const WhenFile = z
  .strictObject({
    every: duration.optional().describe('How often to look: a fixed grid in UTC, at least 5s.'),
    cron: z.string().optional().describe('When to look, as five or six cron fields.'),
    at: z
      .string()
      .optional()
      .describe('Once: an instant as 2026-12-24T18:00:00+01:00, or a local time as 2026-12-24 18:00 with `timezone`.'),
    timezone: z.string().optional().describe('The zone of `cron` and of a local `at`, and of `quiet` where that names none. Default: UTC.'),
    missed: z
      .enum(['skip', 'once', 'all'])
      .optional()
      .describe('Slots that passed while Fanfare was down: none, the latest, or, without `watch`, the latest `max`. Default: once.'),
    maxAge: maxAge
      .optional()
      .describe(
        'Nothing older is made up for; after a gap in the polls, what began longer ago opens silently. At least 1s. Default: 1h, or twice `every` if that is more.',
      ),
    watch: verb.optional().describe('A read operation whose answer is watched; without it, `then` runs every slot.'),
    with: parameters.optional().describe('Its parameters; expressions see `each` and `vars` only.'),
    account: accountNames
      .optional()
      .describe(
        'Whose account reads; with several each item has `account`. Default: the one that `defaults` of fanfare.yaml names, else the only one that is connected.',
      ),
    where: condition.optional().describe('A condition on `item`: which items count at all.'),
    take: z.int().min(1).optional().describe('Looks only at the first n of those.'),
    key: condition.optional().describe('An expression on `item`: what it is known by. Default: its id, of a stream its channel.'),
    changes: z.array(ChangeFile).min(1).max(50).optional().describe('Which changes of the list fire. Default: [entered].'),
    confirm: confirm.optional().describe('How many polls in a row must agree: a number for both, or { new, gone }. Default: 1 and 2.'),
    settle: duration.optional().describe('How long an item must have been there, or a new value have held. Default: 0s.'),
    grace: duration.optional().describe('How long an item may be gone and still be the same. Default: 0s.'),
    first: z.enum(['silent', 'fire']).optional().describe('Whether what is there at the first poll is announced. Default: silent.'),
    per: z
      .enum(['item', 'poll', 'slot'])
      .optional()
      .describe('What one firing is about: an item, all `changes` of a poll, or a slot, whatever changed. Default: item.'),
  })
  .meta({ id: 'when', description: 'When the rule looks, and at what.' });

/** The keys of `when` that say something about what is watched. */
export const ABOUT_WATCH = ['with', 'account', 'where', 'take', 'key', 'changes', 'confirm', 'settle', 'grace', 'first', 'per'];

/** The keys of `when` that hold expressions on an item; in all others an expression is fixed when the rule is loaded. */
export const ON_ITEM: readonly string[] = ['where', 'key'];
