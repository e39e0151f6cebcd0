import type { JsonObject } from '#src/clients/operation/json.ts';
import type { Firing } from '#src/rules/firing.ts';
import { createBeginAttempts } from './begin-attempts.ts';
import { drainSignal } from './drain-signal.ts';
import type { EngineContext } from './engine-context.ts';
import type { DeliveryStore } from './delivery-store.ts';
import type { Delivery, DeliveryChange } from './delivery.ts';
import { isIdle } from './draft.ts';
import { logFieldsOf } from './log-fields.ts';
import { createLane, type Lane } from './lane.ts';
import type { BegunAttempts, Firings } from './first-attempt.ts';
import type { LaneLease } from './lane-lease.ts';
import { createLocalLanes, MAX_PAUSE_MS, type Lanes } from './lanes.ts';
import { answered, remarkOnAnswer } from './question.ts';
import { createRecorder } from './record.ts';
import { workOnNext } from './work.ts';
import { resolveUnknown, type Resolution } from './resolution.ts';

/** How long attempts may go on after the program was asked to stop. */
const DRAIN_MS = 10_000;
/** How long a new record may stay invisible on a platform without other knowledge. */
const VISIBLE_AFTER_MS = 10_000;

/** The parts of `EngineContext` with a default: no verb and no platform has the property, and nothing is called. */
type Defaulted = Pick<
  EngineContext,
  | 'search'
  | 'visibleAfterMs'
  | 'keepsKeys'
  | 'isQuestion'
  | 'readsAtEachPoll'
  | 'isBilled'
  | 'removes'
  | 'accepts'
  | 'onUnanswered'
  | 'onAttempt'
  | 'random'
  | 'maxPauseMs'
>;

export interface DeliveryEngineOptions
  extends Pick<EngineContext, 'deliveries' | 'perform' | 'recover' | 'render' | 'clock' | 'log'>, Optional<Defaulted> {
  /** The accounts that this process sends through; otherwise it is the only one that sends. */
  readonly lanes?: Lanes | undefined;
  /** Called with every changed delivery; does not throw. */
  readonly onDelivery?: ((delivery: Delivery) => void) | undefined;
}

type Optional<T> = { readonly [K in keyof T]?: T[K] | undefined };

/** Sends deliveries, each exactly once. */
export interface DeliveryEngine {
  /** Reconciles deliveries that an earlier run began, then sends until `signal` aborts. Resolves when no attempt is under way. */
  run(signal: AbortSignal): Promise<void>;
  /** Works on the first delivery that is due; false: none is due. `run` does the same for all accounts side by side. */
  deliverNext(): Promise<boolean>;
  /** Checks for due deliveries at once, because a firing was committed; `accounts`: only through these. */
  wake(accounts?: readonly string[]): void;
  /** Checks for the deliveries of a commit at once. */
  slotCommitted(commit: { readonly firings: readonly Firing[]; readonly withdrawals: readonly unknown[] }): void;
  /** Checks for due deliveries at once, because deliveries were stored without a slot. */
  readonly stored: () => void;
  /** Begins the first attempts of the firings of a commit, which is stored before the result is disposed. */
  readonly beginWith: (commit: Firings) => Promise<BegunAttempts>;
  /** Whether a firing of `while` would send nothing if it was committed now. */
  readonly isIdle: (firing: Firing) => Promise<boolean>;
  /** Reconciles deliveries that an earlier run began, and sends nothing. */
  reconcile(signal: AbortSignal): Promise<void>;
  /** Records the operator's decision on an `unknown` delivery; undefined: there is none, or it may not be sent because its rule is paused or deleted, or its item is muted. */
  resolve(id: string, resolution: Resolution): Promise<Delivery | undefined>;
  /** Sends a failed or unknown delivery again, see `DeliveryRows.reopen`. */
  reopen: DeliveryStore['reopen'];
  /** Records the answer of a person to a question, which stays `asked` until it has all answers; undefined: it has them, or its time is over. */
  answer(id: string, answer: JsonObject): Promise<Delivery | undefined>;
}

