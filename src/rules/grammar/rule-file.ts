import { z } from 'zod';
import { PRIORITIES } from '#src/rules/priority.ts';
import { MOST_COLLECTED } from '#src/rules/rule.ts';
import { RESTRICTIONS } from '#src/clients/operation/audience.ts';
import { LONGEST_KEPT_TEXT, MOST_KEPT_TEXTS } from '#src/rules/kept-values.ts';
import { accountNames, answerWithin, condition, duration, maxAge, parameters, stepEvery, stepId, verb } from './scalars.ts';
import { WhenFile } from './when-file.ts';

/** The schema of a step. */
export const StepFile = z
  .strictObject({
    wait: duration.optional().describe('A separate step: the steps below it are due this much later.'),
    id: stepId.optional().describe('The name of the step. Later steps read its result as `steps.<id>`.'),
    do: verb.optional().describe('The operation.'),
    with: parameters.optional().describe('The parameters of the operation.'),
    if: condition.optional().describe('A condition. Fanfare evaluates it when the step is due. If it is false, the step is skipped.'),
    as: accountNames
      .optional()
      .describe(
        'One account or several. Each account has a separate delivery with separate retries. A look-up can have `${{ item.account }}`: the account that read the item; if its platform does not support the look-up, the result is empty. Default: the `defaults` of fanfare.yaml, else the only connected account.',
      ),
    forEach: condition
      .optional()
      .describe(
        'An expression with a list. The step runs once for each element, which expressions read as `it` and `index`. Later steps read its results as a list.',
      ),
    every: stepEvery
      .optional()
      .describe(
        'Only for steps of `while`: the step runs once at each multiple of this time since the start of the episode, at the first poll at or after it. Such a step may create something, and Fanfare sends an unchanged text again. If several multiples pass without a poll, the step runs once. At least 1m. Default: the step runs at each poll.',
      ),
    fit: z
      .enum(['truncate', 'thread', 'error'])
      .optional()
      .describe(
        'How Fanfare handles a text that is too long for its platform: `truncate` shortens it and keeps links whole, `thread` splits it into a thread, `error` fails the step. Default: truncate.',
      ),
    onError: z
      .enum(['continue', 'stop'])
      .optional()
      .describe(
        'What happens after this step fails at a target: `stop` skips the later steps of the list, `continue` runs them. Default: continue, except that a step is skipped if its text reads the result of a failed look-up. With an explicit `continue`, that result is empty.',
      ),
    strict: z
      .boolean()
      .optional()
      .describe(
        'Whether the step fails if a file, a `mention` or a tag is unavailable. Default: false: Fanfare sends the step without that part and records this in the delivery.',
      ),
    include: z
      .array(z.enum(RESTRICTIONS))
      .min(1)
      .max(RESTRICTIONS.length)
      .optional()
      .describe(
        'Records of a look-up that not everyone can read and that its result also has: posts for `followers`, and `direct` posts and messages. Default: only records that everyone can read.',
      ),
    audience: z
      .literal('public')
      .optional()
      .describe(
        'Sends the step even if more people can read it than the records that it is made from. Without it, Fanfare skips the step in that case.',
      ),
    retry: z
      .strictObject({
        for: duration.optional().describe('How long Fanfare retries. Default: 24h.'),
        attempts: z
          .int()
          .min(1)
          .max(1000)
          .optional()
          .describe('The maximum number of attempts. While a known rate limit prevents a request, there is no attempt.'),
      })
      .optional()
      .describe('The limits of retries after a target is unavailable. Steps that read the result of this step wait until then.'),
    afterEnd: z
      .boolean()
      .optional()
      .describe(
        'Whether a step of `then` behind a `wait` runs even if the episode ends before the wait. Default: false for steps that create something, which Fanfare then withdraws; edits and deletions always run.',
      ),
    maxAge: maxAge
      .optional()
      .describe(
        'How late the step may begin after it is due. The time in which it waits for the result of another step, for example for the answer to a question, does not count. At least 1s. Default: `maxAge` of `when` for steps that create something in `then` or with `every`, else no limit.',
      ),
    answerWithin: answerWithin
      .optional()
      .describe('Only for `discord.ask`: how long users may take to answer. At least 1s. Default: `maxAge` of the step.'),
  })
  .meta({ id: 'step', description: 'An operation, or a wait.' });

const wallTime = z.string().regex(/^(?:[01]?\d|2[0-3]):[0-5]\d$/u, { error: 'not a time of day: write it as "23:00"' });
const steps = z.array(StepFile).max(100);

const cooldown = z.union([
  duration,
  z.strictObject({
    for: duration.describe('The duration.'),
    per: z.enum(['item', 'rule']).optional().describe('Whether each item or the whole rule has one cooldown. Default: item.'),
  }),
]);

const quiet = z
  .strictObject({
    from: wallTime.describe('The wall time at which quiet hours begin, for example "23:00".'),
    to: wallTime.describe('The wall time at which quiet hours end, for example "08:00".'),
    timezone: z.string().optional().describe('The time zone of `from` and `to`. Default: `timezone` of `when`, else UTC.'),
    then: z
      .union([z.enum(['hold', 'drop']), steps.min(1)])
      .describe(
        'What happens to a firing in quiet hours: `hold` evaluates it again when they end, `drop` discards it. Steps run once when they end, with all deferred firings in `held`.',
      ),
  })
  .meta({ id: 'quiet', description: 'Hours in which the rule announces nothing.' });

