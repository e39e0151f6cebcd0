import { z } from 'zod';
import { findStreamers, readNames } from './find-streamers.ts';
import { Refused } from '#src/errors.ts';
import type { LookupClients } from './lookup-clients.ts';

/** The most names of one search. */
const MOST_NAMES = 10;

/** A channel of a streaming platform. */
const StreamerAnswer = z.object({
  name: z.string().describe('The searched name or link.'),
  platform: z.string().describe('The platform, which is also the field with the handle in entries of lists.'),
  id: z.string().describe('The id on the platform.'),
  handle: z.string().describe('The name in the address of the channel.'),
  displayName: z.string().describe('The displayed name.'),
  url: z.string().optional().describe('The address of the channel.'),
  picture: z.string().optional().describe('The address of the profile picture.'),
  isLive: z.boolean().optional().describe('Whether the channel is live; absent if the platform does not state it.'),
});

/** The result of a search for streamers. */
export const StreamerSearchAnswer = z
  .object({
    streamers: z.array(StreamerAnswer).readonly().describe('The channels with exactly these names, on all platforms.'),
    unknown: z
      .array(
        z.object({
          name: z.string().describe('The searched name or link.'),
          similar: z.array(z.string()).readonly().describe('Links of channels with similar names.'),
        }),
      )
      .readonly()
      .describe('The names that no platform has.'),
    unreachable: z
      .array(
        z.object({
          name: z.string().describe('The searched name or link.'),
          platform: z.string().describe('The platform that did not answer.'),
        }),
      )
      .readonly()
      .describe('The names that could not be searched.'),
  })
  .meta({
    examples: [
      {
        streamers: [
          {
            name: 'ada',
            platform: 'twitch',
            id: '1202584',
            handle: 'ada',
            displayName: 'Ada',
            url: 'https://www.twitch.tv/ada',
            isLive: true,
          },
        ],
        unknown: [{ name: 'adda', similar: ['twitch.tv/adda_l'] }],
        unreachable: [],
      },
    ],
  });

export type StreamerSearch = z.output<typeof StreamerSearchAnswer>;

/** Searches channels by exact names or by links, separated by spaces or commas. Throws a {@link Refused} for too many names. */
export async function searchStreamers(
  text: string,
  options: { readonly streaming: LookupClients['streaming']; readonly signal: AbortSignal },
): Promise<StreamerSearch> {
  const names = readNames(text);
  if (names.length > MOST_NAMES) throw new Refused('tooManyNames', `Search for at most ${MOST_NAMES} names at once.`);
  const found = await findStreamers(names, options);
  return {
    streamers: found.flatMap((one) => {
      const accounts = one.kind === 'found' ? [one] : one.kind === 'ambiguous' ? one.accounts : [];
      return accounts.map(({ platform, user: { id, handle, displayName, url, avatarUrl, isLive } }) => ({
        name: one.name.typed,
        platform,
        id,
        handle,
        displayName,
        url,
        picture: avatarUrl,
        isLive,
      }));
    }),
    unknown: found.flatMap((one) => (one.kind === 'unknown' ? [{ name: one.name.typed, similar: one.similar }] : [])),
    unreachable: found.flatMap((one) => (one.kind === 'unreachable' ? [{ name: one.name.typed, platform: one.platform }] : [])),
  };
}
