import { z } from 'zod';

const who = { user: z.string().min(1).describe('The handle or the id of the streamer.') };
const game = z.string().min(1).describe('The name or the id of the game. Case does not matter.');
const title = z.string().min(1).max(140).describe('The title of the stream.');
const viewers = z.int().min(0).describe('The number of viewers. It stays until the next order.');

/** An order for a person of the world. */
export const WorldForm = z.discriminatedUnion('do', [
  z
    .strictObject({
      do: z.literal('goLive'),
      ...who,
      game: game.optional().describe('The name or the id of the game. Without it, the streamer plays the usual game.'),
      title: title.optional().describe('The title of the stream. Without it, the sandbox makes one.'),
      viewers: viewers.optional().describe('The number of viewers. Without it, the number changes as in other streams.'),
      broadcastId: z.string().optional().describe('The id of an earlier stream of this streamer. The order resumes that stream.'),
    })
    .describe('Starts a stream. If the streamer is live, the old stream ends and a new one starts. The stream stays live for 24 hours.'),
  z.strictObject({ do: z.literal('end'), ...who }).describe('Ends the stream. The streamer stays offline for 24 hours.'),
  z.strictObject({ do: z.literal('changeGame'), ...who, game }).describe('Changes the game of the current stream.'),
  z.strictObject({ do: z.literal('changeTitle'), ...who, title }).describe('Changes the title of the current stream.'),
  z.strictObject({ do: z.literal('setViewers'), ...who, viewers }).describe('Sets the number of viewers of the current stream.'),
]);

/** Selects the faults or the requests of a platform. */
export const PlatformQuery = z.strictObject({
  platform: z.string().optional().describe('Only this platform, such as `discord`. Without it, all platforms.'),
});

export const instant = z.iso.datetime({ offset: true }).transform((text) => Date.parse(text));

/** Selects events of the world. */
export const EventsQuery = z.strictObject({
  since: instant.optional().describe('The start, such as `2026-11-20T18:00:00Z`. Default: an hour ago.'),
  until: instant.optional().describe('The end. Default: now. Future events are never listed.'),
  cursor: z.string().optional().describe('The `cursor` of the page before. `since` and `until` then have no effect.'),
});
export type EventsQuery = z.output<typeof EventsQuery>;
