import { z } from 'zod';
import type { JsonObject } from '#src/clients/operation/json.ts';
import { DELIVERY_STATES } from '#src/engine/delivery/delivery.ts';
import { UNSENT_STATES } from '#src/engine/delivery/firing-outcome.ts';
import type { DeliveryReason } from '#src/engine/delivery/reason.ts';
import { COLLECTING_SECTIONS } from '#src/rules/collecting.ts';
import { OUTCOMES } from '#src/rules/decision.ts';
import { withMessage } from '#src/rules/messages/format-reason.ts';
import type { Reason } from '#src/rules/reasons/reason.ts';
import type { Schedule } from '#src/rules/rule.ts';
import { DiagnosticAnswer } from './diagnostic-answer.ts';
import type { ReadinessReason } from './readiness-reason.ts';

const instant = (about: string) => z.date().describe(about);
const count = z.int().min(0);
/** Any object of JSON. Generators of clients need its type. */
export const jsonObject = z.custom<JsonObject>().meta({ type: 'object', additionalProperties: true });
/** A reason as JSON. Its kinds are listed on the page about reasons. */
export const reasonOf = <R extends { readonly kind: string }>(about: string) =>
  z.custom<R>().meta({ type: 'object', additionalProperties: true }).optional().describe(about);

/** A record with the documented fields only. It is not validated, so that one unusual row does not fail a whole list. */
export function documented<S extends z.ZodObject>({ shape }: S, record: z.output<S>): z.output<S> {
  // All fields of the record that the schema has.
  return Object.fromEntries(Object.entries(record).filter(([name]) => name in shape)) as z.output<S>;
}

/** The location of a step in its rule, in an answer. */
export const StepPositionAnswer = z.object({
  id: z.string().optional().describe('The id of the step; absent if it has none.'),
  section: z.enum(['then', 'while', 'finally', ...COLLECTING_SECTIONS]).describe('The key of the rule with the step.'),
  number: count.describe('The position in the list of this key, from 1; 0 if only its id is known.'),
});

/** The deliveries that need an operator. */
const Undelivered = z.object({
  failed: count.describe('The failed deliveries of the last 24 hours.'),
  unknown: count.describe('The unknown deliveries of any age. Each waits for an operator.'),
});

const reasonExample = {
  kind: 'itemChanged',
  name: 'Ada',
  change: { kind: 'entered', standing: { rank: 2, viewers: 12_345 } },
  block: { kind: 'suppressed', by: { kind: 'cooldown', per: 'item', agoMs: 7_200_000, leftMs: 14_400_000 } },
} as const satisfies Reason;
const decisionExample = {
  rule: 'valorant-top',
  at: '2026-11-20T17:59:00.000Z',
  outcome: 'suppressed',
  item: 'twitch/1202584',
  episode: 'twitch/1202584@1795197540000',
  message: withMessage(reasonExample).message,
  reason: reasonExample,
};

export const DecisionAnswer = z
  .object({
    rule: z.string().describe('The id of the rule.'),
    at: instant('The instant of the slot.'),
    outcome: z.enum(OUTCOMES).describe('What the rule decided.'),
    item: z.string().optional().describe('The key of the item; absent if the decision concerns the whole poll.'),
    episode: z.string().optional().describe('The id of the episode of the item.'),
    message: z.string().describe('The reason as text.'),
    reason: reasonOf<Reason>('The reason as data: its `kind` and its values; absent for decisions of earlier versions.'),
    details: jsonObject.optional().describe('The numbers behind the reason.'),
    stop: z
      .object({ message: z.string().describe('Why, as text.'), reason: reasonOf<DeliveryReason>('Why, as data.') })
      .optional()
      .describe('Why messages of a decision that fired were withdrawn, for example by a pause. Absent if none were, and in events.'),
    unsent: z
      .object({
        state: z
          .enum(UNSENT_STATES)
          .describe(
            'Their state. If they differ, the first of this list. `skipped`: apart from steps that only read, no delivery of the decision is in another state.',
          ),
        count: count.describe('The number of deliveries in this state.'),
        message: z.string().optional().describe('Why, as text, for the first of them.'),
        reason: reasonOf<DeliveryReason>('Why, as data.'),
        fault: z.string().optional().describe('The kind of the error, if it failed.'),
      })
      .optional()
      .describe('The deliveries of a decision that fired that are not on their platform. Absent if all are, and in events.'),
  })
  .meta({ examples: [decisionExample] });

