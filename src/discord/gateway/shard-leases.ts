import type { Clock } from '#src/clock.ts';
import {
  hasSuccessor,
  identified,
  identifyFromMs,
  NO_SHARDS,
  renewed,
  type RunningShard,
  type Shard,
  shardsToRun,
  type ShardState,
  withoutGateway,
} from './shard-state.ts';

/** The stored state of the shards, which all gateways share. */
export interface ShardTable {
  /** Replaces the state by `change` of the present state, and returns the new state. `change` may run several times. */
  update(change: (before: ShardState) => ShardState): Promise<ShardState>;
}

/** The state of the shards in one process. */
export function memoryShardTable(): ShardTable {
  let state = NO_SHARDS;
  return { update: async (change) => (state = change(state)) };
}

/** The shards of one gateway. The gateways share all shards evenly. */
export interface ShardLeases {
  /** Renews the lease, reports the running shards, and returns the shards to run from now on. Called every few seconds. */
  renew(running: readonly RunningShard[]): Promise<readonly Shard[]>;
  /** From now on, the gateway takes no shards, and other gateways take over its shards. */
  leave(): void;
  /** Whether another gateway can take over, as of the last renewal. */
  readonly hasSuccessor: boolean;
  /** Gives the shards up at once. */
  end(): Promise<void>;
  /** Resolves when the shard may identify. */
  identify(shard: number, signal: AbortSignal): Promise<void>;
}

export interface ShardLeasesOptions {
  readonly table: ShardTable;
  /** The id of this gateway. */
  readonly gateway: string;
  readonly count: number;
  /** How many shards may identify at once. */
  readonly maxConcurrency: number;
  /** The same clock for all gateways. */
  readonly clock: Clock;
}

export function createShardLeases({ table, gateway, count, maxConcurrency, clock }: ShardLeasesOptions): ShardLeases {
  let isLeaving = false;
  let canLeave = false;

  return {
    async renew(running) {
      const state = await table.update((before) => renewed(before, { gateway, count, isLeaving, running, nowMs: clock.nowMs() }));
      canLeave = hasSuccessor(state, gateway);
      return shardsToRun(state, gateway, running);
    },

    leave: () => void (isLeaving = true),

    get hasSuccessor() {
      return canLeave;
    },

    async end() {
      await table.update((before) => withoutGateway(before, gateway));
    },

    async identify(shard, signal) {
      const bucket = shard % maxConcurrency;
      // A shard whose connection closes while it waits must not delay later ones, so no shard reserves a time in the future.
      for (;;) {
        let waitMs = 0;
        await table.update((before) => {
          waitMs = identifyFromMs(before, bucket) - clock.nowMs();
          return waitMs > 0 ? before : identified(before, bucket, clock.nowMs());
        });
        if (waitMs <= 0) return;
        await clock.sleep(waitMs, signal);
      }
    },
  };
}
