import { z } from 'zod';
import { faultKinds } from '../faults.ts';

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;

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

/** An order for a fault. */
export const FaultForm = z
  .strictObject({
    platform: z.string().describe('The first part of the path of the platform, such as `discord`.'),
    kind: z.enum(faultKinds).describe('What fails: see the table of faults.'),
    method: z
      .string()
      .toUpperCase()
      .pipe(z.enum(METHODS))
      .optional()
      .describe('Only requests with this method: `GET`, `POST`, `PUT`, `PATCH` or `DELETE`. Without it, all methods.'),
    route: z.string().optional().describe('Only requests whose path contains this text, such as `/messages`. Without it, all paths.'),
    status: z
      .int()
      .min(200)
      .max(599)
      .optional()
      .describe('The status code of `status` (default 500), `page` and `pageAfter` (default 200).'),
    ms: z
      .number()
      .min(0)
      .optional()
      .describe(
        'The duration for `rateLimit`, `delay` and `delayedVisibility`. Default: 1000 for `rateLimit` and `delay`, 0 for `delayedVisibility`.',
      ),
    times: z
      .int()
      .min(1)
      .optional()
      .describe('The number of requests that the fault applies to. Without it, the fault stays until you delete it.'),
  })
  .refine(({ kind, status = 500 }) => status >= 400 || kind === 'page' || kind === 'pageAfter', {
    path: ['status'],
    message: 'only the kinds page and pageAfter can have a status below 400',
  });

/** Selects the faults or the requests of a platform. */
export const PlatformQuery = z.strictObject({
  platform: z.string().optional().describe('Only this platform, such as `discord`. Without it, all platforms.'),
});

const instant = z.iso.datetime({ offset: true }).transform((text) => Date.parse(text));

/** Selects events of the world. */
export const EventsQuery = z.strictObject({
  since: instant.optional().describe('The start, such as `2026-11-20T18:00:00Z`. Default: an hour ago.'),
  until: instant.optional().describe('The end. Default: now. Future events are never listed.'),
  cursor: z.string().optional().describe('The `cursor` of the page before. `since` and `until` then have no effect.'),
});
export type EventsQuery = z.output<typeof EventsQuery>;
