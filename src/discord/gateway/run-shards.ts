import { settlesWithin, type Clock } from '#src/clock.ts';
import type { Log } from '#src/log.ts';
import type { ShardClient } from './shard-client.ts';
import type { ShardLeases } from './shard-leases.ts';
import type { Shard } from './shard-state.ts';

/** How often a gateway renews its lease. */
const RENEW_MS = 2_000;
/** How long a gateway that leaves waits until other gateways run its shards. */
const HANDOVER_MS = 20_000;
const HANDOVER_CHECK_MS = 250;
const LONGEST_END_MS = 1_000;

interface RunShardsOptions {
  readonly leases: ShardLeases;
  /** Whether other processes run shards too; otherwise the shards never change. */
  readonly isShared: boolean;
  /** Starts to connect a shard, which waits with `identify` until it may identify. */
  readonly open: (shard: Shard, identify: (closed: AbortSignal) => Promise<void>) => ShardClient;
  /** Called when a shard is closed. */
  readonly onClosed: (client: ShardClient) => void;
  readonly onRenewed: () => void;
  readonly clock: Clock;
  readonly log: Log;
  /** Stops the renewal. */
  readonly signal: AbortSignal;
}

/** The shards of this process. Disposing of them takes them offline. */
export interface RunningShards extends AsyncDisposable {
  /** Resolves with the first shards, as soon as there is one. */
  readonly first: Promise<readonly ShardClient[]>;
  /** The client of a server; undefined if another process runs its shard. */
  clientOf(server: string | undefined): ShardClient | undefined;
  /** Lets other gateways take over the shards. Resolves when they have, or after 20 seconds. */
  handOver(): Promise<void>;
}

/** Runs the shards that this process may run. */
export function runShards({ leases, isShared, open, onClosed, onRenewed, clock, log, signal }: RunShardsOptions): RunningShards {
  const shards = new Map<string, { readonly shard: Shard; readonly client: ShardClient }>();
  const closing = new Set<PromiseLike<void>>();
  const disposal = new AbortController();
  const stopping = AbortSignal.any([signal, disposal.signal]);
  const first = Promise.withResolvers<readonly ShardClient[]>();
  first.promise.catch(() => undefined);
  let renewal = Promise.resolve();

  /** One after the other, so that an older answer does not replace a newer one. */
  function renew(): Promise<void> {
    const current = renewal.then(renewNow, renewNow);
    renewal = current;
    return current;
  }

  async function renewNow(): Promise<void> {
    const running = [...shards.values()].map(({ shard, client }) => ({ ...shard, isOnline: client.isOnline }));
    const wanted = new Map((await leases.renew(running)).map((shard) => [keyOf(shard), shard]));
    if (stopping.aborted) return;
    for (const [key, shard] of wanted)
      if (!shards.has(key)) shards.set(key, { shard, client: open(shard, (closed) => identify(shard, closed)) });
    for (const [key, { client }] of shards) if (!wanted.has(key)) close(key, client);
    if (shards.size > 0) first.resolve([...shards.values()].map(({ client }) => client));
    onRenewed();
  }

  function close(key: string, client: ShardClient): void {
    shards.delete(key);
    const ending = client[Symbol.asyncDispose]();
    closing.add(ending);
    void ending.then(() => closing.delete(ending));
    onClosed(client);
  }

  /** discord.js identifies too early if this rejects while the connection is open. */
  async function identify({ id }: Shard, closed: AbortSignal): Promise<void> {
    for (;;) {
      try {
        await leases.identify(id, closed);
        return;
      } catch (error) {
        closed.throwIfAborted();
        log.warn({ shard: id, error }, 'a shard of Discord waits for the store');
        await clock.sleep(RENEW_MS, closed);
      }
    }
  }

  async function run(): Promise<void> {
    for (;;) {
      try {
        await renew();
        if (!isShared) return;
      } catch (error) {
        stopping.throwIfAborted();
        // The shards stay online: the interactions of a gateway without the database are handled by no one else yet.
        log.warn({ error }, 'the shards of Discord could not be renewed; Fanfare retries');
      }
      await clock.sleep(RENEW_MS, stopping);
    }
  }

  const running = run().catch((error: unknown) => {
    first.reject(error);
    if (!stopping.aborted) log.error({ error }, 'the renewal of the shards of Discord stopped');
  });

  return {
    first: first.promise,

    clientOf(server) {
      const all = [...shards.values()];
      if (server === undefined) return all[0]?.client;
      return all.find(({ shard: { id, count } }) => (BigInt(server) >> 22n) % BigInt(count) === BigInt(id))?.client;
    },

    async handOver() {
      leases.leave();
      const untilMs = clock.nowMs() + HANDOVER_MS;
      // Another process may have started since the last renewal.
      if (isShared) await settlesWithin(renew(), HANDOVER_MS, clock);
      while (shards.size > 0 && leases.hasSuccessor && clock.nowMs() < untilMs) await clock.sleep(HANDOVER_CHECK_MS);
    },

    async [Symbol.asyncDispose]() {
      disposal.abort();
      await running;
      for (const [key, { client }] of shards) close(key, client);
      await Promise.all(closing);
      await settlesWithin(leases.end(), LONGEST_END_MS, clock);
    },
  };
}

function keyOf({ id, count }: Shard): string {
  return `${id}/${count}`;
}
