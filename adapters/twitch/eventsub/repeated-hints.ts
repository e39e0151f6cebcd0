import type { Clock } from '#src/clock.ts';
import type { Stream } from '#src/clients/streaming/records.ts';
import type { ReadChannels, ShownStreams } from '../shown-streams.ts';
import type { EventSubNotification } from './read-message.ts';

/** Helix shows a change up to about two minutes after its notification, so one poll at once can be too early. */
const AFTER_MS = [0, 10_000, 30_000, 60_000, 120_000] as const;

/** The change that a notification reports. */
type Noticed = Pick<EventSubNotification, 'type' | 'streamId' | 'update'>;

export interface RepeatedHintsOptions {
  readonly hint: (channelId: string) => void;
  /** The watched names of a channel. */
  readonly namesOf: (channelId: string) => readonly string[];
  readonly shown: ShownStreams;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

/** The repeated hints about a channel. */
interface Repeating {
  /** The changes that no poll has shown yet. */
  awaited: readonly Noticed[];
  readonly stopped: AbortController;
}

/** Gives a hint about a channel at once, and again until polls show the change. A newer change of the channel begins again. */
export function createRepeatedHints(options: RepeatedHintsOptions): (channelId: string, noticed: Noticed) => void {
  const { hint, namesOf, shown, clock, signal } = options;
  const repeating = new Map<string, Repeating>();
  let stopListening: (() => void) | undefined;

  async function repeat(channelId: string, stop: AbortSignal): Promise<void> {
    const beganMs = clock.nowMs();
    for (const afterMs of AFTER_MS) {
      const leftMs = beganMs + afterMs - clock.nowMs();
      if (leftMs > 0) await clock.sleep(leftMs, stop);
      hint(channelId);
    }
  }

  function end(channelId: string, one: Repeating): void {
    if (repeating.get(channelId) === one) repeating.delete(channelId);
    if (repeating.size > 0) return;
    stopListening?.();
    stopListening = undefined;
  }

  function onRead({ asked, streams }: ReadChannels): void {
    for (const [channelId, one] of repeating) {
      if (!asked.has(channelId) && !namesOf(channelId).some((name) => asked.has(name.toLowerCase()))) continue;
      const stream = streams.find(({ owner }) => owner.id === channelId);
      one.awaited = one.awaited.filter((change) => !shows(stream, change));
      if (one.awaited.length === 0) one.stopped.abort();
    }
  }

  return (channelId, noticed) => {
    const before = repeating.get(channelId);
    before?.stopped.abort();
    const others = before?.awaited.filter(({ update }) => (update === undefined) !== (noticed.update === undefined)) ?? [];
    // The next slot confirms the end of a stream, because a poll a moment later counts for no confirmation.
    const one: Repeating = { awaited: [...others, noticed], stopped: new AbortController() };
    repeating.set(channelId, one);
    stopListening ??= shown.listen(onRead);
    repeat(channelId, AbortSignal.any([signal, one.stopped.signal]))
      .catch(() => undefined)
      .finally(() => end(channelId, one));
  };
}

/** Whether a response shows the change of a notification. */
function shows(stream: Stream | undefined, { type, streamId, update }: Noticed): boolean {
  if (type === 'stream.online') return stream !== undefined && stream.id === streamId;
  if (type === 'stream.offline') return stream === undefined;
  // Polls show the title of live channels only.
  return update !== undefined && (!stream || (stream.title === update.title && (stream.game?.id ?? '') === update.categoryId));
}
