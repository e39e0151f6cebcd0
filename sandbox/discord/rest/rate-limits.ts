import { createHash } from 'node:crypto';
import type { MiddlewareHandler } from 'hono';
import type { Clock } from '#src/clock.ts';

export interface Limit {
  readonly requests: number;
  readonly windowMs: number;
}

/** Discord does not publish these limits. The values are close to observed ones. `global` applies to all routes together. */
const LIMITS = {
  global: { requests: 50, windowMs: 1000 },
  createMessage: { requests: 5, windowMs: 5000 },
  editMessage: { requests: 5, windowMs: 5000 },
  editOldMessage: { requests: 3, windowMs: 20_000 },
  renameChannel: { requests: 2, windowMs: 600_000 },
  deleteMessage: { requests: 5, windowMs: 1000 },
  crosspost: { requests: 10, windowMs: 3_600_000 },
  readMessages: { requests: 50, windowMs: 1000 },
  react: { requests: 1, windowMs: 250 },
  typing: { requests: 5, windowMs: 5000 },
  startThread: { requests: 50, windowMs: 300_000 },
  guild: { requests: 50, windowMs: 1000 },
  roles: { requests: 10, windowMs: 10_000 },
  commands: { requests: 5, windowMs: 20_000 },
  webhook: { requests: 5, windowMs: 2000 },
} as const satisfies Record<string, Limit>;
export type Bucket = keyof typeof LIMITS;

/** Limits that replace the defaults. */
export type LimitOverrides = Partial<Record<Bucket, Limit>>;

interface Window {
  readonly limit: Limit;
  readonly endsAtMs: number;
  readonly used: number;
  readonly resetAfterMs: number;
}

/** Counts requests by bucket and by channel, guild or webhook. */
export class RateLimits {
  readonly #clock: Clock;
  readonly #limits: Readonly<Record<Bucket, Limit>>;
  readonly #windows = new Map<string, Window>();

  constructor(clock: Clock, overrides: LimitOverrides = {}) {
    this.#clock = clock;
    this.#limits = { ...LIMITS, ...overrides };
  }

  /** Counts a request. The caller compares `used` with the limit. */
  count(bucket: Bucket, about: string): Window {
    const nowMs = this.#clock.nowMs();
    for (const [key, { endsAtMs }] of this.#windows) if (endsAtMs <= nowMs) this.#windows.delete(key);

    const key = `${bucket} ${about}`;
    const limit = this.#limits[bucket];
    const { endsAtMs, used } = this.#windows.get(key) ?? { endsAtMs: nowMs + limit.windowMs, used: 0 };
    const window = { limit, endsAtMs, used: used + 1, resetAfterMs: endsAtMs - nowMs };
    this.#windows.set(key, window);
    return window;
  }
}

/** Limits a route by bucket and path parameter, and sends the rate limit headers. */
export function limited(limits: RateLimits, bucket: Exclude<Bucket, 'global'>, parameter: string): MiddlewareHandler {
  return async (c, next) => {
    const window = limits.count(bucket, c.req.param(parameter) ?? '');
    if (window.used > window.limit.requests) return tooMany(window.resetAfterMs, 'user', headersOf(bucket, window));
    await next();
    for (const [name, value] of Object.entries(headersOf(bucket, window))) c.header(name, value);
  };
}

/** Applies the global limit to all routes. */
export function globallyLimited(limits: RateLimits): MiddlewareHandler {
  return async (_, next) => {
    const { limit, used, resetAfterMs } = limits.count('global', '');
    return used > limit.requests ? tooMany(resetAfterMs, 'global') : next();
  };
}

/** A 429 of a fault. */
export function orderedTooMany(retryAfterMs: number, nowMs: number): Response {
  const window = {
    limit: LIMITS.createMessage,
    used: LIMITS.createMessage.requests,
    endsAtMs: nowMs + retryAfterMs,
    resetAfterMs: retryAfterMs,
  };
  return tooMany(retryAfterMs, 'user', headersOf('ordered', window));
}

function tooMany(retryAfterMs: number, scope: 'user' | 'global', headers: Readonly<Record<string, string>> = {}): Response {
  const global = scope === 'global';
  const body = { message: 'You are being rate limited.', retry_after: retryAfterMs / 1000, global };
  return Response.json(body, {
    status: 429,
    headers: {
      ...headers,
      'Retry-After': String(Math.ceil(retryAfterMs / 1000)),
      'X-RateLimit-Scope': scope,
      ...(global && { 'X-RateLimit-Global': 'true' }),
    },
  });
}

function headersOf(bucket: string, { limit, used, endsAtMs, resetAfterMs }: Window): Readonly<Record<string, string>> {
  return {
    'X-RateLimit-Limit': String(limit.requests),
    'X-RateLimit-Remaining': String(Math.max(0, limit.requests - used)),
    'X-RateLimit-Reset': (endsAtMs / 1000).toFixed(3),
    'X-RateLimit-Reset-After': (resetAfterMs / 1000).toFixed(3),
    'X-RateLimit-Bucket': createHash('sha256').update(bucket).digest('hex').slice(0, 32),
  };
}
