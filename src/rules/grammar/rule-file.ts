import { z } from 'zod';
import { StepFile } from './step-draft.ts';
import { WhenFile } from './when-draft.ts';
import { condition, duration } from './words.ts';

const wallTime = z.string().regex(/^(?:[01]?\d|2[0-3]):[0-5]\d$/u, { error: 'this is no time of the day: write it as "23:00"' });
const steps = z.array(StepFile).max(100);

const cooldown = z.union([
  duration,
  z.strictObject({
    for: duration.describe('How long.'),
    per: z.enum(['item', 'rule']).optional().describe('Each item for itself, or the rule as a whole. Default: item.'),
  }),
]);

const quiet = z
  .strictObject({
    from: wallTime.describe('The wall time at which they begin, as "23:00".'),
    to: wallTime.describe('The wall time at which they end, as "08:00".'),
    timezone: z.string().optional().describe('The zone of these clocks. Default: `timezone` of when, else UTC.'),
    then: z
      .union([z.enum(['hold', 'drop']), steps.min(1)])
      .describe(
        'What becomes of a firing in them: `hold` looks at each again at the end, `drop` forgets it; steps run once at the end with `held`.',
      ),
  })
  .meta({ id: 'quiet', description: 'Hours in which the rule does not speak.' });

const fuse = z.strictObject({
  firings: z.int().min(1).max(100_000).optional().describe('How many. Default: 30.'),
  per: duration.optional().describe('In how long. Default: 1h.'),
});

/** A rule file: what each key means, and what it may hold by itself. */
export const RuleFile = z
  .strictObject({
    id: z
      .string()
      .regex(/^[a-z0-9-]{1,64}$/u, { error: 'an id is made of 1 to 64 small letters, digits and -' })
      .describe('The name of the rule for ever; renaming it starts a new history.'),
    about: z.string().optional().describe('A sentence.'),
    vars: z.record(z.string(), z.unknown()).optional().describe('Constants, read as `vars.<name>`.'),
    enabled: z
      .union([z.boolean(), z.literal('sandbox')])
      .optional()
      .describe('true, false, or sandbox: on only while the sandbox plays. Default: true.'),
    each: z
      .record(z.string(), z.array(z.unknown()).min(1))
      .optional()
      .describe('Lists by name: the rule exists once for each combination, read as `each.<name>`. A map in a list is known by its `id`.'),
    when: WhenFile,
    if: condition.optional().describe('A condition, asked once, at the firing; false: nothing is sent.'),
    mode: z
      .enum(['queued', 'single', 'restart', 'parallel'])
      .optional()
      .describe(
        'What becomes of a firing that comes while an earlier one of the same item is being delivered: it comes after it, waits included, is refused, takes its place, or goes beside it. Default: queued.',
      ),
    max: z
      .int()
      .min(1)
      .max(1000)
      .optional()
      .describe('How many firings may wait in a queue, and how many slots `missed: all` makes up for. Default: 10.'),
    cooldown: cooldown
      .optional()
      .describe('At least this long between two firings that were sent: a duration for each item, or { for, per: item | rule }.'),
    quiet: quiet.optional(),
    fuse: fuse
      .optional()
      .describe('The firing past so many in so long is not sent and pauses the rule until the operator resumes it. Default: 30 per 1h.'),
    then: steps.min(1).describe('What is done when it fires.'),
    while: steps.optional().describe('What is done at each later poll that has the item; only what differs is sent.'),
    finally: steps.optional().describe('What is done at the end.'),
  })
  .describe('A rule of Fanfare.');

/** A rule file as written, as far as what each key holds is right: what was wrong is left out. */
export type RuleDraft = Draft<z.input<typeof RuleFile>>;
export type WhenDraft = NonNullable<RuleDraft['when']>;
export type ChangeDraft = NonNullable<NonNullable<WhenDraft['changes']>[number]>;
export type StepDraft = Draft<z.input<typeof StepFile>>;

type Draft<T> = T extends readonly (infer E)[]
  ? readonly (Draft<E> | null)[]
  : T extends object
    ? { readonly [K in keyof T]?: Draft<T[K]> | undefined }
    : T;
