import type { Episode } from '../client/records.ts';

/** A part of an episode; instants are in milliseconds since 1970. */
export interface EpisodePart {
  readonly kind: 'waiting' | 'open' | 'suppressed' | 'grace';
  readonly fromMs: number;
  readonly toMs: number;
}

/** The parts of an episode in the order of time. A part that lasts ends at the last poll that is known. */
export function partsOf(
  { firstSeenAt, openedAt, lastSeenAt, missingSince, closedAt, announced }: Episode,
  untilMs: number,
): readonly EpisodePart[] {
  const [firstMs, lastMs] = [Date.parse(firstSeenAt), Date.parse(lastSeenAt)];
  const endMs = closedAt === undefined ? untilMs : Date.parse(closedAt);
  const goneMs = missingSince === undefined ? (closedAt === undefined ? undefined : lastMs) : Date.parse(missingSince);
  const openedMs = openedAt === undefined ? undefined : Date.parse(openedAt);
  const waiting: EpisodePart = { kind: 'waiting', fromMs: firstMs, toMs: openedMs ?? goneMs ?? Math.max(firstMs, lastMs) };
  if (openedMs === undefined) return [waiting];
  const open: EpisodePart = { kind: announced ? 'open' : 'suppressed', fromMs: openedMs, toMs: Math.max(openedMs, goneMs ?? lastMs) };
  const grace: readonly EpisodePart[] = goneMs === undefined || goneMs >= endMs ? [] : [{ kind: 'grace', fromMs: goneMs, toMs: endMs }];
  // Without `settle`, an episode opens in its first poll.
  return [...(openedMs > firstMs ? [waiting] : []), open, ...grace];
}

/** The last instant that the episodes know. */
export function lastInstantOf(episodes: readonly Episode[]): number {
  return Math.max(
    ...episodes.flatMap(({ lastSeenAt, missingSince, closedAt, openedAt }) =>
      [lastSeenAt, missingSince, closedAt, openedAt].flatMap((at) => (at === undefined ? [] : [Date.parse(at)])),
    ),
  );
}