export const DeliveryAnswer = z
  .object({
    id: z.string().describe('The key of the delivery. `fanfare resolve` takes it.'),
    rule: z.string().describe('The id of the rule; `post` for posts of people.'),
    textVersion: z
      .string()
      .optional()
      .describe(
        'The hash of the text of the rule file that decided it. It stays after the file changes or is deleted. Absent for posts of people, and for deliveries of earlier versions.',
      ),
    by: z.string().optional().describe('The person who posted it; absent for deliveries of rules.'),
    episode: z.string().describe('The id of the episode or of the slot.'),
    step: z.string().describe('The id of the step, or its position in the list.'),
    do: z.string().describe('The operation, for example `discord.send`.'),
    item: z
      .object({
        key: z.string().describe('The key of the item, for example `twitch/1202584`. The parameter `item` takes it.'),
        name: z.string().describe('The display name at the time of the decision.'),
        picture: z.string().optional().describe('The address of the profile picture or of another picture of the item.'),
      })
      .optional()
      .describe('The streamer or another item; absent if the rule fires for a whole poll or slot.'),
    text: z.string().optional().describe('The main text of the message or of the post; absent before the first attempt.'),
    texts: z
      .array(
        z.object({
          parameter: z.string().describe('The parameter of the text, for example `embed.fields[0].value`.'),
          text: z.string().describe('The text as it was sent.'),
        }),
      )
      .readonly()
      .optional()
      .describe('All texts, by parameter. The parameter `text` searches in them. Absent before the first attempt, and without a text.'),
    account: z.string().describe('The account that sends it.'),
    channel: z
      .string()
      .optional()
      .describe('The name or the id of the channel in Discord; absent if the step computes it and is not rendered yet, and in events.'),
    state: z.enum(DELIVERY_STATES).describe('The state of the delivery. A step that only reads is `sent` when the platform has answered.'),
    isRead: z.boolean().optional().describe('Whether the step only reads, for example `social.getPosts`.'),
    choices: z.array(z.string()).readonly().optional().describe('The possible answers, while a question is open.'),
    isOver: z
      .boolean()
      .optional()
      .describe('Whether the stream of an open question, or of an announcement that was not sent, is over; absent in events.'),
    attempts: count.describe('The number of attempts.'),
    createdAt: instant('When the rule decided it.'),
    dueAt: instant('When it is due; absent if it is not scheduled for later.').optional(),
    sentAt: instant('When the platform confirmed it.').optional(),
    settledAt: instant('When it was settled last: sent, failed or skipped.').optional(),
    result: jsonObject
      .optional()
      .describe('The record of the platform, with its `id` and `url`; absent for look-ups of records that not everyone can read.'),
    message: z.string().optional().describe('Why it failed, was skipped, or is unknown; or why messages after a question were withdrawn.'),
    fault: z.string().optional().describe('The kind of the last error, for example `rateLimited`. `message` is its text.'),
    reason: reasonOf<DeliveryReason>('The reason as data, if Fanfare decided it: its `kind` and its values.'),
    omitted: z
      .array(
        z.object({
          parameter: z.string().describe('The parameter of the part, for example `files`.'),
          index: count.optional().describe('The position in the list of the parameter, from 0; absent for the whole parameter.'),
          message: z.string().describe('Why the part was not available.'),
        }),
      )
      .readonly()
      .optional()
      .describe('The parts that the message was sent without, with reasons.'),
  })
  .meta({
    examples: [
      {
        id: '6f1c2a9e40b7',
        rule: 'valorant-top',
        textVersion: 'Zk8n3Jq1c0aT5rYxW2LdQ7uB',
        episode: 'twitch/1202584@1795197540000',
        step: 'post',
        do: 'social.createPost',
        item: { key: 'twitch/1202584', name: 'Ada', picture: 'https://static-cdn.jtvnw.net/jtv_user_pictures/ada-300x300.png' },
        text: 'Ada is now #2 in VALORANT',
        texts: [{ parameter: 'text', text: 'Ada is now #2 in VALORANT' }],
        account: 'mastodon',
        state: 'sent',
        attempts: 1,
        createdAt: '2026-11-20T17:59:00.000Z',
        sentAt: '2026-11-20T17:59:01.000Z',
        result: { platform: 'mastodon', id: '115581', url: 'https://mastodon.social/@fanfare/115581' },
      },
    ],
  });

/** The pause of a rule. */
export const PauseAnswer = z.object({
  at: instant('When it was paused.'),
  by: z.string().optional().describe('The operator who paused it; absent if it was paused automatically.'),
  fuse: z
    .object({ firings: z.int().describe('The number of announcements.'), perMs: z.int().describe('The period in milliseconds.') })
    .optional()
    .describe('The limit that the rule exceeded, if it was paused automatically.'),
  until: instant('When it resumes automatically; absent: not before a person resumes it.').optional(),
  plannedAt: instant('When the operator planned it; absent: the pause began at once.').optional(),
});

