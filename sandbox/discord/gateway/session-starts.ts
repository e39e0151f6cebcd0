import type { Clock } from '#src/clock.ts';
import type { Shard } from './session.ts';

/** A bucket of shards may identify once within this time. */
const IDENTIFY_WINDOW_MS = 5_000;
const PERIOD_MS = 86_400_000;

/** How the gateway wants to be split, and how often clients may identify. */
export interface ShardingLimits {
  /** The recommended number of shards. */
  readonly shards: number;
  /** The number of buckets. The bucket of a shard is its id modulo this number. */
  readonly maxConcurrency: number;
  /** How often clients may identify within a day. */
  readonly sessionStarts: number;
  /** A session with more guilds has to be split. */
  readonly maxGuildsPerShard: number;
}

/** The limits of Discord for small bots. */
export const DEFAULT_LIMITS: ShardingLimits = { shards: 1, maxConcurrency: 1, sessionStarts: 1000, maxGuildsPerShard: 2500 };

/** The result of a request to identify. */
export type SessionStart = 'allowed' | 'tooSoon' | 'usedUp';

/** Counts how often clients identify. */
export class SessionStarts {
  readonly #clock: Clock;
  readonly #identifiedMs = new Map<number, number>();
  #limits: ShardingLimits;
  #isLimited = false;
  #used = 0;
  #periodEndMs = -Infinity;

  constructor(clock: Clock, shards: number) {
    this.#clock = clock;
    // All shards may identify at once until an order sets the limits.
    this.#limits = { ...DEFAULT_LIMITS, shards, maxConcurrency: shards };
  }

  get limits(): ShardingLimits {
    return this.#limits;
  }

  /** Sets the limits, and starts a new period. */
  limit(limits: ShardingLimits): void {
    this.#limits = limits;
    this.#isLimited = true;
    this.#periodEndMs = -Infinity;
    this.#identifiedMs.clear();
  }

  /** Counts a request to identify. A request that comes too soon counts too. */
  start([shard]: Shard): SessionStart {
    if (!this.#isLimited) return 'allowed';
    const nowMs = this.#clock.nowMs();
    const { sessionStarts, maxConcurrency } = this.#limits;
    if (this.#remainingAt(nowMs) === sessionStarts) this.#periodEndMs = nowMs + PERIOD_MS;
    this.#used += 1;
    if (this.#used > sessionStarts) return 'usedUp';
    const bucket = shard % maxConcurrency;
    const isTooSoon = nowMs - (this.#identifiedMs.get(bucket) ?? -Infinity) < IDENTIFY_WINDOW_MS;
    if (!isTooSoon) this.#identifiedMs.set(bucket, nowMs);
    return isTooSoon ? 'tooSoon' : 'allowed';
  }

  /** As `session_start_limit` of Discord. */
  toWire() {
    const nowMs = this.#clock.nowMs();
    const { sessionStarts, maxConcurrency } = this.#limits;
    const remaining = this.#remainingAt(nowMs);
    const resetMs = remaining === sessionStarts ? PERIOD_MS : this.#periodEndMs - nowMs;
    return { total: sessionStarts, remaining, reset_after: resetMs, max_concurrency: maxConcurrency };
  }

  #remainingAt(nowMs: number): number {
    if (nowMs >= this.#periodEndMs) this.#used = 0;
    return Math.max(0, this.#limits.sessionStarts - this.#used);
  }
}
