import type { Clock } from '#src/clock.ts';

const SECOND_MS = 1000;
const QUARTER_MS = 15 * 60_000;
const DAY_MS = 86_400_000;

/** How often a route may be asked; what is absent has no limit. */
export interface Limits {
  /** By the app's own token, in 15 minutes. */
  readonly app?: number;
  /** On behalf of one account, in 15 minutes. */
  readonly user?: number;
  readonly appDay?: number;
  readonly userDay?: number;
  /** By anybody, in a second. */
  readonly second?: number;
}

/** Whether a request is within its limits, and the headers that say how far one may go on. */
export interface Standing {
  readonly allowed: boolean;
  readonly headers: Readonly<Record<string, string>>;
}

interface Rule {
  readonly key: string;
  readonly most: number;
  readonly ms: number;
  /** How its headers begin; absent: it has none. */
  readonly header?: string | undefined;
}

interface Window {
  used: number;
  readonly endsAtMs: number;
}

export interface Asking {
  /** The route, as `GET /tweets/:id`. */
  readonly route: string;
  readonly limits: Limits;
  /** The account; absent: the app asks for itself. */
  readonly userId: string | undefined;
  /** Stands for the limit of 15 minutes. */
  readonly most?: number | undefined;
}

/** The windows in which requests are counted: each begins with its first request. */
export class Windows {
  readonly #clock: Clock;
  readonly #open = new Map<string, Window>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  take(asking: Asking): Standing {
    const nowMs = this.#clock.nowMs();
    const counted = rulesOf(asking).map((rule) => ({ rule, window: this.#windowOf(rule, nowMs) }));
    const allowed = counted.every(({ rule, window }) => window.used < rule.most);
    if (allowed) for (const { window } of counted) window.used += 1;
    return { allowed, headers: Object.fromEntries(counted.flatMap(({ rule, window }) => headersOf(rule, window))) };
  }

  /** Opens every window anew. */
  clear(): void {
    this.#open.clear();
  }

  #windowOf({ key, ms }: Rule, nowMs: number): Window {
    const open = this.#open.get(key);
    if (open && nowMs < open.endsAtMs) return open;
    const window = { used: 0, endsAtMs: nowMs + ms };
    this.#open.set(key, window);
    return window;
  }
}

function rulesOf({ route, limits, userId, most }: Asking): readonly Rule[] {
  const rule = (name: string, limit: number | undefined, ms: number, header?: string): readonly Rule[] =>
    limit === undefined ? [] : [{ key: `${route} ${name}`, most: limit, ms, header }];
  const who = userId === undefined ? 'app' : `user ${userId}`;
  const quarter = userId === undefined ? limits.app : limits.user;
  return [
    ...rule(`${who} 15m`, quarter === undefined ? undefined : (most ?? quarter), QUARTER_MS, 'x-rate-limit'),
    ...rule('app 24h', limits.appDay, DAY_MS, 'x-app-limit-24hour'),
    ...(userId === undefined ? [] : rule(`${who} 24h`, limits.userDay, DAY_MS, 'x-user-limit-24hour')),
    ...rule(`${who} 1s`, limits.second, SECOND_MS),
  ];
}

function headersOf({ header, most }: Rule, { used, endsAtMs }: Window): readonly (readonly [string, string])[] {
  if (header === undefined) return [];
  return [
    [`${header}-limit`, String(most)],
    [`${header}-remaining`, String(Math.max(0, most - used))],
    [`${header}-reset`, String(Math.ceil(endsAtMs / SECOND_MS))],
  ];
}