/** A pause that has not begun. */
export const PlannedPauseAnswer = z.object({
  by: z.string().describe('The operator who planned it.'),
  at: instant('When it was planned.'),
  from: instant('When it begins.'),
  until: instant('When the rule resumes automatically; absent: not before a person resumes it.').optional(),
});

export const RuleAnswer = z
  .object({
    id: z.string().describe('The id of the rule, or the name of a file with errors.'),
    about: z.string().optional().describe('The description in the rule.'),
    file: z.string().describe('The rule file.'),
    enabled: z.union([z.boolean(), z.literal('sandbox')]).describe('The value of `enabled` in the file.'),
    on: z.boolean().describe('Whether the rule runs. If its file has errors, the last version without errors may run.'),
    paused: PauseAnswer.optional().describe('The pause of a running rule.'),
    plannedPauses: z.array(PlannedPauseAnswer).readonly().optional().describe('The pauses that have not begun. Absent: none.'),
    schedule: z.string().optional().describe('The schedule, for example `every 10s`.'),
    timing: z
      .custom<Schedule>()
      .meta({ type: 'object', additionalProperties: true })
      .optional()
      .describe(
        'The schedule as data: `everyMs`; or `cron` with `timezone`; or `atMs`, the instant of a single run; or `command`; or `webhook`.',
      ),
    nextRunAt: instant('When the rule runs next.').optional(),
    lastDecision: DecisionAnswer.optional().describe('The last decision.'),
    lastUndelivered: count.optional().describe('The number of failed and unknown deliveries of the last decision.'),
    undelivered: Undelivered.optional().describe('The failed and unknown deliveries of the rule.'),
    lastFailure: DeliveryAnswer.optional().describe(
      'The newest delivery that failed in the last 24 hours; absent if its step succeeded later.',
    ),
    announcements: z
      .array(count)
      .readonly()
      .optional()
      .describe(
        'The number of announcements on each of the last seven days in UTC, the oldest day first. After a start, days that are not counted yet are absent. Only in a page of rules.',
      ),
    values: jsonObject.optional().describe('The stored values of `keep` by name. Only in the answer about a single rule.'),
    diagnostics: z.array(DiagnosticAnswer).readonly().describe('The errors and warnings of the file.'),
  })
  .meta({
    examples: [
      {
        id: 'valorant-top',
        about: 'Announces streams that enter the top five of VALORANT.',
        file: 'rules/valorant-top.yaml',
        enabled: true,
        on: true,
        schedule: 'every 10s',
        timing: { everyMs: 10_000 },
        nextRunAt: '2026-11-20T18:00:08.000Z',
        lastDecision: decisionExample,
        undelivered: { failed: 0, unknown: 0 },
        diagnostics: [],
      },
    ],
  });

/** The published version of the rules that a process runs. */
export const RulesVersionAnswer = z
  .object({
    number: z.int().min(1).describe('The number of the version. The newest version is in force.'),
    publishedAt: instant('When it was published.'),
    by: z.string().describe('The person or the process that published it.'),
    note: z.string().optional().describe('The note of the publisher.'),
    repeats: z.int().min(1).optional().describe('The earlier version that a rollback repeats.'),
  })
  .meta({ examples: [{ number: 3, publishedAt: '2026-11-20T17:45:00.000Z', by: 'ci', note: '4f2c9ad' }] });

/** Whether Fanfare can run rules and send announcements. */
export const ReadinessAnswer = z
  .object({
    ready: z.boolean().describe('Whether Fanfare can run rules and send announcements.'),
    message: z.string().optional().describe('The obstacle, or a remark if Fanfare is ready.'),
    reason: reasonOf<ReadinessReason>('`message` as data: its `kind` and its values.'),
  })
  .meta({ examples: [{ ready: false, message: 'Discord is not connected yet', reason: { kind: 'discordConnecting' } }] });

export type Readiness = z.output<typeof ReadinessAnswer>;
export type UndeliveredView = z.output<typeof Undelivered>;
export type PauseView = z.output<typeof PauseAnswer>;
export type PlannedPauseView = z.output<typeof PlannedPauseAnswer>;
export type RulesVersion = z.output<typeof RulesVersionAnswer>;
export type DecisionView = z.output<typeof DecisionAnswer>;

export type DeliveryView = z.output<typeof DeliveryAnswer>;
