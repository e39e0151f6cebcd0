import { AsyncLocalStorage } from 'node:async_hooks';
import type { Clock } from '#src/clock.ts';
import { shareReads } from '#src/http/shared-reads.ts';
import type { Log } from '#src/log.ts';
import { isJsonObject, type JsonObject } from '#src/operation/json.ts';
import { createDeliveryEngine, type DeliveryEngine } from '#src/delivery/delivery-engine.ts';
import { logFieldsOf } from '#src/delivery/log-fields.ts';
import type { Attempt } from '#src/delivery/attempt.ts';
import { createPlanner } from '#src/planner/planner.ts';
import { advance } from '#src/rules/evaluate/advance.ts';
import type { Rule } from '#src/rules/rule.ts';
import { createScheduler, type Scheduler, type SchedulerOptions } from '#src/scheduler/scheduler.ts';
import { createSharedScheduler } from '#src/scheduler/shared-scheduler.ts';
import type { Cluster } from '#src/store/postgres/cluster.ts';
import type { Store } from '#src/store/store.ts';
import type { AccountHealth } from '#src/queries/accounts.ts';
import type { Clients } from './clients.ts';
import type { EventBus } from '#src/event-bus.ts';
import { createFuseLogger } from './log-fuses.ts';
import { pollPlatform } from './poll-platform.ts';
import type { FiringTraces } from '#src/telemetry/trace-firings.ts';
import { createMeasurements, type Measurements } from '#src/telemetry/measurements.ts';
import { accepts, isQuestion, isRead, performStep, readsAtEachPoll, recoverStep, removes, renderDueStep, searchStep } from './steps.ts';

/** The longest time until a platform shows a record that was sent. */
const SHOWN_WITHIN_MS = 10_000;

export interface EngineOptions {
  /** The rules that are on. */
  readonly rules: readonly Rule[];
  readonly clients: Clients;
  readonly store: Store;
  /** The other processes on the same state; absent: there are none. */
  readonly cluster?: Pick<Cluster, 'lanes' | 'agenda'> | undefined;
  /** Receives every decision and every change of a delivery. */
  /** Replaces files that another machine stored by files of this one; absent: all files are of this machine. */
  readonly withFiles?: ((params: JsonObject) => Promise<JsonObject>) | undefined;
  readonly eventBus: EventBus;
  readonly health: AccountHealth;
  readonly measurements?: Measurements | undefined;
  /** The traces of firings; absent: nothing is traced. */
  readonly traces?: FiringTraces | undefined;
  /** Receives the message id of a question that no one answered in time. */
  readonly onUnanswered: (message: string) => void;
  readonly clock: Clock;
  readonly log: Log;
}

/** The scheduler decides, and the delivery engine sends. */
export interface Engine {
  readonly scheduler: Scheduler;
  readonly deliveryEngine: DeliveryEngine;
  /** Runs the slots that other processes distribute to this one, until `signal` aborts. */
  readonly runSlots: (signal: AbortSignal) => Promise<void>;
}

/** Composes scheduler, planner, evaluation and delivery engine over the store. */
export async function createEngine({
  rules,
  clients,
  store,
  cluster,
  withFiles,
  eventBus,
  health,
  clock,
  measurements = createMeasurements({ clock }),
  traces,
  onUnanswered,
  log,
}: EngineOptions): Promise<Engine> {
  function keepsKeys(account: string, verb: string): boolean {
    const [, operation = ''] = verb.split('.');
    return clients.social.get(account)?.keepsKeys(operation) ?? false;
  }

  async function onThisMachine<A extends Attempt>(attempt: A): Promise<A> {
    return withFiles ? { ...attempt, params: await withFiles(attempt.params) } : attempt;
  }

  const deliveryEngine = createDeliveryEngine({
    deliveries: store.deliveries,
    lanes: cluster?.lanes,
    perform: (attempt) => health.watch(attempt.account, async () => performStep(clients, await onThisMachine(attempt))),
    recover: (attempt) => health.watch(attempt.account, async () => recoverStep(clients, await onThisMachine(attempt))),
    search: (attempt) => health.watch(attempt.account, () => searchStep(clients, attempt)),
    render: (due, results) => renderDueStep(clients, due, results),
    isQuestion,
    readsAtEachPoll,
    removes,
    isRead,
    accepts,
    onUnanswered: ({ result }) => isJsonObject(result) && typeof result['id'] === 'string' && onUnanswered(result['id']),
    onDelivery(delivery) {
      eventBus.publishDelivery(delivery);
      traces?.delivered(delivery);
    },
    onAttempt(ended) {
      measurements.attempted(ended);
      traces?.attempted(ended);
    },
    keepsKeys,
    // A platform that keeps keys finds a record by its key at once; any other platform may show the record later.
    visibleAfterMs: (account, verb) => (keepsKeys(account, verb) ? 0 : SHOWN_WITHIN_MS),
    clock,
    log,
  });
  const planner = createPlanner({
    poll: (query, signal) =>
      health.watch(query.account, () => measurements.poll(query.account, () => pollPlatform(clients, query, signal))),
    recorded: store.recordedPolls,
    // Each sealing gives different bytes, so a new sign-in shows as a change.
    credentialsOf: (account) => store.sealedRows.load(account),
    clock,
    log,
  });
  const logFuse = await createFuseLogger({ states: store.ruleStates, onChange: () => eventBus.publish({ kind: 'rules' }), log });
  const options: SchedulerOptions = {
    rules,
    states: store.ruleStates,
    read(due, onPoll, signal) {
      // What a poll leads to, as the read-back of a post, reads anew.
      const outside = AsyncLocalStorage.bind(onPoll);
      return shareReads(() => planner.read(due, outside, signal));
    },
    advance,
    isIdle: (firing) => deliveryEngine.isIdle(firing),
    onCommit(commit, times) {
      if (times) measurements.slotCommitted(commit, times);
      traces?.slotCommitted(commit, times);
      logFuse(commit);
      const steps = commit.firings.flatMap((firing) => firing.steps.map(({ key, account }) => ({ key, account, firing })));
      // A withdrawal can free later deliveries through any account.
      if (steps.length > 0) deliveryEngine.wake(commit.withdrawals.length > 0 ? undefined : steps.map(({ account }) => account));
      for (const { key, account, firing } of steps) log.debug({ ...logFieldsOf({ ...firing, id: key }), account }, 'stored');
      for (const decision of commit.decisions) eventBus.publish({ kind: 'decision', decision });
    },
    clock,
    log,
  };
  if (!cluster) return { scheduler: await createScheduler(options), deliveryEngine, runSlots: () => Promise.resolve() };
  const scheduler = await createSharedScheduler({ ...options, agenda: cluster.agenda });
  return { scheduler, deliveryEngine, runSlots: (signal) => scheduler.work(signal) };
}
