import { z } from 'zod';

/** A shard of the gateway: it receives the events of the servers with `(id of the server >> 22) % count === id`. */
export interface Shard {
  readonly id: number;
  readonly count: number;
}

/** The gateways, their shards and the times to identify. A newer version may add fields, which stay. */
export const ShardState = z
  .looseObject({
    /** The running gateways by id, with the end of their lease. */
    gateways: z.record(z.string(), z.looseObject({ untilMs: z.number(), isLeaving: z.boolean() }).readonly()).readonly(),
    /** The shards by id. */
    shards: z.array(z.looseObject({ holder: z.string().optional(), isOnline: z.boolean() }).readonly()).readonly(),
    /** By bucket: from when on the next shard may identify. */
    identifyFromMs: z.record(z.string(), z.number()).readonly(),
  })
  .readonly();
export type ShardState = z.output<typeof ShardState>;

/** The state before the first gateway starts. */
export const NO_SHARDS: ShardState = { gateways: {}, shards: [], identifyFromMs: {} };

/** After this time without a renewal, other gateways take over the shards of a gateway. */
export const LEASE_MS = 15_000;
/** The pause between two requests to identify of a bucket. Discord requires 5 seconds, and the requests may take different times. */
const IDENTIFY_PAUSE_MS = 5_500;

/** A shard that a gateway runs. */
export interface RunningShard extends Shard {
  readonly isOnline: boolean;
}

interface Renewal {
  /** The id of the gateway. */
  readonly gateway: string;
  /** The number of shards from the configuration or from Discord. */
  readonly count: number;
  readonly isLeaving: boolean;
  readonly running: readonly RunningShard[];
  readonly nowMs: number;
}

/** Renews the lease of a gateway, and assigns its share of the shards to it. */
export function renewed(before: ShardState, { gateway, count, isLeaving, running, nowMs }: Renewal): ShardState {
  const others = Object.entries(before.gateways).filter(([id, { untilMs }]) => id !== gateway && untilMs > nowMs);
  const gateways = { ...Object.fromEntries(others), [gateway]: { untilMs: nowMs + LEASE_MS, isLeaving } };
  // A smaller number would take shards from running gateways, which may know a newer answer of Discord.
  const total = others.length > 0 ? Math.max(count, before.shards.length) : count;
  const online = new Set(running.filter((shard) => shard.isOnline && shard.count === total).map(({ id }) => id));
  const shards = Array.from({ length: total }, (_, id) => {
    const shard = before.shards.length === total ? before.shards[id] : undefined;
    if (!shard || shard.holder === undefined || !(shard.holder in gateways)) return { isOnline: false };
    return shard.holder === gateway ? { ...shard, isOnline: online.has(id) } : shard;
  });
  const state = { ...before, gateways, shards };
  return isLeaving ? state : claimed(state, gateway);
}

/** Assigns free shards to a gateway, and shards of gateways that leave or have more than their share. */
function claimed(state: ShardState, gateway: string): ShardState {
  const shares = sharesOf(state);
  const held = heldBy(state);
  const shards = [...state.shards];
  const isActive = (holder: string | undefined): holder is string => holder !== undefined && shares.has(holder);

  function claim(isClaimable: (holder: string | undefined, isOnline: boolean) => boolean): void {
    for (const [id, { holder, isOnline }] of shards.entries()) {
      if ((held.get(gateway) ?? 0) >= (shares.get(gateway) ?? 0)) return;
      if (holder === gateway || !isClaimable(holder, isOnline)) continue;
      shards[id] = { holder: gateway, isOnline: false };
      held.set(gateway, (held.get(gateway) ?? 0) + 1);
      if (holder !== undefined) held.set(holder, (held.get(holder) ?? 0) - 1);
    }
  }

  claim((holder) => !isActive(holder));
  // A shard that still connects moves later.
  claim((holder, isOnline) => isActive(holder) && isOnline && (held.get(holder) ?? 0) > (shares.get(holder) ?? 0));
  return { ...state, shards };
}

/** How many shards each gateway should hold. Gateways that leave hold none. The gateways with the most shards get the rest. */
function sharesOf(state: ShardState): ReadonlyMap<string, number> {
  const held = heldBy(state);
  const active = Object.entries(state.gateways)
    .filter(([, { isLeaving }]) => !isLeaving)
    .map(([id]) => id)
    .toSorted((a, b) => (held.get(b) ?? 0) - (held.get(a) ?? 0) || (a < b ? -1 : 1));
  const [each, rest] = [Math.floor(state.shards.length / active.length), state.shards.length % active.length];
  return new Map(active.map((id, index) => [id, each + (index < rest ? 1 : 0)]));
}

function heldBy({ shards }: ShardState): Map<string, number> {
  const held = new Map<string, number>();
  for (const { holder } of shards) if (holder !== undefined) held.set(holder, (held.get(holder) ?? 0) + 1);
  return held;
}

/** The shards that a gateway should run: its shards, and shards that it hands over until the new holder is online. */
export function shardsToRun({ shards }: ShardState, gateway: string, running: readonly Shard[]): readonly Shard[] {
  const count = shards.length;
  const held = shards.flatMap(({ holder }, id) => (holder === gateway ? [{ id, count }] : []));
  const isHeld = (shard: Shard): boolean => shard.count === count && shards[shard.id]?.holder === gateway;
  const isReplaced = (shard: Shard): boolean =>
    shard.count === count ? (shards[shard.id]?.isOnline ?? true) : shards.every(({ isOnline }) => isOnline);
  return [...held, ...running.filter((shard) => !isHeld(shard) && !isReplaced(shard)).map(({ id, count: of }) => ({ id, count: of }))];
}

/** Whether another gateway can take over the shards of a gateway. */
export function hasSuccessor({ gateways }: ShardState, gateway: string): boolean {
  return Object.entries(gateways).some(([id, { isLeaving }]) => id !== gateway && !isLeaving);
}

/** Removes a gateway. Its shards are free. */
export function withoutGateway(before: ShardState, gateway: string): ShardState {
  const { [gateway]: _, ...gateways } = before.gateways;
  return { ...before, gateways };
}

/** From when on the next shard of a bucket may identify. */
export function identifyFromMs({ identifyFromMs: from }: ShardState, bucket: number): number {
  return from[bucket] ?? 0;
}

/** The state after a shard of a bucket identified. */
export function identified(before: ShardState, bucket: number, nowMs: number): ShardState {
  return { ...before, identifyFromMs: { ...before.identifyFromMs, [bucket]: nowMs + IDENTIFY_PAUSE_MS } };
}
