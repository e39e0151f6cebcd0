import type { Clock } from '#src/clock.ts';
import type { ConnectOptions } from '#src/clients/operation/notifier.ts';
import type { Log } from '#src/log.ts';
import type { UserNames } from '../operations/users.ts';
import type { ShownStreams } from '../shown-streams.ts';
import { eventSubApi, type BoundShard, type EventSubApiOptions } from './api.ts';
import { createChannelHints } from './channel-hints.ts';
import { bindShard, FIRST_SHARD, SUBSTITUTE_SHARD } from './conduit.ts';
import { keepSubscribed, keepWatched, type KeptSubscriptions, OPERATION, watchedBy } from './keep-subscribed.ts';
import type { EventSubMessage, EventSubNotification } from './read-message.ts';
import { createRefusals } from './refusals.ts';
import { keepSession } from './session.ts';
import { KNOWN_TYPES } from './subscriptions.ts';

export interface EventSubOptions extends EventSubApiOptions, ConnectOptions {
  /** The address of the WebSocket server. */
  readonly url: string;
  readonly users: Pick<UserNames, 'idOf'>;
  readonly shown: ShownStreams;
  readonly clock: Clock;
  readonly log?: Log | undefined;
}

/**
 * Receives notifications of Twitch over a shard of the conduit of this installation, while there are names. Rejects when the connection is
 * lost. The holder of the first shard keeps the subscriptions, which outlast the connection.
 */
export async function connectEventSub(options: EventSubOptions): Promise<void> {
  const { url, clock, names, isSubstitute, onChange, onNotification } = options;
  const number = isSubstitute ? SUBSTITUTE_SHARD : FIRST_SHARD;
  const api = eventSubApi(options);
  const ended = new AbortController();
  const signal = AbortSignal.any([options.signal, ended.signal]);
  const channels = createChannelHints({
    ...options,
    onChange: (some) => onChange(some && { operation: OPERATION, names: some }),
    signal: options.signal,
  });
  const isRefused = createRefusals(options);
  let bound: BoundShard | undefined;
  let kept: KeptSubscriptions | undefined;
  const { promise: failed, reject: fail } = Promise.withResolvers<never>();
  failed.catch(() => undefined);

  async function onWelcome(sessionId: string, isContinued: boolean): Promise<void> {
    const before = bound;
    bound = await bindShard({ ...options, api, number, sessionId, signal });
    if (before && before.conduitId !== bound.conduitId) throw new Error('twitch deleted the conduit');
    if (!isContinued) channels.missed();
    if (!before) keep(bound).then(() => ended.abort(NO_NAMES), fail);
  }

  function keep(first: BoundShard): Promise<void> {
    if (isSubstitute) {
      options.onStatus({ state: 'connected' });
      return keepWatched({ names, channels, signal });
    }
    kept = keepSubscribed({ ...options, api, channels, bound: () => bound ?? first, signal });
    return kept.ended;
  }

  function onMessage(message: EventSubMessage): void {
    if (message.kind === 'revocation') kept?.revoked(message.subscriptionId);
    if (message.kind === 'notification') onNotified(message);
  }

  function onNotified(notification: EventSubNotification): void {
    const refusal = isRefused(notification, { conduitId: bound?.conduitId, subscriptions: kept?.subscriptions });
    onNotification(refusal ?? (KNOWN_TYPES.has(notification.type) ? notification.type : 'other'));
    if (refusal) return;
    const { shard } = notification;
    if (!shard) channels.changed(notification);
    else if (shard.conduitId === bound?.conduitId) onDisabled(shard);
  }

  function onDisabled({ id, sessionId }: NonNullable<EventSubNotification['shard']>): void {
    // A late notification may be about an earlier session.
    if (sessionId === bound?.sessionId) return fail(new Error('twitch disabled the shard'));
    if (Number(id) === number) return undefined;
    channels.missed();
    return kept?.shardDisabled();
  }

  try {
    // Notifications about channels that are not looked up yet would be lost.
    await channels.watch((await watchedBy(names)).watched, signal);
    await Promise.race([failed, keepSession({ url, clock, signal, onWelcome, onMessage, onMalformed: () => onNotification('malformed') })]);
  } catch (error) {
    if (error !== NO_NAMES) throw error;
  } finally {
    ended.abort();
  }
}

/** Why a connection ends that no rule needs. */
const NO_NAMES = new Error('no rule watches a channel');
