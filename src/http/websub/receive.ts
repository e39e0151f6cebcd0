import { hubSecret, isCallbackId } from './callback-id.ts';
import { readHubRequest, type HubRequest } from './read-request.ts';
import type { WebSubSubscription, WebSubSubscriptions } from './subscription.ts';

interface ReceiveFromHubOptions {
  readonly secret: () => Promise<string | undefined>;
  readonly subscriptions: WebSubSubscriptions;
  /** The operations whose answers change with the topics. */
  readonly operations: readonly string[];
  readonly nowMs: number;
}

/** The meaning of a request for this installation. */
type FromHub =
  | {
      readonly kind: 'notification';
      /** The same for a repeated request. */
      readonly id: string;
      readonly type: 'content';
      readonly changes: readonly { readonly operation: string; readonly names: readonly string[] }[];
    }
  | { readonly kind: 'challenge'; readonly answer: string }
  | { readonly kind: 'ended' }
  | { readonly kind: 'refused'; readonly reason: 'signature' | 'subscription' | 'malformed' };

/** Whether the path of a request was made by this installation. Strangers do not know one. */
export async function admitFromHub(
  { subscription }: { readonly subscription: string },
  { secret: secretOf }: Pick<ReceiveFromHubOptions, 'secret'>,
): Promise<boolean> {
  const secret = await secretOf();
  return secret !== undefined && isCallbackId(subscription, secret);
}

const UNKNOWN = { kind: 'refused', reason: 'subscription' } as const;

/**
 * Reads a request to the callback of a subscription, and stores what it changes. A hub may verify only what this installation asked for. The
 * content is never read, because polls decide.
 */
export async function receiveFromHub(
  request: HubRequest & { readonly subscription: string },
  { secret: secretOf, subscriptions, operations, nowMs }: ReceiveFromHubOptions,
): Promise<FromHub> {
  const secret = await secretOf();
  if (secret === undefined || !isCallbackId(request.subscription, secret)) return UNKNOWN;
  const subscription = await subscriptions.find(request.subscription);
  if (!subscription) return UNKNOWN;
  const { id, topic, names, state } = subscription;
  const message = readHubRequest(request, { topic, secret: hubSecret(id, secret) });
  const become = (changes: Partial<WebSubSubscription>): Promise<void> =>
    subscriptions.keep({ ...subscription, since: new Date(nowMs), ...changes });
  switch (message.kind) {
    case 'refused':
      return message;
    case 'content':
      if (state !== 'active' && state !== 'requested') return UNKNOWN;
      return {
        kind: 'notification',
        // The same content of two topics differs.
        id: `${id} ${message.digest}`,
        type: 'content',
        changes: operations.map((operation) => ({ operation, names })),
      };
    case 'denied':
      await become({ state: 'denied', until: undefined });
      return { kind: 'ended' };
    case 'verification': {
      const { mode, challenge: answer, leaseMs } = message;
      if (mode === 'unsubscribe') {
        if (state !== 'leaving') return UNKNOWN;
        await subscriptions.drop(id);
        return { kind: 'challenge', answer };
      }
      if (state !== 'requested' && state !== 'active') return UNKNOWN;
      await become({ state: 'active', until: new Date(nowMs + leaseMs) });
      return { kind: 'challenge', answer };
    }
  }
}
