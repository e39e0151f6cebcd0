import { z } from 'zod';
import { accountNames, condition, duration, maxAge, parameters, stepId, verb } from './scalars.ts';
import { WhenFile } from './when-file.ts';

/** A step as written. */
const StepFile = z
  .strictObject({
    wait: duration.optional().describe('A step of its own: those below it are due this much later.'),
    id: stepId.optional().describe('A name, so that later steps can read what it gave as `steps.<id>`.'),
    do: verb.optional().describe('The operation.'),
    with: parameters.optional().describe('Its parameters.'),
    if: condition.optional().describe('A condition, asked when the step is due; false: the step is skipped.'),
    as: accountNames
      .optional()
      .describe(
        'An account, or several: each is delivered, retried and recorded on its own. Default: the `defaults` of fanfare.yaml, else the only one that is connected.',
      ),
    forEach: condition.optional().describe('An expression that gives a list: the step is done for each of it, read as `it` and `index`.'),
    fit: z
      .enum(['truncate', 'thread', 'error'])
      .optional()
      .describe(
        'What becomes of text that a platform would refuse for its length: shortened with its links whole, made a thread, or a failure. Default: truncate.',
      ),
    onError: z
      .enum(['continue', 'stop'])
      .optional()
      .describe(
        'What follows a failure of this step at any target: `stop` skips the later steps of the list, `continue` goes on. Default: continue, but a step whose text reads the result of a failed look-up is skipped; with `continue` written out, the result reads as empty.',
      ),
    strict: z
      .boolean()
      .optional()
      .describe(
        'Whether the step fails if a file, a `mention` or a tag of it cannot be had. Default: false, it is sent without that part, and the delivery says so.',
      ),
    retry: z
      .strictObject({
        for: duration.optional().describe('How long an attempt is repeated. Default: 24h.'),
        attempts: z.int().min(1).max(1000).optional().describe('How often it is tried at most.'),
      })
      .optional()
      .describe('How long, and how often, it is tried again where a target cannot be reached.'),
    maxAge: maxAge
      .optional()
      .describe(
        'How long after it is due the step may still begin; of `discord.ask`, how long a person may take. At least 1s. Default: `maxAge` of when for what makes something new in `then`, else none.',
      ),
  })
  .meta({ id: 'step', description: 'One thing to do, or a wait.' });

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

/** The schema of a rule file. */
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

/** A rule file without its wrong parts. */
export type RuleDraft = Draft<z.input<typeof RuleFile>>;
export type WhenDraft = NonNullable<RuleDraft['when']>;
export type ChangeDraft = NonNullable<NonNullable<WhenDraft['changes']>[number]>;
export type StepDraft = Draft<z.input<typeof StepFile>>;

type Draft<T> = T extends readonly (infer E)[]
  ? readonly (Draft<E> | null)[]
  : T extends object
    ? { readonly [K in keyof T]?: Draft<T[K]> | undefined }
    : T;
