import { z } from 'zod';
import { PauseAnswer, ReadinessAnswer, RulesVersionAnswer } from './answers.ts';
import { DiagnosticAnswer } from './diagnostic-answer.ts';

const instant = (about: string) => z.date().describe(about);
const count = z.int().min(0);
const usd = z.number().min(0);

const Notifications = z.object({
  state: z
    .enum(['connecting', 'connected', 'failed', 'stopped', 'off'])
    .describe(
      '`failed`: the rules poll at their slots only. `stopped`: no rule needs notifications. `off`: the platform needs a public address.',
    ),
  problem: z.string().optional().describe('Why the platform does not notify, or does not notify about some of the channels.'),
  subscriptions: count.optional().describe('The number of subscriptions at the platform.'),
  cost: count.optional().describe('The cost of all subscriptions of the application.'),
  maxCost: count.optional().describe('The highest possible cost.'),
  onlyPolled: count.optional().describe('The number of names without notifications.'),
  lastAt: instant('When the platform last notified, to the minute.').optional(),
});

const AccountStatus = z.object({
  account: z.string().describe('The name of the account in rules.'),
  platform: z.string().describe('The platform.'),
  sandbox: z.boolean().describe('Whether the sandbox simulates it.'),
  state: z.enum(['connected', 'connecting', 'failed']).describe('Whether its last request succeeded.'),
  problem: z.string().optional().describe('The error and its remedy.'),
  fault: z
    .string()
    .optional()
    .describe('The kind of the error, for example `unauthorized`; absent for a problem of the connection to Discord.'),
  isRefused: z.boolean().describe('Whether only a person can correct the error, for example by a new sign-in.'),
  since: instant('The begin of the outage; absent: there is none, or it has just begun.').optional(),
  notifications: Notifications.optional().describe(
    'How the platform notifies about changes; absent: it does not, or no rule needed it yet.',
  ),
});

const BrokenFile = z.object({
  file: z.string().describe('The rule file.'),
  isRunning: z.boolean().describe('Whether the last version without errors runs.'),
  diagnostics: z.array(DiagnosticAnswer).readonly().describe('The first errors.'),
});

const PausedRule = z.object({
  rule: z.string().describe('The id of the rule.'),
  about: z.string().optional().describe('The description in the rule.'),
  paused: PauseAnswer.describe('The pause.'),
});

const Question = z.object({
  delivery: z.string().describe('The id of the delivery. `answerDelivery` takes it.'),
  rule: z.string().describe('The id of the rule.'),
  account: z.string().describe('The account that asked.'),
  name: z.string().optional().describe('The name of the item; absent if the rule fires for a whole poll or slot.'),
  text: z.string().optional().describe('The main text of the question.'),
  url: z.string().optional().describe('The address of the question on the platform.'),
  choices: z.array(z.string()).readonly().describe('The possible answers.'),
  at: instant('When it was asked.'),
  isOver: z.boolean().optional().describe('Whether the stream of the question is over.'),
});

const Announcement = z.object({
  delivery: z.string().describe('The id of the delivery.'),
  rule: z.string().describe('The id of the rule.'),
  do: z.string().describe('The operation, for example `discord.put`.'),
  account: z.string().describe('The account that sent it.'),
  url: z.string().optional().describe('The address of what was sent.'),
  at: instant('When the platform confirmed it, or its last change.'),
  changes: count.describe('How often it was changed afterwards.'),
});

const LiveStream = z.object({
  key: z.string().describe('The key of the item, for example `twitch/1202584`.'),
  name: z.string().describe('The display name.'),
  picture: z.string().optional().describe('The address of a picture.'),
  url: z.string().optional().describe('The address of the stream.'),
  title: z.string().optional().describe('The title, as last seen.'),
  game: z.string().optional().describe('The name of the game, as last seen.'),
  viewers: count.optional().describe('The viewers, as last seen.'),
  startedAt: instant('When it started.'),
  announcements: z.array(Announcement).readonly().describe('What was sent about it, newest first.'),
});

const Delays = z.object({
  count: count.describe('The number of deliveries.'),
  medianMs: z.number().describe('The median in milliseconds.'),
  longestMs: z.number().describe('The longest delay in milliseconds.'),
});

const Budget = z.object({
  account: z.string().describe('The name of the account.'),
  spentUsd: usd.describe('The sum of this calendar month (UTC) in USD.'),
  monthUsd: usd.optional().describe('The budget of a month in USD; absent: spending is only counted.'),
});

