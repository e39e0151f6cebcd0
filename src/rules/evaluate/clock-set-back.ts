import type { Episode, RuleMemory } from '#src/rules/episode.ts';

/** Moves the instants of a memory that lie after `nowMs` to `nowMs`. The clock was ahead by `byMs`. */
export function memoryNotAfter(memory: RuleMemory, { nowMs, byMs }: { readonly nowMs: number; readonly byMs: number }): RuleMemory {
  const past = pastUntil(nowMs);
  return {
    ...memory,
    lastPollMs: past(memory.lastPollMs),
    firedMs: Object.fromEntries(Object.entries(memory.firedMs).map(([key, firedMs]) => [key, Math.min(firedMs, nowMs)])),
    ruleFiredMs: past(memory.ruleFiredMs),
    limitMs: memory.limitMs?.map((limitMs) => Math.min(limitMs, nowMs)),
    limited: memory.limited?.map((one) => ({ ...one, atMs: Math.min(one.atMs, nowMs) })),
    gathered: memory.gathered?.map((one) => ({ ...one, atMs: Math.min(one.atMs, nowMs) })),
    fusedMs: memory.fusedMs?.map((fusedMs) => Math.min(fusedMs, nowMs)),
    blownMs: past(memory.blownMs),
    // The next slot computes the end of the quiet hours again.
    quietEndMs: past(memory.quietEndMs),
    deferredSlot: memory.deferredSlot && { ...memory.deferredSlot, atMs: Math.min(memory.deferredSlot.atMs, nowMs) },
    clockSetBack: { atMs: nowMs, byMs },
  };
}

/** Moves the instants of an episode that lie after `nowMs` to `nowMs`. Its id keeps the slot of its first sight. */
export function episodeNotAfter(episode: Episode, nowMs: number): Episode {
  const past = pastUntil(nowMs);
  const { baselines, deferredChanges, peaks, spans, nextSpan } = episode;
  return {
    ...episode,
    firstSeenMs: Math.min(episode.firstSeenMs, nowMs),
    startedMs: Math.min(episode.startedMs, nowMs),
    lastSeenMs: Math.min(episode.lastSeenMs, nowMs),
    missingSinceMs: past(episode.missingSinceMs),
    countedMs: past(episode.countedMs),
    openedMs: past(episode.openedMs),
    closedMs: past(episode.closedMs),
    baselines: baselines && mapValues(baselines, (baseline) => ({ ...baseline, sinceMs: past(baseline.sinceMs) })),
    peaks: peaks && mapValues(peaks, (peak) => ({ ...peak, atMs: Math.min(peak.atMs, nowMs) })),
    spans: spans?.map((span) => ({ ...span, fromMs: Math.min(span.fromMs, nowMs), toMs: past(span.toMs) })),
    nextSpan: nextSpan && { ...nextSpan, sinceMs: Math.min(nextSpan.sinceMs, nowMs) },
    deferredChanges: deferredChanges && mapValues(deferredChanges, (change) => ({ ...change, atMs: Math.min(change.atMs, nowMs) })),
  };
}

function pastUntil(nowMs: number): (atMs: number | undefined) => number | undefined {
  return (atMs) => (atMs === undefined ? undefined : Math.min(atMs, nowMs));
}

function mapValues<T>(values: Readonly<Record<string, T>>, map: (value: T) => T): Readonly<Record<string, T>> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, map(value)]));
}
