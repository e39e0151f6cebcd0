/** How a platform of the sandbox can fail. */
export const faultKinds = [
  /** Answers with `status` and does nothing. */
  'status',
  /** Answers with an HTML page under `status` (200 by default) and does nothing, as a proxy does during maintenance. */
  'page',
  /** Does what was asked, then answers with such a page. */
  'pageAfter',
  /** Does what was asked, then breaks its JSON off in the middle. */
  'brokenJson',
  /** 429, to come back after `ms`. */
  'rateLimit',
  /** Drops the connection before anything is done. */
  'resetBefore',
  /** Does what was asked, then drops the connection instead of answering. */
  'resetAfter',
  /** Waits `ms` before it does anything. */
  'delay',
  /** Lists hand out the same cursor for ever. */
  'endlessCursor',
  /** Lists are empty. */
  'emptyList',
  /** Lists lack half of their items. */
  'shortList',
  /** A page begins with the last item of the page before, as where the list moved on in between. */
  'repeatedItem',
  /** What was written, or what happened, shows in reads only after `ms`. */
  'delayedVisibility',
  /** An idempotency key or a nonce is not looked at. */
  'ignoreKey',
  /** A write that sets a state which is set already has its effect once more. */
  'duplicateEffects',
] as const;
export type FaultKind = (typeof faultKinds)[number];

/** What shall fail, how and how often. */
export interface FaultOrder {
  /** As `discord`. */
  readonly platform: string;
  /** As `POST`; absent: all of them. */
  readonly method?: string | undefined;
  /** A part of the path, as `/messages`; absent: all of them. */
  readonly route?: string | undefined;
  readonly kind: FaultKind;
  readonly status?: number | undefined;
  readonly ms?: number | undefined;
  /** How many requests it meets; absent: all, until it is cleared. */
  readonly times?: number | undefined;
}

/** The request that a platform asks about. */
export interface FaultedRequest {
  readonly platform: string;
  readonly method: string;
  readonly path: string;
}

/** The failures that are in force. */
export class Faults {
  #orders: { readonly order: FaultOrder; left: number }[] = [];

  add(order: FaultOrder): void {
    this.#orders.push({ order, left: order.times ?? Infinity });
  }

  clear(platform?: string): void {
    this.#orders = platform === undefined ? [] : this.#orders.filter(({ order }) => order.platform !== platform);
  }

  /** With `times` as often as each has left. */
  all(): readonly FaultOrder[] {
    return this.#orders.map(({ order, left }) => (left === Infinity ? order : { ...order, times: left }));
  }

  /** The first fault of `kind` that meets this request, used up by one. */
  take(kind: FaultKind, { platform, method, path }: FaultedRequest): FaultOrder | undefined {
    const hit = this.#orders.find(
      ({ order, left }) =>
        left > 0 &&
        order.kind === kind &&
        order.platform === platform &&
        (order.method === undefined || order.method === method) &&
        (order.route === undefined || path.includes(order.route)),
    );
    if (!hit) return undefined;
    hit.left -= 1;
    if (hit.left === 0) this.#orders = this.#orders.filter((entry) => entry !== hit);
    return hit.order;
  }
}
