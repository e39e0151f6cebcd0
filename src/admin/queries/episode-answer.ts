import { z } from 'zod';
import { nameOf } from '#src/rules/evaluate/items/item-fields.ts';
import type { EpisodePhases } from '#src/rules/episode-log.ts';
import { formatPastSuppression, formatSuppression } from '#src/rules/messages/format-suppression.ts';
import type { Suppression } from '#src/rules/reasons/reason.ts';

/** An episode with the instants at which its phases began. */
export const EpisodeAnswer = z
  .object({
    id: z.string().describe('The id of the episode.'),
    key: z.string().describe('The key of the item.'),
    name: z.string().describe('The display name of the item as last seen.'),
    phase: z
      .enum(['pending', 'open', 'closing', 'closed'])
      .describe(
        '`pending`: it waits for `settle` or for further polls. `closing`: the item is gone, and the episode ends unless it comes back.',
      ),
    startedAt: z.date().describe('When the item began, for example the stream.'),
    firstSeenAt: z.date().describe('The first poll that had the item.'),
    openedAt: z.date().optional().describe('When it opened; absent if it did not.'),
    lastSeenAt: z.date().describe('The last poll that had the item.'),
    missingSince: z.date().optional().describe('The first poll without the item, after which its time of grace runs.'),
    closedAt: z.date().optional().describe('When it ended; absent before.'),
    announced: z.boolean().describe('Whether it was announced.'),
    suppression: z
      .object({
        message: z.string().describe('The reason as text.'),
        reason: z
          .custom<Suppression>()
          .meta({ type: 'object', additionalProperties: true })
          .optional()
          .describe('The reason as data: its `kind` and its values; absent for episodes of earlier versions.'),
      })
      .optional()
      .describe('Why it is not announced.'),
  })
  .meta({
    examples: [
      {
        id: 'twitch/1202584@1795197540000',
        key: 'twitch/1202584',
        name: 'Ada',
        phase: 'open',
        startedAt: '2026-11-20T17:58:30.000Z',
        firstSeenAt: '2026-11-20T17:59:00.000Z',
        openedAt: '2026-11-20T17:59:10.000Z',
        lastSeenAt: '2026-11-20T18:00:00.000Z',
        announced: true,
      },
    ],
  });

/** An episode as data. */
export function toEpisodeAnswer(episode: EpisodePhases): z.output<typeof EpisodeAnswer> {
  const { id, key, item, phase, startedMs, firstSeenMs, openedMs, lastSeenMs, missingSinceMs, closedMs, announced, suppressedBy } = episode;
  const format = closedMs === undefined ? formatSuppression : formatPastSuppression;
  return {
    id,
    key,
    name: nameOf(item, key),
    phase,
    startedAt: new Date(startedMs),
    firstSeenAt: new Date(firstSeenMs),
    openedAt: dateOf(openedMs),
    lastSeenAt: new Date(lastSeenMs),
    missingSince: dateOf(missingSinceMs),
    closedAt: dateOf(closedMs),
    announced,
    suppression:
      suppressedBy === undefined || announced
        ? undefined
        : { message: format(suppressedBy), reason: typeof suppressedBy === 'string' ? undefined : suppressedBy },
  };
}

function dateOf(ms: number | undefined): Date | undefined {
  return ms === undefined ? undefined : new Date(ms);
}
