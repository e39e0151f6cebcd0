import type { Clock } from '#src/clock.ts';
import { PlatformError } from '#src/errors.ts';
import { isFault } from '#src/http/errors.ts';
import type { CreatedSubscription, EventSubApi, Topic, Totals } from './api.ts';

/** The types by importance. */
const ONLINE = { type: 'stream.online', version: '1' } as const;
const OFFLINE = { type: 'stream.offline', version: '1' } as const;
const UPDATE = { type: 'channel.update', version: '2' } as const;
const PRESENCE = [ONLINE, OFFLINE];
const TYPES = [...PRESENCE, UPDATE];

/** The types of events that Fanfare subscribes to. */
export const KNOWN_TYPES: ReadonlySet<string> = new Set(TYPES.map(({ type }) => type));

/** The wait after a refusal without a time. */
const RETRY_MS = 10_000;
/** A longer wait is left to the caller. */
const LONGEST_WAIT_MS = 60_000;
/** Twitch has refused a subscription so often in a row that it is tried again with the next change only. */
const MOST_RETRIES = 5;

/** New subscriptions are reported in parts, because many of them take minutes. */
const PART = 100;

/** The subscriptions after a change. */
export interface FollowedChannels extends Totals {
  readonly subscriptions: number;
  /** The channels without a subscription to each type that they need. */
  readonly onlyPolled: readonly string[];
  /** The channels whose beginning and ending streams are notified. */
  readonly presence: ReadonlySet<string>;
  /** Those of them whose changed titles and categories are notified too. */
  readonly updates: ReadonlySet<string>;
  /** Whether the limit of the cost is why some channels are only polled. */
  readonly isFull: boolean;
}

/** The channels to subscribe to, the most important ones first. */
interface WatchedChannels {
  readonly ids: ReadonlySet<string>;
  /** Those of them whose rules read titles, categories or languages. */
  readonly updates: ReadonlySet<string>;
}

/** The subscriptions of a conduit. */
export interface Subscriptions {
  /** Reads the subscriptions that Twitch has. */
  load(signal: AbortSignal): Promise<void>;
  /** Subscribes to these channels and to no others. If the cost does not allow all of them, the first ones have each type that they need. */
  follow(channels: WatchedChannels, signal: AbortSignal): Promise<FollowedChannels>;
  /** Records that Twitch ended a subscription, which is not created again before the next `load`. Returns its channel, if it was known. */
  revoked(subscriptionId: string): string | undefined;
  /** Whether a subscription belongs to someone else. False while subscriptions are loaded or created. */
  isForeign(subscriptionId: string): boolean;
}

export interface SubscriptionsOptions {
  readonly api: Pick<EventSubApi, 'list' | 'totals' | 'create' | 'remove'>;
  readonly conduitId: string;
  /** Called with channels that have new subscriptions: they may have changed before. */
  readonly onAdded: (channelIds: ReadonlySet<string>) => void;
  /** Called before a subscription is replaced by a more important one. */
  readonly onReplace: () => void;
  readonly clock: Clock;
}

/** `known`: the subscription exists. `full`: the cost of all subscriptions of the app is as high as it may be. */
type Outcome = 'created' | 'known' | 'refused' | 'full';

const keyOf = ({ type, channelId }: Pick<Topic, 'type' | 'channelId'>): string => `${type} ${channelId}`;