const limit = z
  .strictObject({
    firings: z.int().min(1).max(1000).describe('The maximum number of firings of the rule, about all items together.'),
    per: duration.describe('The time in which firings are counted, back from each firing.'),
    then: z
      .union([z.enum(['hold', 'drop']), steps.min(1)])
      .describe(
        'What happens to a further firing: `hold` evaluates it again when a firing is allowed, the oldest one first, `drop` discards it. Steps run once when a firing is allowed, with all further firings in `held`, at most 100; they need `per: item` or `per: poll`.',
      ),
  })
  .meta({
    id: 'limit',
    description:
      'The maximum number of firings of the rule in a time. Unlike a fuse, it does not pause the rule. For one limit for each item, make one rule for each with `each`.',
  });

const gather = z
  .strictObject({
    count: z.int().min(1).max(MOST_COLLECTED).optional().describe('The number of items at which the steps run. Default: 100.'),
    cron: z.string().optional().describe('When the steps run with the items so far, if there are any: a cron expression.'),
    timezone: z.string().optional().describe('The time zone of `cron`. Default: `timezone` of `when`, else UTC.'),
    then: steps.min(1).describe('The steps. They run once with all items in `held`.'),
  })
  .meta({ id: 'gather', description: 'Collects the items of firings, and runs steps once with all of them.' });

const fuse = z.strictObject({
  firings: z
    .int()
    .min(1)
    .max(100_000)
    .optional()
    .describe('The maximum number of firings. Default: 30; with `command`, 1,000; with `webhook`, 300.'),
  per: duration.optional().describe('The time in which firings are counted. Default: 1h.'),
});

const keep = z
  .record(
    z.string(),
    z.union([
      condition,
      z.strictObject({
        start: z
          .union([
            z.number(),
            z.boolean(),
            z.string().max(LONGEST_KEPT_TEXT),
            z.array(z.string().max(LONGEST_KEPT_TEXT)).max(MOST_KEPT_TEXTS),
          ])
          .describe(
            'The value before the first firing: a number, a text, true, false, or a list of texts. Its type is the type of the value.',
          ),
        next: condition.describe('An expression with the value after a firing.'),
      }),
    ]),
  )
  .meta({ id: 'keep', description: 'Values that the rule stores between its firings, by name.' });

const ruleId = z.string().regex(/^[a-z0-9-]{1,64}$/u, { error: 'an id has 1 to 64 lower-case letters, digits and -' });

/** The schema of a rule file. */
export const RuleFile = z
  .strictObject({
    id: ruleId.describe('The name of the rule. A renamed rule starts a new history, unless `was` has its previous id.'),
    was: ruleId
      .optional()
      .describe('The previous id of a renamed rule. Its open cards, its waiting messages and its history belong to this rule.'),
    about: z.string().optional().describe('A sentence that describes the rule.'),
    vars: z.record(z.string(), z.unknown()).optional().describe('Constants. Expressions read them as `vars.<name>`.'),
    enabled: z
      .union([z.boolean(), z.literal('sandbox')])
      .optional()
      .describe('Whether the rule runs. `sandbox`: only while Fanfare runs on the sandbox. Default: true.'),
    each: z
      .record(z.string(), z.array(z.unknown()).min(1))
      .optional()
      .describe(
        'Named lists of values. Each combination of values makes one rule. Expressions read the values as `each.<name>`. A map needs an `id`.',
      ),
    when: WhenFile,
    priority: z
      .enum(PRIORITIES)
      .optional()
      .describe(
        'Which rules are polled first if the rate limit of an account does not allow all polls in time, and which channels get the notifications of a platform that does not notify about all of them. Default: normal.',
      ),
    if: condition.optional().describe('A condition. Fanfare evaluates it once for each firing. If it is false, nothing is sent.'),
    mode: z
      .enum(['queued', 'single', 'restart', 'parallel'])
      .optional()
      .describe(
        'What happens to a firing while an earlier firing of the same item is being delivered: `queued` delivers it afterwards, `single` suppresses it, `restart` replaces the earlier one, `parallel` delivers both at once. Steps behind a `wait` count for `restart`, and for `single` within an episode. Default: queued.',
      ),
    max: z
      .int()
      .min(1)
      .max(1000)
      .optional()
      .describe(
        'The maximum number of firings in a queue, and of missed slots that run with `missed: all`. Default: 10. With `command`, the uses that are answered at once; default: 100. With `webhook`, the default is 100 too.',
      ),
    cooldown: cooldown.optional().describe('The least time between two firings: a duration for each item, or { for, per: item | rule }.'),
    quiet: quiet.optional(),
    limit: limit.optional(),
    gather: gather.optional(),
    keep: keep
      .optional()
      .describe(
        'Values that the rule stores between its firings, by name, at most 20: an expression with the value after a firing, or { start, next }. The start value of an expression alone is 0. Expressions read the values as `keep.<name>`: `if` and `keep` read the values before the firing, and the steps of `then` the values after it.',
      ),
    fuse: fuse
      .optional()
      .describe(
        'The maximum number of firings in a time. The next firing is not sent and pauses the rule until an operator resumes it. Default: 30 per 1h; with `command`, 1,000 per 1h; with `webhook`, 300 per 1h.',
      ),
    then: steps
      .optional()
      .describe(
        'The steps that run when the rule fires. Required, unless `while`, `finally`, or `then` of `quiet`, `limit` or `gather` has steps: then an item counts as announced although nothing is sent.',
      ),
    while: steps.optional().describe('The steps that run at each later poll that has the item. Unchanged texts are not sent again.'),
    finally: steps.optional().describe('The steps that run when the episode ends.'),
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
