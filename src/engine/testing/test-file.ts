import { z } from 'zod';
import { DURATION, parseDuration } from '#src/clients/operation/duration.ts';
import { isPattern, toPattern } from './differences.ts';

/** The default start: a Friday evening. */
const DEFAULT_START = '2026-11-20T18:00:00Z';

const At = z
  .string()
  .regex(DURATION, { error: 'not a time after the start: write it as 0m, 90s or 1h30m' })
  .refine((text) => !DURATION.test(text) || parseDuration(text) !== undefined, { error: 'a duration is at most ten years' })
  .describe('The time since the start.');

const Plain: z.ZodType<z.core.util.JSONType> = z.json();

const Item = z.record(z.string(), Plain);

const Entry = z.record(z.string(), Plain);

const Lists = z
  .record(
    z.string(),
    z.union([z.record(z.string(), Entry), z.array(Entry.refine(({ id }) => typeof id === 'string', { error: 'an entry needs an id' }))]),
  )
  .describe(
    'The lists, by name: entries by id as in a file of a list, or, for several Discord servers, a list of entries with `id` and `server`.',
  );

const Use = z
  .strictObject({
    user: z.string().min(1).optional().describe('The displayed name of the member. Default: Ada.'),
    options: z
      .record(z.string(), z.union([z.string(), z.number(), z.boolean()]))
      .optional()
      .describe('The values of the options. A member and a channel are a name.'),
  })
  .describe('A member uses the slash command of the rule.');

const Poll = z
  .strictObject({
    at: At,
    items: z
      .array(Item)
      .optional()
      .describe(
        'The items of the poll. `{ key: ada }` makes a complete record from that key. A field with the value `null` is absent. In a list of the most watched streams, an item with more viewers comes first.',
      ),
    error: z.string().min(1).optional().describe('The error of a failed poll.'),
    command: Use.optional(),
    webhook: Item.optional().describe(
      'The payload of a request to the webhook of the rule. Fields of the rule that it leaves out have sample values; `null` leaves one out.',
    ),
    lists: Lists.optional().describe('The lists from now on. Default: those of the case.'),
    restart: z.literal(true, { error: 'restart can only be true' }).optional().describe('The engine restarts.'),
    answers: z
      .record(z.string(), Plain)
      .optional()
      .describe('The results of reading steps from now on, and the answers of users until the next poll, by step id.'),
    fail: z
      .array(z.string().regex(/^\w+(?:\.[\w-]+)?$/u, { error: 'write the id of a step, or step.account' }))
      .optional()
      .describe(
        'Steps that fail until the next poll, at all accounts, or at one account as step.account. The engine retries failed steps until their `retry` is over.',
      ),
  })
  .refine(
    ({ items, error, command, webhook, restart }) =>
      [items, error, command, webhook, restart].filter((what) => what !== undefined).length <= 1,
    {
      error: 'a poll has only one of items, error, command, webhook and restart',
    },
  );

const Expected = z.strictObject({
  at: At,
  do: z.string().describe('The operation that sends the message.'),
  as: z
    .union([z.string().min(1), z.array(z.string().min(1)).min(1)])
    .optional()
    .describe('The accounts, with one delivery each. Default: all accounts of the step.'),
  with: z
    .record(z.string(), Plain)
    .superRefine((value, context) => reportBadPatterns(value, [], context))
    .optional()
    .describe(
      'The parameters to compare. A text between slashes is a regular expression, and `null` is a parameter that the step does not send.',
    ),
});

const Each = z
  .record(z.string(), z.union([z.string(), z.number()]))
  .describe('The rule among the combinations of `each`: names with values or ids of values. Default: the first rule.');

const Kept = z.record(z.string(), z.union([z.number(), z.boolean(), z.string(), z.array(z.string())]));

const Case = z.strictObject({
  it: z.string().min(1).describe('The expected behavior.'),
  each: Each.optional(),
  lists: Lists.optional().describe('The lists at the start of the case. Default: those of the file.'),
  keep: Kept.optional().describe('The stored values of the rule at the start of the case, by name. Default: the start values.'),
  polls: z.array(Poll).min(1).superRefine(reportDisorder).describe('What the rule reads, in order of time.'),
  expect: z
    .array(Expected)
    .optional()
    .describe(
      'All steps that write, with their times: messages, edits, questions, roles. A missing or additional one fails the test. Steps that only read may be listed.',
    ),
  kept: Kept.optional().describe('Stored values of the rule at the end of the case, by name.'),
});

/** The schema of a test file. */
export const TestFile = z.strictObject({
  rule: z.string().min(1).describe('The id of the rule.'),
  start: z.iso
    .datetime({ offset: true, error: 'not a timestamp: write it as 2026-11-20T18:00:00Z' })
    .default(DEFAULT_START)
    .describe('The start of every case.'),
  each: Each.optional(),
  lists: Lists.optional(),
  cases: z.array(Case).min(1).describe('The cases. Each one starts without history.'),
});

function reportDisorder(polls: readonly z.output<typeof Poll>[], context: z.core.$RefinementCtx): void {
  polls.forEach(({ at, restart }, index) => {
    const before = polls[index - 1];
    const [beforeMs, atMs] = [parseDuration(before?.at ?? ''), parseDuration(at)];
    if (!before || beforeMs === undefined || atMs === undefined || beforeMs < atMs) return;
    if (beforeMs === atMs && (before.restart || restart)) return;
    context.addIssue({ code: 'custom', path: [index, 'at'], message: 'polls must be in order of time, with only one at each time' });
  });
}

function reportBadPatterns(value: z.core.util.JSONType, path: readonly (string | number)[], context: z.core.$RefinementCtx): void {
  if (typeof value === 'string' && isPattern(value) && !toPattern(value)) {
    context.addIssue({
      code: 'custom',
      path: [...path],
      message: 'not a valid regular expression (RE2, without lookaround and backreferences)',
    });
  } else if (Array.isArray(value)) {
    value.forEach((one, index) => reportBadPatterns(one, [...path, index], context));
  } else if (typeof value === 'object' && value !== null) {
    for (const [key, one] of Object.entries(value)) reportBadPatterns(one, [...path, key], context);
  }
}
