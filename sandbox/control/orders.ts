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

const WEEK_MS = 7 * 24 * 3_600_000;

/** An order for the clock. */
export const ClockForm = z
  .strictObject({
    speed: z.number().min(1).max(60).optional().describe('The speed relative to the real time, from 1 to 60. Without it, unchanged.'),
    forwardMs: z.int().min(0).max(WEEK_MS).optional().describe('How far the clock jumps forward, in milliseconds. At most a week.'),
  })
  .refine(({ speed, forwardMs }) => speed !== undefined || forwardMs !== undefined, { error: 'expected speed or forwardMs' });

/** Selects streamers of the world. */
export const StreamersQuery = z.strictObject({
  text: z
    .string()
    .max(100)
    .default('')
    .describe('A part of the handle, of the name, or of the game that is streamed now. Case does not matter.'),
  state: z.enum(['live', 'offline']).optional().describe('Only streamers who are live, or who are not.'),
  cursor: z
    .string()
    .regex(/^\d{1,6}$/, 'expected the cursor of an earlier answer')
    .optional()
    .describe('The `cursor` of the page before.'),
  limit: z.coerce.number().int().min(1).max(100).default(20).describe('The number of streamers on a page.'),
});
export type StreamersQuery = z.output<typeof StreamersQuery>;

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