const RateLimit = z.object({
  account: z.string().describe('The name of the account.'),
  leftRatio: z.number().min(0).max(1).describe('The smallest rest of its rate limits. At 0, requests wait for the next window.'),
});

const WITHOUT_DATABASE = 'Absent while the database does not answer.';

/** The state of the installation: the work for people, the live streams, and the next runs. */
export const StatusAnswer = z
  .object({
    at: instant('The instant of the answer.'),
    readiness: ReadinessAnswer.describe('Whether Fanfare can run rules and send announcements.'),
    accounts: z.array(AccountStatus).readonly().describe('The accounts of the configuration.'),
    rules: z
      .object({
        on: count.describe('The running rules, with paused ones.'),
        paused: count.describe(`The paused rules.`),
        broken: count.describe('The rule files with errors.'),
        version: RulesVersionAnswer.optional().describe('The published version; absent if the rules come from a folder.'),
      })
      .describe('The numbers of rules.'),
    brokenFiles: z.array(BrokenFile).readonly().describe('The first rule files with errors.'),
    channelProblems: z.array(DiagnosticAnswer).readonly().describe('The first Discord channels and roles that a running rule cannot use.'),
    lateWebhooks: z
      .array(
        z.object({
          webhook: z.string().describe('The name in `fanfare.yaml`.'),
          since: instant('When the oldest of these events happened.'),
          isGone: z
            .boolean()
            .describe('Whether the receiver has deleted the webhook (HTTP 410), so that it gets no events until the next start.'),
        }),
      )
      .readonly()
      .optional()
      .describe(`The webhooks whose receivers have not accepted an event for ten minutes. ${WITHOUT_DATABASE}`),
    nextRuns: z
      .array(z.object({ rule: z.string().describe('The id of the rule.'), at: instant('When it runs next.') }))
      .readonly()
      .optional()
      .describe(`The next runs of rules that are not paused, earliest first. ${WITHOUT_DATABASE}`),
    rateLimits: z.array(RateLimit).readonly().describe('The rate limits that answers of platforms stated.'),
    pausedRules: z.array(PausedRule).readonly().optional().describe(`The first paused rules. ${WITHOUT_DATABASE}`),
    questions: z.array(Question).readonly().optional().describe(`The first open questions, newest first. ${WITHOUT_DATABASE}`),
    live: z
      .array(LiveStream)
      .readonly()
      .optional()
      .describe(`The live streams among the last announcements, newest first. ${WITHOUT_DATABASE}`),
    deliveries: z
      .object({
        open: count.describe('The deliveries that wait for their time, an earlier delivery, or an answer.'),
        asked: count.describe('The open questions, which `open` counts too.'),
        sent: count.describe('The stored deliveries that arrived, without steps that only read.'),
        failed: count.describe('The failed deliveries of the last 24 hours.'),
        lastFailedAt: instant('When the newest failed delivery of any age failed; absent without one.').optional(),
        unknown: count.describe('The unknown deliveries of any age.'),
      })
      .optional()
      .describe(`The numbers of deliveries. ${WITHOUT_DATABASE}`),
    delays: Delays.optional().describe('The time from the decision to the receipt, of the last deliveries; absent without one.'),
    budgets: z.array(Budget).readonly().optional().describe(`The accounts that cost money. ${WITHOUT_DATABASE}`),
    process: z
      .object({
        version: z.string().describe('The version of Fanfare.'),
        startedAt: instant('When this process started.'),
        memoryBytes: count.describe('The resident memory.'),
      })
      .describe('The process that answers.'),
  })
  .meta({
    examples: [
      {
        at: '2026-11-20T18:00:00.000Z',
        readiness: { ready: true },
        accounts: [{ account: 'mastodon', platform: 'mastodon', sandbox: false, state: 'connected', isRefused: false }],
        rules: { on: 1, paused: 0, broken: 0 },
        brokenFiles: [],
        channelProblems: [],
        lateWebhooks: [],
        nextRuns: [{ rule: 'valorant-top', at: '2026-11-20T18:00:08.000Z' }],
        rateLimits: [{ account: 'mastodon', leftRatio: 0.9 }],
        pausedRules: [],
        questions: [],
        live: [],
        deliveries: { open: 0, asked: 0, sent: 12, failed: 0, unknown: 0 },
        delays: { count: 12, medianMs: 900, longestMs: 2100 },
        budgets: [],
        process: { version: '0.1.0', startedAt: '2026-11-20T08:00:00.000Z', memoryBytes: 98_000_000 },
      },
    ],
  });

export type StatusView = z.output<typeof StatusAnswer>;
