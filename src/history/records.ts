import { z } from 'zod';
import { Person } from '#src/operation/record.ts';
import { Container } from '#src/paging/container.ts';

const greatest = z.number().optional();

const episode = z.object({
  id: z.string().describe("The rule's id and the episode's."),
  rule: z.string().describe("The rule's id; of an instance of `each` with the names of its values."),
  key: z.string().describe('What the item is known by.'),
  platform: z.string().optional().describe('Where the item is, as `twitch`.'),
  title: z.string().optional().describe('The title or the name of the item, as last seen.'),
  url: z.string().optional().describe('Where a person can open the item.'),
  owner: Person.optional().describe('Whose item it is, or who wrote it.'),
  game: z
    .object({ id: z.string().optional().describe("The platform's own id."), name: z.string().describe('What it is called.') })
    .optional()
    .describe('The game, as last seen.'),
  startedAt: z.date().describe('When it began: what the item says, else when it was seen first.'),
  endedAt: z.date().optional().describe('When it ended; absent: it lasts.'),
  lengthMs: z.number().describe('How long it lasted, to the last time that it was seen.'),
  peak: z
    .object({
      viewerCount: greatest.describe('Of a stream.'),
      viewCount: greatest.describe('Of a video or a clip.'),
      liveChannelCount: greatest.describe('Of a game.'),
      followerCount: greatest.describe('Of a user.'),
      postCount: greatest.describe('Of a topic or a user.'),
      memberCount: greatest.describe('Of a list or a community.'),
    })
    .describe('The greatest value of each number, where the item has it.'),
  spoke: z.boolean().describe('Whether its `then` was sent.'),
});

/** The life of an item in the list of a rule. */
export interface Episode extends z.output<typeof episode> {}
export const Episode: z.ZodType<Episode> = episode;

/** Episodes of one rule. */
export class Episodes extends Container<Episode> {}