/** Creates the engine over stored deliveries. */
export function createDeliveryEngine({
  deliveries,
  clock,
  log,
  maxPauseMs = MAX_PAUSE_MS,
  lanes: source = createLocalLanes({ deliveries, clock, log, maxPauseMs }),
  onDelivery,
  visibleAfterMs = () => VISIBLE_AFTER_MS,
  keepsKeys = () => false,
  isQuestion = () => false,
  readsAtEachPoll = () => false,
  isBilled = () => false,
  removes = () => undefined,
  accepts = () => true,
  onUnanswered = () => undefined,
  onAttempt = () => undefined,
  random = Math.random,
  search = (attempt) => platforms.recover(attempt),
  ...platforms
}: DeliveryEngineOptions): DeliveryEngine {
  const lanes = new Map<string, Lane>();
  const leases = new WeakMap<Lane, LaneLease>();

  function wakeLanes(): void {
    for (const lane of lanes.values()) lane.wake();
  }

  /** Wakes the lanes whose deliveries may wait for this one. */
  function wakeFreed({ state }: Delivery, isLeased: boolean): void {
    // Steps behind an unknown outcome or an open question free further queues, which no one announces.
    const isAnnounced = source.announcesFreed && isLeased && state !== 'unknown' && state !== 'asked';
    if (!isAnnounced) wakeLanes();
  }

  function wake(accounts?: readonly string[]): void {
    if (!accounts) wakeLanes();
    else for (const account of accounts) lanes.get(account)?.wake();
    if (!accounts?.every((account) => lanes.has(account))) source.wake();
  }

  /** The context of a lane; without a lease, of changes that come from people and need none. */
  function contextUntil(signal: AbortSignal, lease?: LaneLease): EngineContext {
    const { perform, recover } = platforms;
    const assertHeld = (): void => lease?.assertHeld();
    return {
      ...platforms,
      perform: async (attempt) => (assertHeld(), perform(attempt)),
      recover: async (attempt) => (assertHeld(), recover(attempt)),
      search: async (attempt) => (assertHeld(), search(attempt)),
      deliveries,
      visibleAfterMs,
      keepsKeys,
      isQuestion,
      readsAtEachPoll,
      isBilled,
      removes,
      accepts,
      onUnanswered,
      onAttempt,
      clock,
      random,
      maxPauseMs,
      log,
      record: createRecorder({
        deliveries,
        lease,
        clock,
        log,
        onDelivery,
        onSettled: (delivery) => wakeFreed(delivery, lease !== undefined),
        signal,
      }),
      isUnderWay: () => false,
      signal,
    };
  }

  const nextContext = contextUntil(new AbortController().signal);

  /** Stores a change that does not come from a lane. */
  async function recordNow(delivery: Delivery, change: DeliveryChange): Promise<Delivery | undefined> {
    return nextContext.record(delivery, change);
  }

  /** See `DeliveryEngine.reopen`. */
  async function reopen(...[delivery, change, reopening]: Parameters<DeliveryStore['reopen']>): Promise<Delivery | undefined> {
    const reopened = await deliveries.reopen(delivery, change, reopening);
    if (!reopened) return undefined;
    log.info({ ...logFieldsOf(reopened), account: reopened.account, reason: reopened.message }, 'sent again');
    onDelivery?.(reopened);
    wake();
    return reopened;
  }

  /** Works on the deliveries of one account while this process holds its lane. */
  async function runLane(lease: LaneLease, { signal, late }: { readonly signal: AbortSignal; readonly late: AbortSignal }): Promise<void> {
    const { account } = lease;
    const lane = createLane(account, contextUntil(AbortSignal.any([late, lease.signal]), lease));
    lanes.set(account, lane);
    leases.set(lane, lease);
    try {
      await lane.run(AbortSignal.any([signal, lease.signal, ...(lease.leaving ? [lease.leaving] : [])]), lease.idleMs);
    } finally {
      // This process may have taken the lane again.
      if (lanes.get(account) === lane) lanes.delete(account);
    }
  }

  return {
    async run(signal) {
      using late = drainSignal(signal, { ms: DRAIN_MS, clock });
      // The operator may have corrected credentials before this start.
      await deliveries
        .retryRefused({ nowMs: clock.nowMs() })
        .catch((error: unknown) => log.error({ error }, 'Fanfare keeps the retry times of failed deliveries'));
      await source.run((lease) => runLane(lease, { signal, late: late.signal }), {
        onWait: () => log.warn({}, 'another Fanfare process sends the deliveries of this state; waiting for it to end'),
        onWork: (account) => (account === undefined ? wakeLanes() : lanes.get(account)?.wake()),
        signal,
      });
    },

    deliverNext: () => workOnNext(nextContext),

    wake,

    stored: () => wake(),

    slotCommitted({ firings, withdrawals }) {
      const steps = firings.flatMap((firing) => firing.steps.map(({ key, account }) => ({ key, account, firing })));
      // A withdrawal can free later deliveries through any account.
      if (steps.length > 0) wake(withdrawals.length > 0 ? undefined : steps.map(({ account }) => account));
      for (const { key, account, firing } of steps) log.debug({ ...logFieldsOf({ ...firing, id: key }), account }, 'stored');
    },

    beginWith: createBeginAttempts({
      deliveries,
      render: platforms.render,
      isQuestion,
      readsAtEachPoll,
      clock,
      log,
      onDelivery,
      laneOf(account) {
        const lane = lanes.get(account);
        const lease = lane && leases.get(lane);
        return lane && lease && { lane, lease };
      },
    }),

    isIdle: (firing) => isIdle(firing, { deliveries, render: platforms.render, readsAtEachPoll, log }),

    async reconcile(signal) {
      using _claim = await deliveries.claim({ signal });
      const context = contextUntil(signal);
      const accounts = await deliveries.accounts();
      await Promise.all(accounts.map((account) => createLane(account, context).reconcile(signal)));
    },

    async resolve(id, resolution) {
      const delivery = await deliveries.find(id);
      if (delivery?.state !== 'unknown') return undefined;
      const change = resolveUnknown(delivery, resolution, { isQuestion, clock });
      if (change.state === 'pending') return reopen(delivery, change, {});
      const resolved = await recordNow(delivery, change);
      wake();
      return resolved;
    },

    reopen,

    async answer(id, answer) {
      for (;;) {
        const delivery = await deliveries.find(id);
        const change = delivery && isQuestion(delivery.do) ? answered(delivery, answer, clock.nowMs()) : undefined;
        if (!delivery || !change) return undefined;
        const stored = await recordNow(delivery, { ...change, ...(await remarkOnAnswer(delivery, deliveries)) });
        // Otherwise, the engine recorded in between that the question arrived, or another member answered.
        if (!stored) continue;
        wake();
        return stored;
      }
    },
  };
}
