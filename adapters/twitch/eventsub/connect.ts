import type { Clock } from '#src/clock.ts';
import type { ConnectOptions, NotifierStatus } from '#src/clients/operation/notifier.ts';
import { PlatformError } from '#src/errors.ts';
import { isFault } from '#src/http/errors.ts';
import type { UserNames } from '../operations/users.ts';
import { eventSubApi, type EventSubApi, type EventSubApiOptions } from './api.ts';
import type { EventSubMessage } from './read-message.ts';
import { createRepeatedHints } from './repeated-hints.ts';
import { keepSession } from './session.ts';
import { createSubscriptions, KNOWN_TYPES, type FollowedChannels, type Subscriptions } from './subscriptions.ts';

const OPERATION = 'getStreams';

/** The ids of recent notifications, which Twitch can repeat. */
const RECENT = 1_000;

/** The time between two comparisons with what Twitch has. */
const COMPARE_MS = 5 * 60_000;

export interface EventSubOptions extends EventSubApiOptions, ConnectOptions {
  /** The address of the WebSocket server. */
  readonly url: string;
  readonly users: Pick<UserNames, 'idOf'>;
  readonly clock: Clock;
}

/**
 * Receives notifications of Twitch over a conduit with one shard, while there are names. Rejects when the connection is lost. The
 * subscriptions outlast the connection.
 */
export async function connectEventSub(options: EventSubOptions): Promise<void> {
  const { url, clock, names, onStatus, onCovered, onChange, onNotification } = options;
  const api = eventSubApi(options);
  const ended = new AbortController();
  const signal = AbortSignal.any([options.signal, ended.signal]);
  /** The watched names of each channel. */
  let namesById: ReadonlyMap<string, readonly string[]> = new Map();
  let subscriptions: Subscriptions | undefined;
  let bound: { readonly conduitId: string; readonly sessionId: string } | undefined;

  const hint = (channelIds: Iterable<string>): void => {
    const named = [...channelIds].flatMap((id) => (namesById.has(id) ? [id, ...(namesById.get(id) ?? [])] : []));
    if (named.length > 0) onChange({ operation: OPERATION, names: named });
  };
  const hintRepeatedly = createRepeatedHints({ hint: (id) => hint([id]), clock, signal: options.signal });
  const isRepeat = createRecent();
  const { promise: failed, reject: fail } = Promise.withResolvers<never>();
  failed.catch(() => undefined);

  async function onWelcome(sessionId: string, isContinued: boolean): Promise<void> {
    const conduitId = await bindConduit(options, api, { sessionId, signal });
    const isFirst = bound === undefined;
    if (bound && bound.conduitId !== conduitId) throw new Error('twitch deleted the conduit');
    bound = { conduitId, sessionId };
    // Notifications from before the connection are lost.
    if (!isContinued) onChange();
    if (isFirst) keepSubscribed(conduitId).then(() => ended.abort(NO_NAMES), fail);
  }

  async function keepSubscribed(conduitId: string): Promise<void> {
    const followed = (subscriptions = createSubscriptions({ api, conduitId, onAdded: hint, clock }));
    await followed.load(signal);
    let last: { readonly names: string; readonly atMs: number } | undefined;
    for (;;) {
      const watched = (await names.current()).get(OPERATION) ?? [];
      if (last?.names !== watched.join() || clock.nowMs() - last.atMs >= COMPARE_MS) {
        // Another process may have taken the shard, or Twitch disabled it while the connection stayed open.
        if (last && bound && !(await api.isBound(bound.conduitId, bound.sessionId, signal))) throw new Error('twitch disabled the shard');
        namesById = await channelsOf(watched, options, signal);
        const result = await followed.follow(new Set(namesById.keys()), signal);
        onStatus(statusOf(result, namesById));
        onCovered(new Map([[OPERATION, coveredNames(result, namesById)]]));
        last = { names: watched.join(), atMs: clock.nowMs() };
      }
      if (watched.length === 0) return;
      await names.changed(signal);
    }
  }

  function onMessage(message: EventSubMessage): void {
    if (message.kind === 'revocation') subscriptions?.revoked(message.subscriptionId);
    if (message.kind !== 'notification') return;
    onNotification(KNOWN_TYPES.has(message.type) ? message.type : 'other');
    if (isRepeat(message.id)) return;
    if (message.shard) {
      if (message.shard.conduitId === bound?.conduitId) fail(new Error('twitch disabled the shard'));
      return;
    }
    // A channel that no rule watches can be in a notification that was on its way, or in one for another installation.
    for (const id of message.channelIds) if (namesById.has(id)) hintRepeatedly(id);
  }

  try {
    await Promise.race([failed, keepSession({ url, clock, signal, onWelcome, onMessage })]);
  } catch (error) {
    if (error !== NO_NAMES) throw error;
  } finally {
    ended.abort();
  }
}

