import type { Clock } from '#src/clock.ts';
import type { ConnectOptions, NamesByOperation, NotifierStatus } from '#src/clients/operation/notifier.ts';
import { type Fault, PlatformError } from '#src/errors.ts';
import type { BoundShard, EventSubApi } from './api.ts';
import type { ChannelHints } from './channel-hints.ts';
import { FIRST_SHARD } from './conduit.ts';
import { createSubscriptions, type FollowedChannels, type Subscriptions } from './subscriptions.ts';

/** The operation whose answers EventSub notifies about. */
export const OPERATION = 'getStreams';

/** The time between two comparisons with what Twitch has. */
const COMPARE_MS = 5 * 60_000;
/** A disabled shard that no process has bound again after this time is removed. */
const REBIND_MS = 30_000;

/** Faults that end without a person. During them, Twitch notifies through the existing subscriptions. */
const PASSING: readonly Fault[] = ['rateLimited', 'unavailable', 'unreachable', 'unanswered'];
/** The pauses after them, which grow. Twitch itself may ask for hours, in which no request is sent. */
const FIRST_PAUSE_MS = 5_000;
const LONGEST_PAUSE_MS = 15 * 60_000;

/** The most names whose channels are looked up. The limit of the cost allows 5,000 channels. */
const MOST_NAMES = 10_000;

