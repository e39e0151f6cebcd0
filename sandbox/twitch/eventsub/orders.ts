import type { WorldPerson } from '../../world/world.ts';
import type { Conduits } from './conduits.ts';
import type { EventSubLimits } from './helix-subscriptions.ts';
import type { Notifier } from './notifier.ts';
import type { CloseCode, Session } from './session.ts';
import type { Sessions } from './sessions.ts';
import type { Status } from './subscription.ts';
import type { Subscriptions } from './subscriptions.ts';
import { raidEvent } from './world-events.ts';

const TWITCH_LIMITS: EventSubLimits = { maxTotalCost: 10_000, maxUserCost: 10, maxConduits: 5 };

interface OrdersOptions {
  readonly subscriptions: Subscriptions;
  readonly conduits: Conduits;
  readonly sessions: Sessions;
  readonly notifier: Notifier;
  /** Called after the status of subscriptions has changed. */
  readonly changed: () => void;
}

/** What the control API reads from EventSub and orders. */
export class EventSubOrders {
  readonly #parts: OrdersOptions;
  #limits = TWITCH_LIMITS;

  constructor(parts: OrdersOptions) {
    this.#parts = parts;
  }

  get limits(): EventSubLimits {
    return this.#limits;
  }

  /** Changes the limits. A limit without a value is that of Twitch. */
  limit({ maxTotalCost, maxUserCost, maxConduits }: { readonly [Name in keyof EventSubLimits]?: number | undefined }): EventSubLimits {
    this.#limits = {
      maxTotalCost: maxTotalCost ?? TWITCH_LIMITS.maxTotalCost,
      maxUserCost: maxUserCost ?? TWITCH_LIMITS.maxUserCost,
      maxConduits: maxConduits ?? TWITCH_LIMITS.maxConduits,
    };
    return this.#limits;
  }

  /** The subscriptions, the connections, the conduits and the number of notifications. */
  describe(): object {
    const { subscriptions, sessions, conduits, notifier } = this.#parts;
    return {
      subscriptions: { total: subscriptions.all().length, enabled: subscriptions.enabled },
      sessions: sessions.all().map(({ id, connectedAtMs, keepaliveMs, isSilent }) => ({
        id,
        connectedAt: new Date(connectedAtMs).toISOString(),
        keepaliveSeconds: keepaliveMs / 1000,
        silent: isSilent,
      })),
      conduits: conduits.all().map(({ id, shardCount }) => ({
        id,
        shardCount,
        shards: conduits.shardsOf(id).map((shard) => ({ id: shard.id, status: shard.status })),
      })),
      notifications: { ...notifier.counts },
    };
  }

  /** Tells the clients of sessions to reconnect. Returns their number. */
  reconnect(sessionId: string | undefined): number {
    return this.#eachSession(sessionId, (session) => session.reconnect());
  }

  /** Closes connections; without a code as a lost network does. Returns their number. */
  disconnect(sessionId: string | undefined, code: CloseCode | undefined): number {
    return this.#eachSession(sessionId, (session) => (code === undefined ? session.drop() : session.close(code)));
  }

  /** Revokes the enabled subscriptions with an id, or to a channel, and tells their subscribers. Returns their number. */
  revoke(status: Status, { id, personId }: { readonly id: string | undefined; readonly personId: string | undefined }): number {
    const { subscriptions, notifier, changed } = this.#parts;
    const revoked = subscriptions
      .all()
      .filter((one) => one.status === 'enabled' && (id === undefined || one.id === id))
      .filter(({ condition }) => personId === undefined || Object.values(condition).includes(personId));
    for (const subscription of revoked) notifier.revoke(subscriptions.setStatus(subscription, status));
    changed();
    return revoked.length;
  }

  /** Disables the enabled shards of a conduit, or one of them. Returns their number. */
  disableShards(
    status: Status,
    { conduitId, shardId }: { readonly conduitId: string | undefined; readonly shardId: number | undefined },
  ): number {
    const { conduits } = this.#parts;
    const shards = conduits
      .all()
      .filter(({ id }) => conduitId === undefined || id === conduitId)
      .flatMap(({ id }) => conduits.shardsOf(id))
      .filter((shard) => shard.status === 'enabled' && (shardId === undefined || shard.id === shardId));
    for (const shard of shards) conduits.setStatus(shard, status);
    return shards.length;
  }

  /** Sends the notifications of a raid. */
  raid(from: WorldPerson, to: WorldPerson, viewers: number): void {
    this.#parts.notifier.emit(raidEvent(from, to, viewers));
  }

  #eachSession(id: string | undefined, action: (session: Session) => void): number {
    const sessions = this.#parts.sessions.all().filter((session) => id === undefined || session.id === id);
    for (const session of sessions) action(session);
    return sessions.length;
  }
}
