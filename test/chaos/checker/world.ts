import { z } from 'zod';

export const WorldEvents = z.array(
  z.object({
    at: z.coerce.date(),
    kind: z.enum(['wentLive', 'ended', 'changedGame', 'changedTitle']),
    user: z.object({ handle: z.string() }),
    broadcastId: z.string(),
    title: z.string(),
  }),
);
export type WorldEvents = z.output<typeof WorldEvents>;

/** A title of a stream, and when it was visible. */
export interface ShownTitle {
  readonly title: string;
  readonly fromMs: number;
  /** Undefined: it is still visible. */
  readonly toMs: number | undefined;
}

/** A stream of the world. */
export interface Stream {
  readonly handle: string;
  readonly id: string;
  readonly startMs: number;
  readonly endMs: number | undefined;
  readonly titles: readonly ShownTitle[];
}

/** The streams of each person, oldest first. */
export function streamsOf(events: WorldEvents): ReadonlyMap<string, readonly Stream[]> {
  const streams = new Map<string, { handle: string; id: string; startMs: number; endMs: number | undefined; titles: ShownTitle[] }>();
  for (const { at, kind, user, broadcastId, title } of events) {
    const atMs = at.getTime();
    const key = `${user.handle} ${broadcastId}`;
    if (kind === 'wentLive') {
      const titles = [{ title, fromMs: atMs, toMs: undefined }];
      streams.set(key, { handle: user.handle, id: broadcastId, startMs: atMs, endMs: undefined, titles });
      continue;
    }
    const stream = streams.get(key);
    // It began before the first event.
    if (!stream) continue;
    if (kind === 'changedTitle' || kind === 'ended') {
      const last = stream.titles.pop();
      if (last) stream.titles.push({ ...last, toMs: atMs });
    }
    if (kind === 'changedTitle') stream.titles.push({ title, fromMs: atMs, toMs: undefined });
    if (kind === 'ended') stream.endMs = atMs;
  }
  return Map.groupBy(streams.values(), ({ handle }) => handle);
}
