import type { FaultOrder } from '#sandbox/faults.ts';
import type { Deed, Network } from './networks.ts';

/** What goes wrong on a platform, whoever lives or dies. */
export interface Weather {
  readonly name: string;
  /** What befalls the requests that do what is to be done. */
  readonly onWrites?: readonly Pick<FaultOrder, 'kind' | 'ms' | 'status' | 'times'>[];
  /** The first so many are done, and answered with a breakdown. */
  readonly breakdownsAfter?: number;
  /** What was written comes into sight so late. */
  readonly hiddenMs?: number;
  /** Repeats are not known by their keys. */
  readonly forgetsKeys?: boolean;
  /** Where it can happen; absent: everywhere. */
  readonly on?: Network['name'];
}

export const CALM: Weather = { name: 'nothing else goes wrong' };

export const LOST_ANSWER: Weather = { name: 'the answer is lost', onWrites: [{ kind: 'resetAfter', times: 1 }] };

export const NEVER_ARRIVED: Weather = { name: 'the request never arrives', onWrites: [{ kind: 'resetBefore', times: 1 }] };

/** Longer than the program waits for a post to come into sight on most platforms. */
export const OUT_OF_SIGHT: Weather = { ...LOST_ANSWER, name: 'answer lost, nothing shows for a minute', hiddenMs: 60_000 };

export const BREAKDOWN_AFTER: Weather = { name: 'it breaks down after the post', breakdownsAfter: 1 };

export const LATE_SIGHT: Weather = { name: 'posts come into sight late', hiddenMs: 5_000 };

export const LOST_LATE_SIGHT: Weather = { ...LOST_ANSWER, name: 'answer lost, posts in sight late', hiddenMs: 5_000 };

export const IGNORED_KEY: Weather = { ...LOST_LATE_SIGHT, name: 'answer lost, in sight late, no keys', forgetsKeys: true, on: 'mastodon' };

/** What a platform that was asked too much wants to be left alone for. */
export const PAUSE_MS = 40_000;

export const TOO_MUCH: Weather = { name: 'too much was asked', onWrites: [{ kind: 'rateLimit', ms: PAUSE_MS, times: 1 }] };

/** Each thing that can go wrong, and all of them at once. */
export const WEATHERS: readonly Weather[] = [
  CALM,
  LOST_ANSWER,
  NEVER_ARRIVED,
  { name: 'it breaks down before the post', onWrites: [{ kind: 'status', status: 503, times: 1 }] },
  BREAKDOWN_AFTER,
  LOST_LATE_SIGHT,
  IGNORED_KEY,
  OUT_OF_SIGHT,
  TOO_MUCH,
  {
    name: 'all of it goes wrong',
    onWrites: [
      { kind: 'rateLimit', ms: PAUSE_MS, times: 1 },
      { kind: 'status', status: 502, times: 1 },
      { kind: 'resetBefore', times: 1 },
      { kind: 'resetAfter', times: 1 },
    ],
    breakdownsAfter: 1,
    hiddenMs: 5_000,
    forgetsKeys: true,
  },
];

/** The orders to a sandbox that make it so, where `deed` is to be done. */
export function ordersOf({ onWrites = [], hiddenMs, forgetsKeys = false }: Weather, network: Network, deed: Deed): readonly FaultOrder[] {
  const platform = network.name;
  return [
    ...onWrites.map((order) => ({ ...order, platform, ...network.writes[deed] })),
    ...(hiddenMs === undefined ? [] : [{ platform, kind: 'delayedVisibility', ms: hiddenMs } as const]),
    ...(forgetsKeys ? [{ platform, kind: 'ignoreKey' } as const] : []),
  ];
}
