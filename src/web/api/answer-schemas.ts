import { z } from 'zod';
import { Message } from '#src/chat/records.ts';
import type { Json } from '#src/operation/json.ts';
import type { RulesVersion, RuleView } from '#src/queries/records.ts';
import { Post } from '#src/social/records/post.ts';
import { Stream } from '#src/streaming/records.ts';
import { OUTCOMES, STATES } from './query.ts';
import type { WireDecision, WireDelivery, WireRule } from './wire.ts';

const instant = (about: string) => z.date().describe(about);
const count = z.int().min(0);
/** Any JSON. The `z.json()` of zod refers to itself, which the description does not need. */
const json = z.custom<Json>();

const undelivered = z.object({
  failed: count.describe('The failed deliveries of the last 24 hours.'),
  unknown: count.describe('The unknown deliveries of any age. Each waits for an operator.'),
});

/** A decision in an answer. */
const DecisionAnswer: z.ZodType<WireDecision> = z.object({
  rule: z.string().describe('The id of the rule.'),
  at: instant('The instant of the slot.'),
  outcome: z.enum(OUTCOMES).describe('What the rule decided.'),
  item: z.string().optional().describe('The key of the item; absent if the decision concerns the whole poll.'),
  episode: z.string().optional().describe('The id of the episode of the item.'),
  reason: z.string().describe('The reason as text.'),
  details: z.record(z.string(), json).optional().describe('The numbers behind the reason.'),
});

/** A delivery in an answer. */
const DeliveryAnswer: z.ZodType<WireDelivery> = z.object({
  id: z.string().describe('The key of the delivery. `fanfare resolve` takes it.'),
  rule: z.string().describe('The id of the rule; `post` for posts of people.'),
  by: z.string().optional().describe('The person who posted it; absent for deliveries of rules.'),
  episode: z.string().describe('The id of the episode or of the slot.'),
  step: z.string().describe('The id of the step, or its position in the list.'),
  do: z.string().describe('The operation, for example `discord.send`.'),
  item: z
    .string()
    .optional()
    .describe('The display name of the streamer or of another item; absent if the rule fires for a whole poll or slot, and in events.'),
  text: z.string().optional().describe('The text of the message or of the post; absent before the first attempt.'),
  account: z.string().describe('The account that sends it.'),
  state: z.enum(STATES).describe('The state of the delivery.'),
  attempts: count.describe('The number of attempts.'),
  createdAt: instant('When the rule decided it.'),
  dueAt: instant('When it is due; absent if it is not scheduled for later.').optional(),
  sentAt: instant('When the platform confirmed it.').optional(),
  result: json.optional().describe('The record of the platform, with its `id` and `url`.'),
  error: z.string().optional().describe('Why it failed, was skipped, or is unknown.'),
  omitted: z
    .array(
      z.object({
        parameter: z.string().describe('The parameter of the part, for example `files`.'),
        index: count.optional().describe('The position in the list of the parameter, from 0; absent for the whole parameter.'),
        reason: z.string().describe('Why the part was not available.'),
      }),
    )
    .readonly()
    .optional()
    .describe('The parts that the message was sent without, with reasons.'),
});

/** A diagnostic in an answer. */
const DiagnosticAnswer: z.ZodType<RuleView['problems'][number]> = z.object({
  severity: z.enum(['error', 'warning']).describe('A rule with an error does not run.'),
  code: z.string().describe('The kind of the mistake, for example `unknown-key`.'),
  file: z.string().describe('The rule file.'),
  line: z.int().min(1).describe('The line, from 1.'),
  column: z.int().min(1).describe('The column, from 1.'),
  path: z.string().describe('The path in the file, for example `then[0].with.text`.'),
  message: z.string().describe('What is wrong.'),
  hint: z.string().optional().describe('How to fix it.'),
  excerpt: z.string().describe('The line of the file.'),
});

/** A rule in an answer. */
const RuleAnswer: z.ZodType<WireRule> = z.object({
  id: z.string().describe('The id of the rule, or the name of a file with errors.'),
  about: z.string().optional().describe('The description in the rule.'),
  file: z.string().describe('The rule file.'),
  enabled: z.union([z.boolean(), z.literal('sandbox')]).describe('The value of `enabled` in the file.'),
  on: z.boolean().describe('Whether the rule runs. If its file has errors, the last version without errors may run.'),
  paused: z
    .object({
      at: instant('When it was paused.'),
      by: z.string().optional().describe('The operator who paused it; absent if its fuse blew.'),
    })
    .optional()
    .describe('The pause of a running rule.'),
  schedule: z.string().optional().describe('The schedule, for example `every 10s`.'),
  nextRunAt: instant('When the rule runs next.').optional(),
  lastDecision: DecisionAnswer.optional().describe('The last decision.'),
  lastUndelivered: count.optional().describe('The number of failed and unknown deliveries of the last decision.'),
  undelivered: undelivered.optional().describe('The failed and unknown deliveries of the rule.'),
  lastFailure: DeliveryAnswer.optional().describe(
    'The newest delivery that failed in the last 24 hours; absent if its step succeeded later.',
  ),
  problems: z.array(DiagnosticAnswer).readonly().describe('The errors and warnings of the file.'),
});

/** The version of the rules in an answer. */
const RulesVersionAnswer: z.ZodType<RulesVersion> = z.object({
  number: z.int().min(1).describe('The number of the version. The newest version is in force.'),
  publishedAt: instant('When it was published.'),
  by: z.string().describe('The person or the process that published it.'),
  note: z.string().optional().describe('The note of the publisher.'),
  repeats: z.int().min(1).optional().describe('The earlier version that a rollback repeats.'),
});

/** The state of a supervisor's check. */
const ReadyAnswer = z.object({
  ready: z.boolean().describe('Whether Fanfare can run rules and send announcements.'),
  why: z.string().optional().describe('The obstacle, or a remark if Fanfare is ready.'),
});

/** The answer while the process runs. */
const HealthAnswer = z.object({ ok: z.literal(true).describe('Always true.') });

/** The answer to a failed request. */
const ErrorAnswer = z.object({
  error: z.string().describe('What is wrong.'),
  parameter: z.string().optional().describe('The wrong query parameter.'),
});

/** An event without data. The reader reads the list of its kind again. */
const ChangeAnswer = z.object({});

/** The records of answers by name. */
export const RECORDS = {
  Decision: DecisionAnswer,
  Delivery: DeliveryAnswer,
  Rule: RuleAnswer,
  RulesVersion: RulesVersionAnswer,
  Diagnostic: DiagnosticAnswer,
  Stream,
  Post,
  Message,
  Readiness: ReadyAnswer,
  Health: HealthAnswer,
  Error: ErrorAnswer,
  Change: ChangeAnswer,
} as const satisfies Readonly<Record<string, z.ZodType>>;

/** The name of a record of an answer. */
export type RecordName = keyof typeof RECORDS;
