import type { PostTarget, SentPost, Withdrawn } from './posting.ts';
import { isJsonObject } from '#src/clients/operation/json.ts';
import type { Delivery, DeliveryState } from '#src/engine/delivery/delivery.ts';
import type { PostAndDeliveries } from './posts.ts';
import { contentOf, isOfPost } from './post-firing.ts';

/** The states from worst to best. The worst part of a thread gives the state of the thread. */
const WORST_FIRST: readonly DeliveryState[] = ['failed', 'unknown', 'sending', 'pending', 'asked', 'skipped', 'sent'];

/** A post with its state at each account. */
export function toSentPost({ post, deliveries, step }: PostAndDeliveries, isConnected: (account: string) => boolean): SentPost {
  const { picture, params: _params, ...shown } = post;
  const byAccount = Map.groupBy(deliveries.filter(isOfPost), ({ account }) => account);
  const targets = [...byAccount].map(([account, parts]) => ({ ...toTarget(account, parts), isConnected: isConnected(account) }));
  const { warning, picture: described } = step ? contentOf(step) : {};
  return { ...shown, warning, hasPicture: picture !== undefined, altText: described?.altText, targets };
}

function toTarget(account: string, parts: readonly Delivery[]): Omit<PostTarget, 'isConnected'> {
  const worst = parts.toSorted((a, b) => WORST_FIRST.indexOf(a.state) - WORST_FIRST.indexOf(b.state))[0];
  const [first, ...later] = parts;
  const result = first?.result;
  const url = isJsonObject(result) && typeof result['url'] === 'string' ? result['url'] : undefined;
  const { state = 'skipped', error, message, reason } = worst ?? {};
  return {
    account,
    state,
    url,
    problem: state === 'sent' ? undefined : { error, message, reason },
    isBegun: first?.state === 'sent' && later.some((part) => part.state !== 'sent'),
    omitted: first?.omitted,
  };
}

/** Whether the post went to no account and will go to none. */
export function isUnsent({ targets }: Pick<SentPost, 'targets'>): boolean {
  return targets.every(({ state, isBegun }) => (state === 'skipped' || state === 'failed') && !isBegun);
}

/** The result of a cancellation. */
export function toWithdrawn(after: PostAndDeliveries | undefined): Withdrawn {
  if (!after) return 'missing';
  if (after.post.cancelledBy !== undefined) return 'all';
  return after.deliveries.filter(isOfPost).some(({ reason }) => reason?.kind === 'postWithdrawn') ? 'partly' : 'begun';
}
