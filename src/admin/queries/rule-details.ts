import { z } from 'zod';
import type { RuleRegistry } from '#src/engine/rule-sets/rule-registry.ts';
import { nameOf } from '#src/rules/evaluate/items/item-fields.ts';
import type { EpisodeLog } from '#src/rules/episode-log.ts';
import { timezoneOf } from '#src/rules/messages/schedule-text.ts';
import { collectingSteps, type Rule } from '#src/rules/rule.ts';
import type { Step } from '#src/rules/step.ts';
import { nextRunsOf } from './next-runs.ts';

const EPISODES_SHOWN = 50;
const EPISODES_MS = 7 * 86_400_000;

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

/** The list, the steps and the episodes of a rule, as data. */
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
    steps: z.array(step).readonly().describe('Its steps, in the order of the sections.'),
    episodes: z
      .array(
        z.object({
          id: z.string().describe('The id of the episode.'),
          key: z.string().describe('The key of the item.'),
          name: z.string().describe('The display name of the item as last seen.'),
          startedAt: z.date().describe('When it began.'),
          lastSeenAt: z.date().describe('The last poll that had the item.'),
          closedAt: z.date().optional().describe('When it ended; absent while it is open.'),
          phase: z.enum(['open', 'closing', 'closed']).describe('`closing`: the item is gone, and the episode ends unless it comes back.'),
          announced: z.boolean().describe('Whether it was announced.'),
        }),
      )
      .readonly()
      .describe('The newest episodes of the last seven days, at most 50, without those that wait for confirmation.'),
  })
  .meta({
    examples: [
      {
        rule: 'valorant-top',
        source: 'id: valorant-top\n',
        timezone: 'UTC',
        nextRuns: ['2026-11-20T18:00:08.000Z'],
        watches: { operation: 'streaming.getTopStreams', accounts: ['twitch'], changes: ['entered'] },
        steps: [{ section: 'then', do: 'social.createPost', accounts: ['mastodon'] }],
        episodes: [
          {
            id: 'twitch/1202584@1795197540000',
            key: 'twitch/1202584',
            name: 'Ada',
            startedAt: '2026-11-20T17:59:00.000Z',
            lastSeenAt: '2026-11-20T18:00:00.000Z',
            phase: 'open',
            announced: true,
          },
        ],
      },
    ],
  });

export type RuleDetails = z.output<typeof RuleDetailsAnswer>;

interface RuleDetailsOptions {
  readonly registry: Pick<RuleRegistry, 'now' | 'isOn'>;
  readonly episodes: Pick<EpisodeLog, 'list'>;
  readonly nowMs: number;
}

/** Collects the list, the steps and the newest episodes of a rule. */
export async function ruleDetails(rule: Rule, { registry, episodes, nowMs }: RuleDetailsOptions): Promise<RuleDetails> {
  const { id, name, watched } = rule;
  const newest = await episodes.list({ rule: id, sinceMs: nowMs - EPISODES_MS, limit: EPISODES_SHOWN });
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
    steps: stepsOf(rule),
    episodes: newest.map(({ id: episode, key, item, startedMs, lengthMs, closedMs, phase, announced }) => ({
      id: episode,
      key,
      name: nameOf(item, key),
      startedAt: new Date(startedMs),
      lastSeenAt: new Date(startedMs + lengthMs),
      closedAt: closedMs === undefined ? undefined : new Date(closedMs),
      phase,
      announced,
    })),
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