/** Creates the subscriptions of a conduit. Nothing is read before `load`. */
export function createSubscriptions({ api, conduitId, onAdded, onReplace, clock }: SubscriptionsOptions): Subscriptions {
  /** The subscriptions by topic. */
  const existing = new Map<string, CreatedSubscription & Pick<Topic, 'channelId'>>();
  /** The topics that Twitch refuses. */
  const refused = new Set<string>();
  /** Whether `existing` has all subscriptions of the conduit. */
  let isComplete = false;
  let totals: Totals = { cost: 0, maxCost: Infinity };

  async function load(signal: AbortSignal): Promise<void> {
    const listed = await api.list(conduitId, signal);
    ({ totals } = listed);
    existing.clear();
    refused.clear();
    for (const { id, cost, type, channelId, isEnabled } of listed.subscriptions) {
      if (channelId === undefined) continue;
      if (isEnabled) existing.set(keyOf({ type, channelId }), { id, cost, channelId });
      // A subscription that was revoked stays in the list.
      else await remove(id, signal);
    }
  }

  async function remove(id: string, signal: AbortSignal): Promise<void> {
    try {
      await api.remove(id, signal);
    } catch (error) {
      if (!isFault(error, 'missing')) throw error;
    }
  }

  async function removeOthers(wanted: ReadonlyMap<string, unknown>, signal: AbortSignal): Promise<void> {
    const others = [...existing].filter(([key]) => !wanted.has(key));
    for (const [key, { id }] of others) {
      await remove(id, signal);
      existing.delete(key);
    }
    if (others.length > 0) totals = await api.totals(signal);
  }

  async function create(topic: Topic, signal: AbortSignal): Promise<Outcome> {
    for (let count = 1; ; count++) {
      try {
        const { id, cost, totals: after } = await api.create(conduitId, topic, signal);
        totals = after;
        existing.set(keyOf(topic), { id, cost, channelId: topic.channelId });
        return 'created';
      } catch (error) {
        if (!(error instanceof PlatformError)) throw error;
        // The answer to an earlier request was lost.
        if (error.status === 409) return 'known';
        if (error.fault === 'forbidden' || error.fault === 'rejected') return 'refused';
        if (error.fault !== 'rateLimited') throw error;
        totals = await api.totals(signal);
        if (totals.cost >= totals.maxCost) return 'full';
        const waitMs = Math.max(0, (error.retryAt?.getTime() ?? 0) - clock.nowMs()) || RETRY_MS;
        if (count >= MOST_RETRIES || waitMs > LONGEST_WAIT_MS) throw error;
        await clock.sleep(waitMs, signal);
      }
    }
  }

  /** Removes the last subscription after a topic. Returns false if that makes no room. */
  async function makeRoomFor(topic: string, order: readonly string[], signal: AbortSignal): Promise<boolean> {
    const last = order.findLast((key) => key === topic || (existing.get(key)?.cost ?? 0) > 0);
    const found = last === undefined ? undefined : existing.get(last);
    if (last === undefined || !found || totals.cost - found.cost >= totals.maxCost) return false;
    onReplace();
    await remove(found.id, signal);
    totals = { ...totals, cost: totals.cost - found.cost };
    return existing.delete(last);
  }

  /**
   * The topics in the order of their creation. Those of the channels for which the cost suffices come first, by type, so that all of these channels
   * soon have the most important one.
   */
  function inTurn(wanted: ReadonlyMap<string, Topic>): readonly (readonly [key: string, topic: Topic])[] {
    const topics = [...wanted];
    const own = existing.values().reduce((sum, { cost }) => sum + cost, 0);
    let left = totals.maxCost - totals.cost + own;
    const end = topics.findIndex(([key]) => (left -= existing.get(key)?.cost ?? 1) < 0);
    const [first, later] = end === -1 ? [topics, []] : [topics.slice(0, end), topics.slice(end)];
    return [...TYPES.flatMap(({ type }) => first.filter(([, topic]) => topic.type === type)), ...later];
  }

  return {
    load,

    async follow({ ids, updates }, signal) {
      isComplete = false;
      const wanted = new Map(
        [...ids].flatMap((channelId) => {
          const types = updates.has(channelId) ? TYPES : PRESENCE;
          return types.map((type) => [keyOf({ ...type, channelId }), { ...type, channelId }] as const);
        }),
      );
      await removeOthers(wanted, signal);
      const order = [...wanted.keys()];
      let added = new Set<string>();
      const report = (): void => {
        if (added.size > 0) onAdded(added);
        added = new Set();
      };
      let isFull = false;
      let hasUnknown = false;
      for (const [key, topic] of inTurn(wanted)) {
        if (existing.has(key) || refused.has(key)) continue;
        if (isFull && !(await makeRoomFor(key, order, signal))) break;
        let outcome = await create(topic, signal);
        if (outcome === 'full' && !isFull) {
          isFull = true;
          if (await makeRoomFor(key, order, signal)) outcome = await create(topic, signal);
        }
        if (outcome === 'full') break;
        hasUnknown ||= outcome === 'known';
        if (outcome === 'refused') refused.add(key);
        else added.add(topic.channelId);
        if (added.size >= PART) report();
      }
      if (hasUnknown) await load(signal);
      isComplete = true;
      report();
      const missing = [...wanted].filter(([key]) => !existing.has(key)).map(([, { channelId }]) => channelId);
      const presence = new Set([...ids].filter((channelId) => PRESENCE.every(({ type }) => existing.has(keyOf({ type, channelId })))));
      const updated = new Set([...presence].filter((channelId) => existing.has(keyOf({ ...UPDATE, channelId }))));
      return { ...totals, subscriptions: existing.size, onlyPolled: [...new Set(missing)], presence, updates: updated, isFull };
    },

    revoked(subscriptionId) {
      const [key, found] = existing.entries().find(([, { id }]) => id === subscriptionId) ?? [];
      if (key === undefined) return undefined;
      existing.delete(key);
      refused.add(key);
      return found?.channelId;
    },

    isForeign: (subscriptionId) => isComplete && existing.values().every(({ id }) => id !== subscriptionId),
  };
}
