import type { Clock } from '#src/clock.ts';
import type { Log } from '#src/log.ts';
import type { JsonObject } from '#src/operation/json.ts';
import type { Firing } from '#src/rules/firing.ts';
import { Alarm } from './alarm.ts';
import type { Perform, Recover, Search } from './attempt.ts';
import type { OutboxContext } from './context.ts';
import type { Deliveries } from './deliveries.ts';
import type { Delivery, DeliveryChange } from './delivery.ts';
import { isIdle } from './idle.ts';
import { createLane, IDLE_MS, type Lane } from './lane.ts';
import { lingering } from './linger.ts';
import { answered } from './question.ts';
import { createRecorder } from './record.ts';
import type { Render } from './rendering.ts';
import { resolution, type OperatorWord } from './resolution.ts';

/** How long what is under way may take to end when the program does. */
const LINGER_MS = 10_000;
/** As long as what was written may take to show up on a platform of which nothing else is known. */
const VISIBLE_AFTER_MS = 10_000;

export interface OutboxOptions {
  readonly deliveries: Deliveries;
  readonly perform: Perform;
  readonly recover: Recover;
  /** Finds what a lost state has sent; otherwise `recover` does. */
  readonly search?: Search | undefined;
  readonly render: Render;
  readonly clock: Clock;
  readonly log: Log;
  /** Told of every change of a delivery; does not throw. */
  readonly onDelivery?: ((delivery: Delivery) => void) | undefined;
  /** How long after an attempt its record may still be invisible to `recover`; 0 where the platform knows the key of a repeat. */
  readonly visibleAfterMs?: OutboxContext['visibleAfterMs'] | undefined;
  /** Whether a repeat with the same key is known for one by the account's platform, however late it comes; otherwise none does. */
  readonly keepsKeys?: OutboxContext['keepsKeys'] | undefined;
  /** Whether what a verb asks is answered by a person, later; otherwise nothing is. */
  readonly isQuestion?: OutboxContext['isQuestion'] | undefined;
  /** Whether a verb takes these parameters; otherwise all do. */
  readonly accepts?: OutboxContext['accepts'] | undefined;
  /** Told of a question that nobody answered in time; does not throw. */
  readonly onUnanswered?: OutboxContext['onUnanswered'] | undefined;
  /** A number from 0 up to 1. */
  readonly random?: (() => number) | undefined;
}

/** Does what was decided, exactly once. */
export interface Outbox {
  /** Sends until `signal` aborts, beginning with what an earlier run left half done; resolves when nothing is under way any more. */
  run(signal: AbortSignal): Promise<void>;
  /** Something new was committed. */
  wake(): void;
  /** Whether a firing of `while` would send nothing if it was committed now. */
  isIdle(firing: Firing): Promise<boolean>;
  /** Finds out what became of all that an earlier run left half done, and sends nothing. */
  reconcile(signal: AbortSignal): Promise<void>;
  /** The operator's word on an `unknown` delivery; undefined: there is no such one. */
  resolve(id: string, word: OperatorWord): Promise<Delivery | undefined>;
  /** A person's answer to the question that was asked under this key; undefined: it has one, or waits for none any more. */
  answer(id: string, answer: JsonObject): Promise<Delivery | undefined>;
}

/** The outbox over what `deliveries` keeps. */
export function createOutbox({
  deliveries,
  clock,
  log,
  onDelivery,
  visibleAfterMs = () => VISIBLE_AFTER_MS,
  keepsKeys = () => false,
  isQuestion = () => false,
  accepts = () => true,
  onUnanswered = () => undefined,
  random = Math.random,
  search = (attempt) => platforms.recover(attempt),
  ...platforms
}: OutboxOptions): Outbox {
  const lanes = new Map<string, Lane>();
  const alarm = new Alarm();

  function wakeLanes(): void {
    for (const lane of lanes.values()) lane.wake();
  }

  function wake(): void {
    wakeLanes();
    alarm.ring();
  }

  function contextUntil(signal: AbortSignal): OutboxContext {
    const record = createRecorder({ deliveries, clock, log, onDelivery, onSettled: wakeLanes, signal });
    return {
      ...platforms,
      search,
      deliveries,
      visibleAfterMs,
      keepsKeys,
      isQuestion,
      accepts,
      onUnanswered,
      clock,
      random,
      log,
      record,
      isUnderWay: () => false,
      signal,
    };
  }

  /** Writes a change down that does not come from a lane. */
  async function recordNow(delivery: Delivery, change: DeliveryChange): Promise<Delivery | undefined> {
    return contextUntil(new AbortController().signal).record(delivery, change);
  }

  async function claimUnlessAborted(signal: AbortSignal): Promise<Disposable | undefined> {
    try {
      return await deliveries.claim({
        signal,
        onWait: () => log.warn({}, 'another Fanfare sends what is kept here; waiting for it to end'),
      });
    } catch (error) {
      if (signal.aborted) return undefined;
      throw error;
    }
  }

  /** Runs a lane for every account that has something to do. */
  async function runLanes(context: OutboxContext, signal: AbortSignal): Promise<void> {
    const running: Promise<void>[] = [];
    while (!signal.aborted) {
      try {
        for (const account of await deliveries.accounts()) {
          if (lanes.has(account)) continue;
          const lane = createLane(account, context);
          lanes.set(account, lane);
          running.push(lane.run(signal));
        }
      } catch (error) {
        log.error({ error }, 'the outbox could not look for work; trying again');
      }
      await alarm.wait(IDLE_MS, { clock, signal });
    }
    await Promise.all(running);
    lanes.clear();
  }

  return {
    async run(signal) {
      using late = lingering(signal, { ms: LINGER_MS, clock });
      using claim = await claimUnlessAborted(signal);
      if (!claim) return;
      // Whoever starts Fanfare anew may have put credentials right.
      await deliveries
        .retryRefused({ nowMs: clock.nowMs() })
        .catch((error: unknown) => log.error({ error }, 'refused deliveries keep their retry times'));
      await runLanes(contextUntil(late.signal), signal);
    },

    wake,

    isIdle: (firing) => isIdle(firing, { deliveries, render: platforms.render, log }),

    async reconcile(signal) {
      using _claim = await deliveries.claim({ signal });
      const context = contextUntil(signal);
      const accounts = await deliveries.accounts();
      await Promise.all(accounts.map((account) => createLane(account, context).reconcile(signal)));
    },

    async resolve(id, word) {
      const delivery = await deliveries.find(id);
      if (delivery?.state !== 'unknown') return undefined;
      const resolved = await recordNow(delivery, resolution(delivery, word, { isQuestion, clock }));
      wake();
      return resolved;
    },

    async answer(id, answer) {
      for (;;) {
        const delivery = await deliveries.find(id);
        const change = delivery && isQuestion(delivery.do) ? answered(delivery, answer) : undefined;
        if (!delivery || !change) return undefined;
        const closed = await recordNow(delivery, change);
        // Otherwise it was recorded in between that the question is there.
        if (!closed) continue;
        wake();
        return closed;
      }
    },
  };
}
