import { z } from 'zod';
import type { RuleRegistry } from '#src/engine/rule-sets/rule-registry.ts';
import { timezoneOf } from '#src/rules/messages/schedule-text.ts';
import { collectingSteps, type Rule } from '#src/rules/rule.ts';
import type { Step } from '#src/rules/step.ts';
import { nextRunsOf } from './next-runs.ts';
import { PollingAnswer, type Polling } from './polling.ts';

const step = z.object({
  section: z
    .enum(['then', 'while', 'finally', 'quiet', 'limit', 'gather'])
    .describe(
      'When it runs: `then` at an announcement, `while` during the episode, `finally` at its end; else once with a list of changes.',
    ),
  do: z.string().describe('The operation.'),
  accounts: z.array(z.string()).readonly().describe('The accounts.'),
  channel: z.string().optional().describe('The Discord channel.'),
  everyMs: z.int().optional().describe('How often it runs during an episode.'),
});

/** The list and the steps of a rule, as data. */
export const RuleDetailsAnswer = z
  .object({
    rule: z.string().describe('The id of the rule.'),
    source: z.string().optional().describe('The text of its file. If the file has errors, the last text without errors.'),
    timezone: z.string().describe('The time zone of its schedule and of its quiet hours.'),
    nextRuns: z.array(z.date()).readonly().describe('The next slots, at most five; empty if the rule is off.'),
    watches: z
      .object({
        operation: z.string().describe('The operation.'),
        accounts: z.array(z.string()).readonly().describe('The accounts that read.'),
        changes: z.array(z.string()).readonly().describe('The changes that the rule announces, for example `entered`.'),
      })
      .optional()
      .describe('What it polls; absent if it only has a schedule.'),
    polling: PollingAnswer.optional().describe('How it learns of changes, how late, and at which cost. Absent: it watches nothing.'),
    steps: z.array(step).readonly().describe('Its steps, in the order of the sections.'),
  })
  .meta({
    examples: [
      {
        rule: 'valorant-top',
        source: 'id: valorant-top\n',
        timezone: 'UTC',
        nextRuns: ['2026-11-20T18:00:08.000Z'],
        watches: { operation: 'streaming.getTopStreams', accounts: ['twitch'], changes: ['entered'] },
        polling: {
          notifications: 'none',
          everyMs: 10_000,
          pollsEveryMs: 10_000,
          why: 'every',
          waitsMs: 0,
          longestDelayMs: 10_000,
          requestsPerHour: 360,
          accounts: [{ account: 'twitch', unit: 'requests', requestsPerHour: 360, allPerHour: 420, allowedPerHour: 38_400 }],
        },
        steps: [{ section: 'then', do: 'social.createPost', accounts: ['mastodon'] }],
      },
    ],
  });

export type RuleDetails = z.output<typeof RuleDetailsAnswer>;

interface RuleDetailsOptions {
  readonly registry: Pick<RuleRegistry, 'now' | 'isOn'>;
  /** Absent: the rule watches nothing. */
  readonly polling?: Polling | undefined;
  readonly nowMs: number;
}

/** Collects the list, the steps and the next runs of a rule. */
export function ruleDetails(rule: Rule, { registry, polling, nowMs }: RuleDetailsOptions): RuleDetails {
  const { id, name, watched } = rule;
  return {
    rule: id,
    source: registry.now.inForce.get(name)?.source,
    timezone: timezoneOf(rule),
    nextRuns: registry.isOn(rule) ? nextRunsOf(rule, nowMs) : [],
    watches: watched && {
      operation: watched.verb,
      accounts: watched.accounts,
      changes: [...new Set(watched.changes.map(({ kind }) => kind))],
    },
    polling,
    steps: stepsOf(rule),
  };
}

function stepsOf(rule: Rule): RuleDetails['steps'] {
  const sections = [
    ['then', rule.then],
    ['while', rule.while],
    ['finally', rule.finally],
    ...(['quiet', 'limit', 'gather'] as const).map((section) => [section, collectingSteps(rule, section)] as const),
  ] as const;
  return sections.flatMap(([section, steps]) => steps.map((one) => toStep(section, one)));
}

function toStep(section: RuleDetails['steps'][number]['section'], { do: verb, as, with: { channel }, everyMs }: Step) {
  return { section, do: verb, accounts: as, channel: typeof channel === 'string' ? channel : undefined, everyMs };
}
