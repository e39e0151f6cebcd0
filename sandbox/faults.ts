import { z } from 'zod';
/** The kinds of faults with their effects. */
export const faultEffects = {
  status: 'Answers with `status` without an effect.',
  page: 'Answers with an HTML page and `status` (200 by default) without an effect, as a proxy does during maintenance.',
  pageAfter: 'Serves the request, then answers with such a page.',
  brokenJson: 'Serves the request, then sends half of the JSON.',
  rateLimit: 'Answers 429 with a retry after `ms`.',
  resetBefore: 'Drops the connection without an effect.',
  resetAfter: 'Serves the request, then drops the connection.',
  delay: 'Waits `ms` before it serves the request.',
  endlessCursor: 'Every page of a list has the same cursor.',
  emptyList: 'Lists are empty.',
  shortList: 'Lists lack half of their items.',
  repeatedItem: 'A page begins with the last item of the previous page, as if the list had changed.',
  delayedVisibility: 'Reads show writes and events only after `ms`.',
  ignoreKey: 'The platform ignores idempotency keys and nonces.',
  duplicateEffects: 'A repeated write of a state has another effect.',
  lostNotification: 'The platform does not notify subscribers of an event.',
  lateNotification: 'The platform sends a notification after `ms`.',
  repeatedNotification: 'The platform sends a notification twice, with the same id.',
  swappedNotification: 'The platform sends a notification after the next one.',
  forgedNotification: 'Someone else sends a copy of a notification: with a wrong signature, or on a WebSocket for an unknown subscription.',
  foreignNotification: 'The platform also sends the notification of another installation, with a valid signature.',
  silentSocket: 'A WebSocket stays open, but the server sends nothing more.',
} as const;
export type FaultKind = keyof typeof faultEffects;

// Object.keys() returns string[], but the table has only the keys of its type.
const faultKinds = Object.keys(faultEffects) as [FaultKind, ...FaultKind[]];

/** An order for a fault, as the control API takes it. */
export const FaultForm = z
  .strictObject({
    platform: z.string().describe('The first part of the path of the platform, such as `discord`.'),
    kind: z.enum(faultKinds).describe('What fails: see the table of faults.'),
    method: z
      .string()
      .toUpperCase()
      .pipe(z.enum(['GET', 'POST', 'PUT', 'PATCH', 'DELETE']))
      .optional()
      .describe('Only requests with this method: `GET`, `POST`, `PUT`, `PATCH` or `DELETE`. Without it, all methods.'),
    route: z
      .string()
      .optional()
      .describe('Only requests whose path or query contains this text, such as `/messages` or `playlist_id=UULF`. Without it, all paths.'),
    except: z.string().optional().describe('No request whose path or query contains this text, such as `recover`.'),
    status: z
      .int()
      .min(200)
      .max(599)
      .optional()
      .describe('The status code of `status` (default 500), `page` and `pageAfter` (default 200).'),
    ms: z
      .number()
      .min(0)
      .optional()
      .describe(
        'The duration for `rateLimit`, `delay`, `delayedVisibility` and `lateNotification`. Default: 1000 for `rateLimit` and `delay`, 0 for `delayedVisibility`, 60000 for `lateNotification`.',
      ),
    times: z
      .int()
      .min(1)
      .optional()
      .describe('The number of requests that the fault applies to. Without it, the fault stays until you delete it.'),
  })
  .refine(({ kind, status = 500 }) => status >= 400 || kind === 'page' || kind === 'pageAfter', {
    path: ['status'],
    message: 'only the kinds page and pageAfter can have a status below 400',
  });

/** An ordered fault. */
export interface FaultOrder extends Readonly<z.input<typeof FaultForm>> {}

/** A request that a fault can apply to. */
export interface FaultedRequest {
  readonly platform: string;
  readonly method: string;
  readonly path: string;
}

/** The active faults. */
export class Faults {
  #orders: { readonly order: FaultOrder; left: number }[] = [];

  add(order: FaultOrder): void {
    this.#orders.push({ order, left: order.times ?? Infinity });
  }

  clear(platform?: string): void {
    this.#orders = platform === undefined ? [] : this.#orders.filter(({ order }) => order.platform !== platform);
  }

  /** `times` is the remaining number of requests. */
  all(): readonly FaultOrder[] {
    return this.#orders.map(({ order, left }) => (left === Infinity ? order : { ...order, times: left }));
  }

  /** Consumes the first fault of a kind that applies to the request. */
  take(kind: FaultKind, { platform, method, path }: FaultedRequest): FaultOrder | undefined {
    const hit = this.#orders.find(
      ({ order, left }) =>
        left > 0 &&
        order.kind === kind &&
        order.platform === platform &&
        (order.method === undefined || order.method === method) &&
        (order.route === undefined || path.includes(order.route)) &&
        (order.except === undefined || !path.includes(order.except)),
    );
    if (!hit) return undefined;
    hit.left -= 1;
    if (hit.left === 0) this.#orders = this.#orders.filter((entry) => entry !== hit);
    return hit.order;
  }
}
