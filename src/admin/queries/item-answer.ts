import { z } from 'zod';
import type { LoggedEpisode } from '#src/rules/episode-log.ts';
import { nameOf } from '#src/rules/evaluate/items/item-fields.ts';
import { DecisionAnswer, documented } from './answers.ts';
import type { ItemExplanation, WatchingRule } from './explain-item.ts';
import { toDecisionView } from './rule-view.ts';

const count = z.int().min(0);

/** The fields of a rule that is gone. */
export const goneRule = {
  id: z.string().describe('The id of the rule.'),
  goneAt: z.date().optional().describe('When Fanfare found that it is gone; absent if that is not known.'),
  lastRunAt: z.date().describe('When it ran last.'),
};

const watching = {
  id: z.string().describe('The id of the rule.'),
  verb: z.string().describe('The operation that it watches.'),
  on: z.boolean().describe('Whether it runs.'),
  isPaused: z.boolean().describe('Whether it is paused.'),
};

const history = {
  episodes: z
    .array(
      z.object({
        id: z.string().describe('The id of the episode.'),
        key: z.string().describe('The key of the item.'),
        name: z.string().describe('The display name of the item as last seen.'),
        startedAt: z.date().describe('When the item began, for example its stream.'),
        closedAt: z.date().optional().describe('When the episode closed; absent while it is open.'),
        announced: z.boolean().describe('Whether it was announced.'),
      }),
    )
    .readonly()
    .describe('The last episodes of the item, newest first.'),
  decisions: z.array(DecisionAnswer).readonly().describe('The last decisions about the item, newest first.'),
};

/** What the rules know about an item, in an answer. */
export const ItemExplanationAnswer = z
  .object({
    name: z.string().describe('The name, as typed.'),
    keys: z.array(z.string()).readonly().describe('The keys of the item. `listDeliveries` takes each as `item`.'),
    rules: z
      .array(
        z.object({
          ...watching,
          isNamed: z.boolean().describe('Whether the rule names the item.'),
          isOpen: z.boolean().describe('Whether an episode of the item is open.'),
          belowTake: z
            .object({
              at: z.date().describe('The poll.'),
              place: count.describe('The place in the list, from 1.'),
              take: count.describe('The number of items that the rule counts.'),
            })
            .optional()
            .describe('The item in the last poll, if it ranks below `take`.'),
          ...history,
        }),
      )
      .readonly()
      .describe('The rules that name the item or saw it.'),
    gone: z
      .array(z.object({ ...goneRule, ...history }))
      .readonly()
      .describe('The deleted or renamed rules that saw it.'),
    others: z.array(z.object(watching)).readonly().describe('The rules that watch a list without the item.'),
  })
  .meta({
    examples: [
      {
        name: 'ada',
        keys: ['twitch/1202584'],
        rules: [
          {
            id: 'valorant-top',
            verb: 'streaming.getTopStreams',
            on: true,
            isPaused: false,
            isNamed: false,
            isOpen: true,
            episodes: [
              {
                id: 'twitch/1202584@1795197540000',
                key: 'twitch/1202584',
                name: 'Ada',
                startedAt: '2026-11-20T17:59:00.000Z',
                announced: false,
              },
            ],
            decisions: DecisionAnswer.meta()?.examples ?? [],
          },
        ],
        gone: [],
        others: [{ id: 'live-card', verb: 'streaming.getStreams', on: true, isPaused: false }],
      },
    ],
  });

/** An explanation of an item as data. */
export function toItemAnswer({ name, keys, rules, gone, others }: ItemExplanation): z.output<typeof ItemExplanationAnswer> {
  return {
    name,
    keys,
    rules: rules.map(({ belowTake, isNamed, isOpen, ...rule }) => ({
      ...toWatching(rule),
      isNamed,
      isOpen,
      belowTake: belowTake && { at: new Date(belowTake.atMs), place: belowTake.place, take: belowTake.take },
      ...toHistory(rule),
    })),
    gone: gone.map((rule) => ({ id: rule.id, goneAt: rule.goneAt, lastRunAt: rule.lastRunAt, ...toHistory(rule) })),
    others: others.map(toWatching),
  };
}

function toWatching({ id, verb, on, isPaused }: WatchingRule): WatchingRule {
  return { id, verb, on, isPaused };
}

function toHistory({ episodes, decisions }: Pick<ItemExplanation['gone'][number], 'episodes' | 'decisions'>) {
  return {
    episodes: episodes.map(toEpisode),
    decisions: decisions.map((decision) => documented(DecisionAnswer, toDecisionView(decision))),
  };
}

function toEpisode({ id, key, item, startedMs, closedMs, announced }: LoggedEpisode) {
  const closed = closedMs === undefined ? {} : { closedAt: new Date(closedMs) };
  return { id, key, name: nameOf(item, key), startedAt: new Date(startedMs), ...closed, announced };
}
