import { z } from 'zod';
import type { Declared, Watch } from '#src/operation/declared.ts';
import { accountNames, condition, duration, maxAge, parameters, verb } from './scalars.ts';

const field = z.string().min(1).describe('A field of the item that is a number, or a path to one.');
const lines = z.union([z.number(), z.array(z.number()).min(1).max(100)]);
const rearm = lines.optional().describe('It is armed again where the field has been back past this. Default: the line itself.');

const ChangeMap = z
  .strictObject({
    moved: z.enum(['up', 'down']).optional().describe('Its place changed in this direction.'),
    changed: z
      .array(z.string().min(1))
      .min(1)
      .max(50)
      .optional()
      .describe('One of these fields changed; a field may be a path, as `game.name`.'),
    rose: z
      .strictObject({ field, above: lines.describe('The line that is crossed, or several, each for itself.'), rearm })
      .optional()
      .describe('A number rose past a line.'),
    fell: z
      .strictObject({ field, below: lines.describe('The line that is crossed, or several, each for itself.'), rearm })
      .optional()
      .describe('A number fell past a line.'),
  })
  .meta({ minProperties: 1, maxProperties: 1 });

/** A change of the list, as written. */
const ChangeFile = z.union([z.enum(['entered', 'left', 'moved']), ChangeMap]);

const confirm = z.union([
  z.int().min(1),
  z.strictObject({
    new: z.int().min(1).optional().describe('Before an item counts as new. Default: 1.'),
    gone: z.int().min(1).optional().describe('Before an item counts as gone. Default: 2.'),
  }),
]);

/** The `when` of a rule file. */
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

/** The keys of `when` that need `watch`. */
export const ABOUT_WATCH = ['with', 'account', 'where', 'take', 'key', 'changes', 'confirm', 'settle', 'grace', 'first', 'per'];

/** The keys of `when` with expressions on an item. Expressions in other keys are fixed at load. */
export const ON_ITEM: readonly string[] = ['where', 'key'];

/** Parameters that polls do not take: a poll has its own pace and starts at the first page. */
export const NOT_FOR_POLLS: readonly string[] = ['waitTime', 'cursor'];

/** The meaning of a missing item; undefined if rules cannot watch the operation. */
export function watchKind(declared: Declared | undefined): Watch | undefined {
  return declared?.kind === 'list' || declared?.kind === 'read' ? declared.watch : undefined;
}
