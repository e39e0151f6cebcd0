import { z } from 'zod';
import { Person } from '#src/operation/record.ts';
import { Container } from '#src/paging/container.ts';

const greatest = z.number().optional();

const episode = z.object({
  id: z.string().describe('The id of the rule and of the episode.'),
  rule: z.string().describe('The id of the rule; for an instance of `each`, with the names of its values.'),
  key: z.string().describe('The identity of the item.'),
  platform: z.string().optional().describe('The platform of the item, for example `twitch`.'),
  title: z.string().optional().describe('The title or the name of the item at its last poll.'),
  url: z.string().optional().describe('The web address of the item.'),
  owner: Person.optional().describe('The owner or the author of the item.'),
  game: z
    .object({ id: z.string().optional().describe("The platform's id."), name: z.string().describe('The name.') })
    .optional()
    .describe('The game at the last poll.'),
  visibility: z
    .enum(['public', 'unlisted', 'followers', 'direct', 'private'])
    .optional()
    .describe('The audience of the item, if it is a post, a message or a list.'),
  startedAt: z.date().describe('The start: the start time of the item, else its first poll.'),
  endedAt: z.date().optional().describe('The end; absent while it lasts.'),
  lengthMs: z.number().describe('The length up to the last poll with the item.'),
  peak: z
    .object({
      viewerCount: greatest.describe('Of a stream.'),
      viewCount: greatest.describe('Of a video or a clip.'),
      liveChannelCount: greatest.describe('Of a game.'),
      followerCount: greatest.describe('Of a user.'),
      postCount: greatest.describe('Of a topic or a user.'),
      memberCount: greatest.describe('Of a list or a community.'),
    })
    .describe('The highest value of each number of the item. Empty if the rule sends only `then`: its numbers are not stored.'),
  spoke: z.boolean().describe('Whether its `then` ran.'),
});

/** The time of an item in the list of a rule. */
export interface Episode extends z.output<typeof episode> {}
export const Episode: z.ZodType<Episode> = episode;

/** Episodes of one rule. */
export class Episodes extends Container<Episode> {}