/** Why a connection ends that no rule needs. */
const NO_NAMES = new Error('no rule watches a channel');

/** Binds the stored conduit, or a new one, to a session. Returns its id. Throws `quotaExhausted` if the app has no conduit left. */
async function bindConduit(
  { stored, clientId }: Pick<EventSubOptions, 'stored' | 'clientId'>,
  api: EventSubApi,
  { sessionId, signal }: { readonly sessionId: string; readonly signal: AbortSignal },
): Promise<string> {
  // A conduit has no name, so only a stored id shows that a conduit belongs to this installation.
  const [owner, known] = (await stored.load())?.split(' ') ?? [];
  if (owner === clientId && known !== undefined) {
    try {
      await api.bind(known, sessionId, signal);
      return known;
    } catch (error) {
      if (!isFault(error, 'missing')) throw error;
    }
  }
  const conduitId = await api.createConduit(signal).catch((error: unknown) => {
    // A refusal because of too many requests has a time.
    if (!isFault(error, 'rateLimited') || error.retryAt) throw error;
    throw new PlatformError(NO_CONDUIT, { platform: 'twitch', fault: 'quotaExhausted', cause: error });
  });
  await stored.save(`${clientId} ${conduitId}`);
  await api.bind(conduitId, sessionId, signal);
  return conduitId;
}

const NO_CONDUIT = 'the client id has no conduit left; Twitch allows five, and deletes one that was not connected for 72 hours';

/** The watched names by the id of their channel. Names that Twitch does not know are only polled. */
async function channelsOf(
  names: readonly string[],
  { users }: Pick<EventSubOptions, 'users'>,
  signal: AbortSignal,
): Promise<ReadonlyMap<string, readonly string[]>> {
  const found = await Promise.all(
    names.map(async (name) => {
      try {
        return { name, id: await users.idOf(name, signal) };
      } catch (error) {
        if (isFault(error, 'missing')) return undefined;
        throw error;
      }
    }),
  );
  const known = found.filter((one) => one !== undefined);
  return new Map(
    Map.groupBy(known, ({ id }) => id)
      .entries()
      .map(([id, some]) => [id, some.map(({ name }) => name)]),
  );
}

function coveredNames({ onlyPolled }: FollowedChannels, namesById: ReadonlyMap<string, readonly string[]>): readonly string[] {
  const polled = new Set(onlyPolled);
  return [...namesById].flatMap(([id, names]) => (polled.has(id) ? [] : names));
}

function statusOf(
  { subscriptions, cost, maxCost, onlyPolled, isFull }: FollowedChannels,
  namesById: ReadonlyMap<string, readonly string[]>,
): NotifierStatus {
  const count = onlyPolled.length;
  const [first = ''] = onlyPolled.map((id) => namesById.get(id)?.[0] ?? id);
  const problem = isFull
    ? `the subscriptions of the client id cost ${cost} of ${maxCost}`
    : `Twitch refuses subscriptions to ${first}${count > 1 ? ' and others' : ''}`;
  return { state: 'connected', subscriptions, cost, maxCost, onlyPolled: count, ...(count > 0 && { problem }) };
}

/** Whether an id was among the recent ones. */
function createRecent(): (id: string) => boolean {
  const recent = new Set<string>();
  return (id) => {
    if (recent.has(id)) return true;
    recent.add(id);
    const [oldest] = recent;
    if (recent.size > RECENT && oldest !== undefined) recent.delete(oldest);
    return false;
  };
}
