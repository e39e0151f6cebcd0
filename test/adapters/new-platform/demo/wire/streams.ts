import { z } from 'zod';
import type { Stream } from '#src/clients/streaming/records.ts';

export const LiveStreams = z.array(
  z.object({ id: z.string(), user: z.string(), title: z.string(), viewers: z.int(), since: z.iso.datetime() }),
);

export function toStream({ id, user, title, viewers, since }: z.output<typeof LiveStreams>[number], fetchedAt: Date): Stream {
  const url = `https://demo.test/${user}`;
  return {
    platform: 'demo',
    id,
    url,
    owner: { platform: 'demo', id: user, url, handle: user, displayName: user },
    title,
    viewerCount: viewers,
    startedAt: new Date(since),
    tags: [],
    fetchedAt,
  };
}
