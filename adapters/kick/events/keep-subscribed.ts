import type { Clock } from '#src/clock.ts';
import type { NotificationSubscriptions } from '#src/clients/operation/notification-request.ts';
import type { ConnectOptions, NotifierStatus } from '#src/clients/operation/notifier.ts';
import { PlatformError } from '#src/errors.ts';
import { isFault } from '#src/http/errors.ts';
import type { EventSubscription, KickEventsApi } from './api.ts';

/** The types of events that Fanfare subscribes to. */
export const KNOWN_TYPES: readonly string[] = ['livestream.status.updated', 'livestream.metadata.updated'];

/** Kick ends the subscriptions of an app whose webhook failed for a day. */
const COMPARE_MS = 30 * 60_000;

export interface KeepSubscribedOptions extends Pick<ConnectOptions, 'names' | 'onStatus' | 'onChange' | 'signal'> {
  readonly events: KickEventsApi;
  readonly subscriptions: NotificationSubscriptions;
  /** The id of a channel by id or slug; undefined: there is none. */
  readonly idOf: (name: string, signal: AbortSignal) => Promise<string | undefined>;
  readonly clock: Clock;
}

/** Keeps subscriptions to the channels that rules watch, and to no others, while rules watch any. */
export async function keepSubscribed(options: KeepSubscribedOptions): Promise<void> {
  const { names, onStatus, onChange, clock, signal } = options;
  /** The channels that Kick refuses, until the next comparison. */
  let refused = new Map<string, string>();
  let last: { readonly names: string; readonly atMs: number } | undefined;
  // Notifications from before are lost.
  onChange();
  for (;;) {
    const watched = (await names.current()).get('getStreams') ?? [];
    const isDue = last === undefined || clock.nowMs() - last.atMs >= COMPARE_MS;
    if (isDue || last?.names !== watched.join()) {
      if (isDue) refused = new Map();
      onStatus(await follow(await channelsOf(watched, options), refused, options));
      last = { names: watched.join(), atMs: isDue ? clock.nowMs() : (last?.atMs ?? 0) };
    }
    if (watched.length === 0) return;
    await names.changed(signal);
  }
}

/** The watched names by the id of their channel. */
type Channels = ReadonlyMap<string, readonly string[]>;

interface WatchedChannels {
  readonly channels: Channels;
  /** The names without a channel: misspelled, renamed or banned. */
  readonly unknown: readonly string[];
}

async function channelsOf(names: readonly string[], { idOf, signal }: KeepSubscribedOptions): Promise<WatchedChannels> {
  const found = await Promise.all(names.map(async (name) => ({ name, id: await idOf(name, signal) })));
  const known = found.flatMap(({ name, id }) => (id === undefined ? [] : [{ name, id }]));
  return {
    channels: new Map([...Map.groupBy(known, ({ id }) => id)].map(([id, some]) => [id, some.map(({ name }) => name)])),
    unknown: found.flatMap(({ name, id }) => (id === undefined ? [name] : [])),
  };
}

const topicOf = ({ type, channelId }: Pick<EventSubscription, 'type' | 'channelId'>): string => `${type} ${channelId}`;

/** Creates the missing subscriptions and removes those that are no longer wanted. */
async function follow(watched: WatchedChannels, refused: Map<string, string>, options: KeepSubscribedOptions): Promise<NotifierStatus> {
  const { channels } = watched;
  const { events, subscriptions, onChange, clock, signal } = options;
  const [listed, stored] = await Promise.all([events.list(signal), subscriptions.all()]);
  const existing = new Set(listed.map(({ id }) => id));
  const kept = new Map<string, string>();

  const keep = async (id: string, topic: string, channelId: string): Promise<void> => {
    const names = channels.get(channelId) ?? [];
    kept.set(topic, id);
    const known = stored.find((one) => one.id === id);
    if (known?.names.join() === names.join()) return;
    await subscriptions.keep({ id, topic, names, state: 'active', since: new Date(clock.nowMs()) });
  };

  // A subscription whose answer was lost is in the list too.
  for (const one of listed) {
    const isWanted = channels.has(one.channelId) && KNOWN_TYPES.includes(one.type) && !kept.has(topicOf(one));
    if (isWanted) await keep(one.id, topicOf(one), one.channelId);
  }
  // Another installation may have the others, so only stored ones are removed.
  const ids = new Set(kept.values());
  const others = stored.filter(({ id }) => !ids.has(id)).map(({ id }) => id);
  await events.remove(
    others.filter((id) => existing.has(id)),
    signal,
  );
  for (const id of others) await subscriptions.drop(id);

  let isAdded = false;
  for (const channelId of channels.keys()) {
    const missing = KNOWN_TYPES.filter((type) => !kept.has(topicOf({ type, channelId })));
    if (missing.length === 0 || refused.has(channelId)) continue;
    const problem = await create(channelId, missing);
    if (problem === undefined) isAdded = true;
    else refused.set(channelId, problem);
  }
  // A channel may have changed before its subscription.
  if (isAdded) onChange();
  return statusOf(watched, kept, refused);

  /** Returns why Kick refuses a channel. */
  async function create(channelId: string, types: readonly string[]): Promise<string | undefined> {
    try {
      const created = await events.create(channelId, types, signal);
      for (const { id, type } of created) if (id !== undefined) await keep(id, topicOf({ type, channelId }), channelId);
      const failed = types.find((type) => !kept.has(topicOf({ type, channelId })));
      return failed && (created.find(({ type }) => type === failed)?.problem ?? `kick answers without ${failed}`);
    } catch (error) {
      if (!(error instanceof PlatformError) || !isFault(error, 'rejected', 'forbidden', 'missing')) throw error;
      return error.message;
    }
  }
}

function statusOf(
  { channels, unknown }: WatchedChannels,
  kept: ReadonlyMap<string, string>,
  refused: ReadonlyMap<string, string>,
): NotifierStatus {
  const [first] = [...refused].filter(([channelId]) => channels.has(channelId));
  const onlyPolled = [...channels.keys()].filter((channelId) => refused.has(channelId)).length + unknown.length;
  const others = onlyPolled > 1 ? ' and others' : '';
  const problem = first
    ? `Kick refuses subscriptions to ${channels.get(first[0])?.[0]}${others}: ${first[1]}`
    : `Kick has no channel ${unknown[0]}${others}`;
  return { state: 'connected', subscriptions: kept.size, onlyPolled, ...(onlyPolled > 0 && { problem }) };
}
