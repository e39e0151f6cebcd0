import { messageOf } from '#src/errors.ts';
import type { Clock } from '#src/clock.ts';
import { withoutUserInfo } from '../without-user-info.ts';
import type { AskHub } from './ask-hub.ts';
import { hubSecret, isCallbackId, newCallbackId } from './callback-id.ts';
import type { WebSubSubscription, WebSubSubscriptions } from './subscription.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** How long before the end of a lease it is renewed. */
const RENEW_MS = 2 * DAY_MS;
/** An order without a verification is sent again after this time. */
const ASK_AGAIN_MS = HOUR_MS;
/** Topics without a hub, and denied ones, are tried again after this time. */
const LOOK_AGAIN_MS = DAY_MS;
/** A hub that has not verified within this time cannot reach the public address. */
const VERIFIED_WITHIN_MS = 10 * 60_000;

export interface Hub {
  readonly hub: string;
  readonly topic: string;
}

export interface FollowTopicsOptions {
  /** The address of the callbacks, to which the id of a subscription is added. */
  readonly url: string;
  readonly secret: string;
  readonly subscriptions: WebSubSubscriptions;
  /** Finds the hub for a key; undefined: nobody notifies. */
  readonly findHub: (key: string, signal: AbortSignal) => Promise<Hub | undefined>;
  readonly askHub: AskHub;
  readonly clock: Pick<Clock, 'nowMs'>;
}

/** The subscriptions after a pass. */
export interface FollowedTopics {
  readonly active: number;
  /** The topics whose hub refuses, or does not reach the public address. */
  readonly failed: number;
  readonly problem: string | undefined;
}

/** Keeps subscriptions at hubs. A pass sends what is due: new orders, renewals before the end of leases, and the ends of unwanted subscriptions. */
export function followTopics({ url, secret, subscriptions, findHub, askHub, clock }: FollowTopicsOptions) {
  /** When a look-up or an order last failed, and why, by key. */
  const failures = new Map<string, { readonly atMs: number; readonly problem: string }>();

  const isOlder = ({ since }: WebSubSubscription, ageMs: number): boolean => clock.nowMs() - since.getTime() >= ageMs;
  const isEnding = ({ until }: WebSubSubscription): boolean => (until?.getTime() ?? 0) - clock.nowMs() < RENEW_MS;
  const isOver = ({ until }: WebSubSubscription): boolean => (until?.getTime() ?? 0) <= clock.nowMs();

  async function order(one: WebSubSubscription, mode: 'subscribe' | 'unsubscribe', signal: AbortSignal): Promise<void> {
    const { id, topic, hub, names } = one;
    if (hub === undefined) return;
    // A hub can verify before it answers.
    await subscriptions.keep({ ...one, since: new Date(clock.nowMs()) });
    try {
      await askHub(hub, { mode, topic, callback: `${url}/${id}`, secret: hubSecret(id, secret) }, signal);
      failures.delete(names[0] ?? '');
    } catch (error) {
      fail(names[0] ?? '', `${new URL(hub).hostname} does not accept subscriptions: ${messageOf(error)}`, signal);
    }
  }

  function fail(key: string, problem: string, signal: AbortSignal): void {
    signal.throwIfAborted();
    failures.set(key, { atMs: clock.nowMs(), problem });
  }

  async function begin(key: string, names: readonly string[], known: WebSubSubscription | undefined, signal: AbortSignal): Promise<void> {
    const failure = failures.get(key);
    if (failure && clock.nowMs() - failure.atMs < ASK_AGAIN_MS) return;
    const since = new Date(clock.nowMs());
    try {
      const found = await findHub(key, signal);
      failures.delete(key);
      const id = known?.id ?? newCallbackId(secret);
      if (!found) await subscriptions.keep({ id, topic: key, names, state: 'none', since });
      else await order({ id, ...found, names, state: 'requested', since }, 'subscribe', signal);
    } catch (error) {
      fail(key, messageOf(error), signal);
    }
  }

  async function continueOne(known: WebSubSubscription, names: readonly string[], signal: AbortSignal): Promise<void> {
    const one = { ...known, names };
    const [key = ''] = names;
    if (one.state === 'none' || one.state === 'denied') {
      if (isOlder(one, LOOK_AGAIN_MS)) await begin(key, names, known, signal);
    } else if (one.state === 'leaving') await order({ ...one, state: 'requested' }, 'subscribe', signal);
    // The topic may have another hub by now.
    else if (isOver(one) && (one.state === 'active' || isOlder(one, ASK_AGAIN_MS))) await begin(key, names, known, signal);
    else if ((one.state === 'requested' || isEnding(one)) && isOlder(one, ASK_AGAIN_MS)) await order(one, 'subscribe', signal);
    else if (known.names.join('\n') !== names.join('\n')) await subscriptions.keep(one);
  }

  async function leave(one: WebSubSubscription, signal: AbortSignal): Promise<void> {
    failures.delete(one.names[0] ?? '');
    const isKnownToHub = one.state === 'active' || one.state === 'requested';
    if (isKnownToHub) await order({ ...one, state: 'leaving' }, 'unsubscribe', signal);
    // A hub that does not verify the end of a subscription ends it with its lease.
    else if (one.state !== 'leaving' || isOlder(one, LOOK_AGAIN_MS)) await subscriptions.drop(one.id);
  }

  /** `wanted`: the names of each key, which is the first of them. */
  return async (wanted: ReadonlyMap<string, readonly string[]>, signal: AbortSignal): Promise<FollowedTopics> => {
    for (const key of failures.keys()) if (!wanted.has(key)) failures.delete(key);
    const byKey = new Map<string, WebSubSubscription>();
    for (const one of await subscriptions.all()) {
      const [key = ''] = one.names;
      // Earlier versions sent the password of a feed to its hub.
      const hasPassword = one.hub !== undefined && one.topic !== withoutUserInfo(one.topic);
      if (hasPassword || !isCallbackId(one.id, secret) || byKey.has(key)) await subscriptions.drop(one.id);
      else if (wanted.has(key)) byKey.set(key, one);
      else await leave(one, signal);
    }
    for (const [key, names] of wanted) {
      const known = byKey.get(key);
      await (known ? continueOne(known, names, signal) : begin(key, names, undefined, signal));
    }
    return report((await subscriptions.all()).filter(({ names }) => wanted.has(names[0] ?? '')));
  };

  function report(some: readonly WebSubSubscription[]): FollowedTopics {
    const late = some.filter((one) => one.state === 'denied' || (one.state === 'requested' && isOlder(one, VERIFIED_WITHIN_MS)));
    const failed = new Set([...late.map(({ names }) => names[0] ?? ''), ...failures.keys()]);
    const [first] = late;
    const unverified =
      first && `${hostOf(first.hub)} ${first.state === 'denied' ? 'denies' : 'has not verified'} the subscription to ${first.topic}`;
    const [failure] = failures.values();
    const active = some.filter((one) => one.state === 'active' && !isOver(one)).length;
    return { active, failed: failed.size, problem: failure?.problem ?? unverified };
  }
}

function hostOf(hub: string | undefined): string {
  return hub === undefined ? 'the hub' : new URL(hub).hostname;
}
