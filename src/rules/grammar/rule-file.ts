import { z } from 'zod';
import { DURATION, parseDuration } from './duration.ts';

const duration = z
  .string()
  .regex(DURATION, { error: 'this is no length of time: write it as 90s, 1h30m or 7d' })
  .refine((text) => !DURATION.test(text) || parseDuration(text) !== undefined, { error: 'this is longer than ten years' });

const condition = z.string().min(1);
const verb = z.string().regex(/^[a-z]\w*\.[a-z]\w*$/iu, { error: 'an operation is named as streaming.getStreams' });
const account = z.string().min(1);
const parameters = z.record(z.string(), z.unknown());

/** Names that an expression cannot read behind `steps.`. */
const UNREADABLE: ReadonlySet<string> = new Set(['in', 'true', 'false', 'null', 'constructor']);

const stepId = z
  .string()
  .regex(/^[A-Za-z]\w{0,63}$/u, { error: 'the id of a step is made of letters, digits and _, and begins with a letter' })
  .refine((id) => !UNREADABLE.has(id), { error: 'no expression could read a step of this name' });

const Step = z
  .strictObject({
    id: stepId.optional().describe('A name, so that later steps can read what it gave as `steps.<id>`.'),
    do: verb.describe('The operation.'),
    with: parameters.optional().describe('Its parameters.'),
    if: condition.optional().describe('A condition, asked when the step is due; false: the step is skipped.'),
    as: z
      .union([account, z.array(account).min(1)])
      .optional()
      .describe('An account, or several: each is delivered, retried and recorded on its own. Default: the one that is connected.'),
  })
  .meta({ id: 'step', description: 'One thing to do.' });

const When = z
  .strictObject({
    every: duration.optional().describe('How often to look: a fixed grid in UTC, at least 5s.'),
    cron: z.string().optional().describe('When to look, as five or six cron fields.'),
    timezone: z.string().optional().describe('The zone of `cron`, as Europe/Paris. Default: UTC.'),
    missed: z.enum(['skip', 'once']).optional().describe('Slots that passed while Fanfare was down: none, or the latest. Default: once.'),
    maxAge: duration.optional().describe('Nothing older is made up for. Default: 1h, or twice `every` if that is more.'),
    watch: verb.optional().describe('A read operation whose list is watched; without it, `then` runs every slot.'),
    with: parameters.optional().describe('Its parameters.'),
    account: account.optional().describe('Whose account reads. Default: the one that is connected.'),
    where: condition.optional().describe('A condition on `item`: which items count at all.'),
    take: z.int().min(1).optional().describe('Looks only at the first n of those.'),
    key: condition.optional().describe('An expression on `item`: what it is known by. Default: its id, of a stream its channel.'),
    changes: z
      .array(z.enum(['entered', 'left']))
      .min(1)
      .optional()
      .describe('Which changes of the list fire. Default: [entered].'),
    confirm: z
      .union([
        z.int().min(1),
        z.strictObject({
          new: z.int().min(1).optional().describe('Before an item counts as new. Default: 1.'),
          gone: z.int().min(1).optional().describe('Before an item counts as gone. Default: 2.'),
        }),
      ])
      .optional()
      .describe('How many polls in a row must agree: a number for both, or { new, gone }. Default: 1 and 2.'),
    settle: duration.optional().describe('How long an item must have been there. Default: 0s.'),
    grace: duration.optional().describe('How long an item may be gone and still be the same. Default: 0s.'),
    first: z.enum(['silent', 'fire']).optional().describe('Whether what is there at the first poll is announced. Default: silent.'),
  })
  .meta({ id: 'when', description: 'When the rule looks, and at what.' });

/** The keys of `when` that say something about what is watched. */
export const ABOUT_WATCH = ['with', 'account', 'where', 'take', 'key', 'changes', 'confirm', 'settle', 'grace', 'first'];

/** A rule file: what each key means, and what it may hold by itself. */
export const RuleFile = z
  .strictObject({
    id: z
      .string()
      .regex(/^[a-z0-9-]{1,64}$/u, { error: 'an id is made of 1 to 64 small letters, digits and -' })
      .describe('The name of the rule for ever; renaming it starts a new history.'),
    about: z.string().optional().describe('A sentence.'),
    enabled: z
      .union([z.boolean(), z.literal('sandbox')])
      .optional()
      .describe('true, false, or sandbox: on only while the sandbox plays. Default: true.'),
    when: When,
    if: condition.optional().describe('A condition, asked once, at the firing; false: nothing is sent.'),
    cooldown: z
      .union([
        duration,
        z.strictObject({
          for: duration.describe('How long.'),
          per: z.enum(['item', 'rule']).optional().describe('Each item for itself, or the rule as a whole. Default: item.'),
        }),
      ])
      .optional()
      .describe('At least this long between two firings: a duration for each item, or { for, per: item | rule }.'),
    then: z.array(Step).min(1).describe('What is done when it fires.'),
    while: z.array(Step).optional().describe('What is done at each later poll that has the item; only what differs is sent.'),
    finally: z.array(Step).optional().describe('What is done at the end.'),
  })
  .describe('A rule of Fanfare.');

/** A rule file as written, as far as what each key holds is right: what was wrong is left out. */
export type RuleDraft = Draft<z.input<typeof RuleFile>>;
export type WhenDraft = NonNullable<RuleDraft['when']>;
export type StepDraft = Draft<z.input<typeof Step>>;

type Draft<T> = T extends readonly (infer E)[]
  ? readonly (Draft<E> | null)[]
  : T extends object
    ? { readonly [K in keyof T]?: Draft<T[K]> | undefined }
    : T;
