import type { FaultOrder } from '#sandbox/faults.ts';
import type { WriteKind, Network } from './networks.ts';

/** The faults of a platform during a scenario, in addition to kills. */
export interface FaultSchedule {
  readonly name: string;
  /** The faults of the write requests, in order. */
  readonly onWrites?: readonly Pick<FaultOrder, 'kind' | 'ms' | 'status' | 'times'>[];
  /** The number of writes that the platform carries out and answers with 503. */
  readonly failuresAfterWrite?: number;
  /** How long a new record stays invisible. */
  readonly hiddenMs?: number;
  /** Whether the platform ignores idempotency keys. */
  readonly forgetsKeys?: boolean;
  /** The only platform with this schedule; absent: all platforms have it. */
  readonly on?: Network['name'];
}

export const NO_FAULTS: FaultSchedule = { name: 'no other faults' };

export const LOST_ANSWER: FaultSchedule = { name: 'the response is lost', onWrites: [{ kind: 'resetAfter', times: 1 }] };

export const NEVER_ARRIVED: FaultSchedule = { name: 'the request never arrives', onWrites: [{ kind: 'resetBefore', times: 1 }] };

/** Longer than Fanfare waits for a new post to become visible on most platforms. */
export const HIDDEN_FOR_A_MINUTE: FaultSchedule = {
  ...LOST_ANSWER,
  name: 'the response is lost, the post stays hidden for a minute',
  hiddenMs: 60_000,
};

export const UNAVAILABLE_AFTER_WRITE: FaultSchedule = { name: '503 after the post was created', failuresAfterWrite: 1 };

export const SHOWN_LATE: FaultSchedule = { name: 'posts become visible late', hiddenMs: 5_000 };

export const LOST_ANSWER_SHOWN_LATE: FaultSchedule = {
  ...LOST_ANSWER,
  name: 'the response is lost, posts become visible late',
  hiddenMs: 5_000,
};

export const IGNORED_KEY: FaultSchedule = {
  ...LOST_ANSWER_SHOWN_LATE,
  name: 'the response is lost, posts become visible late, keys are ignored',
  forgetsKeys: true,
  on: 'mastodon',
};

/** The pause that a rate limit asks for. */
export const PAUSE_MS = 40_000;

export const RATE_LIMITED: FaultSchedule = { name: 'rate limited', onWrites: [{ kind: 'rateLimit', ms: PAUSE_MS, times: 1 }] };

/** Each fault alone, and all faults together. */
export const FAULT_SCHEDULES: readonly FaultSchedule[] = [
  NO_FAULTS,
  LOST_ANSWER,
  NEVER_ARRIVED,
  { name: '503 before the post is created', onWrites: [{ kind: 'status', status: 503, times: 1 }] },
  UNAVAILABLE_AFTER_WRITE,
  LOST_ANSWER_SHOWN_LATE,
  IGNORED_KEY,
  HIDDEN_FOR_A_MINUTE,
  RATE_LIMITED,
  {
    name: 'all faults together',
    onWrites: [
      { kind: 'rateLimit', ms: PAUSE_MS, times: 1 },
      { kind: 'status', status: 502, times: 1 },
      { kind: 'resetBefore', times: 1 },
      { kind: 'resetAfter', times: 1 },
    ],
    failuresAfterWrite: 1,
    hiddenMs: 5_000,
    forgetsKeys: true,
  },
];

/** The fault orders for a sandbox, for requests that do `write`. */
export function ordersOf(
  { onWrites = [], hiddenMs, forgetsKeys = false }: FaultSchedule,
  network: Network,
  write: WriteKind,
): readonly FaultOrder[] {
  const platform = network.name;
  return [
    ...onWrites.map((order) => ({ ...order, platform, ...network.writes[write] })),
    ...(hiddenMs === undefined ? [] : [{ platform, kind: 'delayedVisibility', ms: hiddenMs } as const]),
    ...(forgetsKeys ? [{ platform, kind: 'ignoreKey' } as const] : []),
  ];
}