interface KeepOptions extends Pick<ConnectOptions, 'names' | 'onStatus' | 'onCovered'> {
  readonly channels: ChannelHints;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

interface KeepSubscribedOptions extends KeepOptions {
  readonly api: EventSubApi;
  /** The shard of this process. */
  readonly bound: () => BoundShard;
}

/** The work of the process with the first shard, besides receiving notifications. */
export interface KeptSubscriptions {
  /** Resolves when no rule watches a channel. */
  readonly ended: Promise<void>;
  /** Twitch disabled a shard of another process. */
  shardDisabled(): void;
  /** Twitch ended a subscription, whose channel is only polled from now on. */
  revoked(subscriptionId: string): void;
  /** The subscriptions of the conduit. */
  readonly subscriptions: Subscriptions;
}

/** Keeps the subscriptions and the number of shards as the rules and the processes need them. */
export function keepSubscribed(options: KeepSubscribedOptions): KeptSubscriptions {
  const { api, channels, names, bound, onStatus, onCovered, clock, signal } = options;
  const { conduitId } = bound();
  const onAdded = (ids: ReadonlySet<string>): void => channels.mayHaveChanged(ids);
  const subscriptions = createSubscriptions({ api, conduitId, onAdded, onReplace, clock });
  let compareAtMs = 0;
  let shards: number | undefined;
  let followed: FollowedChannels | undefined;

  /** The number of watched names after the first `MOST_NAMES`. */
  let further = 0;

  function report(next: FollowedChannels): void {
    followed = next;
    onStatus(statusOf(next, channels, further));
    cover(next);
  }

  /** Reports that the missing subscriptions wait, and waits. */
  async function wait({ presence, ...last }: FollowedChannels, error: PlatformError, failures: number): Promise<void> {
    const onlyPolled = [...channels.namesById.keys()].filter((id) => !presence.has(id));
    const status = statusOf({ ...last, presence, onlyPolled }, channels, further);
    onStatus({ ...status, problem: error.message, fault: error.fault });
    const askedMs = (error.retryAt?.getTime() ?? 0) - clock.nowMs();
    await clock.sleep(Math.min(Math.max(FIRST_PAUSE_MS * 2 ** (failures - 1), askedMs), LONGEST_PAUSE_MS), signal);
  }

  /** Until the subscriptions are complete, no channel counts as notified. */
  function onReplace(): void {
    if (!followed) return;
    followed = { ...followed, presence: new Set(), updates: new Set() };
    cover(followed);
  }

  function cover({ presence, updates }: Pick<FollowedChannels, 'presence' | 'updates'>): void {
    const namesWhere = (isCovered: (id: string) => boolean): NamesByOperation =>
      new Map([[OPERATION, [...channels.namesById].flatMap(([id, some]) => (isCovered(id) ? some : []))]]);
    onCovered(
      namesWhere((id) => updates.has(id)),
      namesWhere((id) => presence.has(id) && !updates.has(id)),
    );
  }

  async function follow(updated: readonly string[]): Promise<void> {
    const reading = new Set(updated);
    const ids = new Set(channels.namesById.keys());
    const updates = new Set([...channels.namesById].flatMap(([id, some]) => (some.some((name) => reading.has(name)) ? [id] : [])));
    // Subscriptions that no rule needs now are removed one by one, and a rule may need them again before all of them are.
    if (followed) cover({ presence: followed.presence.intersection(ids), updates: followed.updates.intersection(updates) });
    report(await subscriptions.follow({ ids, updates }, signal));
  }

  async function compare(): Promise<void> {
    const { conduitId, sessionId } = bound();
    const enabled = await api.shards(conduitId, signal);
    // Another process may have taken the shard, or Twitch disabled it while the connection stayed open.
    if (!enabled.some((shard) => shard.number === FIRST_SHARD && shard.sessionId === sessionId))
      throw new Error('twitch disabled the shard');
    const wanted = 1 + Math.max(...enabled.map(({ number }) => number));
    if (wanted !== shards) await api.resize(conduitId, wanted, signal);
    shards = wanted;
  }

  async function keep(): Promise<void> {
    await subscriptions.load(signal);
    let last: string | undefined;
    let failures = 0;
    for (;;) {
      const found = await watchedBy(names);
      const { watched } = found;
      further = found.further;
      const updated = (await names.readingChanges()).get(OPERATION) ?? [];
      const wanted = JSON.stringify([watched, updated]);
      const isDue = clock.nowMs() >= compareAtMs;
      try {
        if (isDue && last !== undefined) await compare();
        if (isDue) compareAtMs = clock.nowMs() + COMPARE_MS;
        if (isDue || wanted !== last) {
          await channels.watch(watched, signal);
          await follow(updated);
          last = wanted;
        }
        failures = 0;
      } catch (error) {
        if (!followed || !(error instanceof PlatformError) || !PASSING.includes(error.fault)) throw error;
        // The names are followed again, even if they do not change.
        last = '';
        failures += 1;
        await wait(followed, error, failures);
        continue;
      }
      if (watched.length === 0) return;
      await names.changed(signal);
    }
  }

  return {
    ended: keep(),
    shardDisabled() {
      shards = undefined;
      compareAtMs = Math.min(compareAtMs, clock.nowMs() + REBIND_MS);
    },
    subscriptions,
    revoked(subscriptionId) {
      const channelId = subscriptions.revoked(subscriptionId);
      if (!followed || channelId === undefined) return;
      const { subscriptions: count, onlyPolled, presence, updates } = followed;
      const revoked = new Set([channelId]);
      report({
        ...followed,
        subscriptions: count - 1,
        onlyPolled: [...new Set([...onlyPolled, channelId])],
        presence: presence.difference(revoked),
        updates: updates.difference(revoked),
      });
    },
  };
}

/** Keeps the watched channels of a process whose shard is not the first one. */
export async function keepWatched({ channels, names, signal }: Pick<KeepOptions, 'channels' | 'names' | 'signal'>): Promise<void> {
  for (let last: string | undefined; ;) {
    const { watched } = await watchedBy(names);
    if (watched.length === 0) return;
    if (watched.join() !== last) await channels.watch(watched, signal);
    last = watched.join();
    await names.changed(signal);
  }
}

/** The watched names with the highest priority, and the number of further ones, which are only polled. */
export async function watchedBy(
  names: ConnectOptions['names'],
): Promise<{ readonly watched: readonly string[]; readonly further: number }> {
  const all = (await names.current()).get(OPERATION) ?? [];
  return { watched: all.slice(0, MOST_NAMES), further: Math.max(0, all.length - MOST_NAMES) };
}

function statusOf(
  { subscriptions, cost, maxCost, onlyPolled, isFull }: FollowedChannels,
  { namesById, unknown }: Pick<ChannelHints, 'namesById' | 'unknown'>,
  further: number,
): NotifierStatus {
  const count = onlyPolled.length + unknown.length + further;
  const [first] = onlyPolled.map((id) => namesById.get(id)?.[0] ?? id);
  const others = count > 1 ? ' and others' : '';
  const problem = isFull
    ? `the subscriptions of the client id cost ${cost} of ${maxCost}`
    : first === undefined && unknown.length > 0
      ? `Twitch has no channel ${unknown[0]}${others}`
      : `Twitch refuses subscriptions to ${first ?? ''}${others}`;
  return { state: 'connected', subscriptions, cost, maxCost, onlyPolled: count, ...(count > 0 && { problem }) };
}
