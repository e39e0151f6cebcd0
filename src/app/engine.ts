import type { Clock } from '#src/clock.ts';
import type { Log } from '#src/log.ts';
import type { Clients } from '#src/clients/clients.ts';
import { createDeliveryEngine, type DeliveryEngine } from '#src/engine/delivery/delivery-engine.ts';
import { stepsThrough, type StepsOptions } from '#src/engine/delivery/steps.ts';
import type { Coverage } from '#src/engine/coverage.ts';
import type { EventBus } from '#src/engine/event-bus.ts';
import { createNotifiedRules } from '#src/engine/notified-rules.ts';
import { createObservers, type EngineObservers } from '#src/engine/observers.ts';
import { createOutageLog, watchReads, watchWith } from '#src/engine/outages.ts';
import type { PacedPolls } from '#src/engine/planner/paced-polls.ts';
import { createPlanner } from '#src/engine/planner/planner.ts';
import { pollsThrough } from '#src/engine/planner/poll-platform.ts';
import { createFuseLogger } from '#src/engine/scheduler/log-fuses.ts';
import { createScheduler, type Scheduler, type SchedulerOptions } from '#src/engine/scheduler/scheduler.ts';
import { createSharedScheduler } from '#src/engine/scheduler/shared-scheduler.ts';
import { advance } from '#src/rules/evaluate/advance.ts';
import type { ListSource } from '#src/rules/lists.ts';
import type { Rule } from '#src/rules/rule.ts';
import type { Cluster } from '#src/store/postgres/cluster.ts';
import type { Store } from '#src/store/store.ts';
import type { AccountHealth } from '#src/admin/queries/accounts.ts';
import type { FiringTraces } from '#src/admin/telemetry/trace-firings.ts';
import { createMeasurements, type Measurements } from '#src/admin/telemetry/measurements.ts';

export interface EngineOptions extends Pick<StepsOptions, 'withFiles'> {
  readonly rules: readonly Rule[];
  readonly clients: Clients;
  readonly store: Store;
  /** The other processes on the same state; absent: there are none. */
  readonly cluster?: Pick<Cluster, 'lanes' | 'agenda'> | undefined;
  /** Receive what happens in the engine; the parts of the engine are added to them. */
  readonly observers?: EngineObservers | undefined;
  readonly eventBus: EventBus;
  /** The lists that rules read at each poll; absent: there are none. */
  readonly listSource?: ListSource | undefined;
  /** The names about which platforms notify; absent: none. */
  readonly coverage?: Coverage | undefined;
  /** Spreads polls within the rate limits of their accounts; absent: only the limits in the responses count. */
  readonly paced?: PacedPolls | undefined;
  readonly health: AccountHealth;
  readonly measurements?: Measurements | undefined;
  /** The traces of firings; absent: nothing is traced. */
  readonly traces?: FiringTraces | undefined;
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

/** Composes scheduler, planner, evaluation and delivery engine over the store. This file only connects them. */
export async function createEngine({
  rules,
  clients,
  store,
  cluster,
  withFiles,
  observers = createObservers(),
  eventBus,
  listSource,
  coverage,
  paced,
  health: { watch },
  clock,
  measurements = createMeasurements({ clock }),
  traces,
  log,
}: EngineOptions): Promise<Engine> {
  // Any process may use an account next, so the outages of all processes decide about its health.
  const watchAccess = watchWith(cluster ? (_, use) => use() : watch, createOutageLog({ store: store.outages, clock, log }));
  const deliveryEngine = createDeliveryEngine({
    ...stepsThrough({ clients, watch: watchAccess, withFiles }),
    deliveries: store.deliveries,
    lanes: cluster?.lanes,
    onDelivery: observers.delivered,
    onAttempt: observers.attempted,
    onUnanswered: observers.questionClosed,
    clock,
    log,
  });
  const planner = createPlanner({
    poll: pollsThrough({ clients, watch: watchReads(watchAccess), measure: measurements.poll }),
    recorded: store.recordedPolls,
    onSaved: (account, requests) => measurements.requestsSaved(account, 'names', requests),
    // Each sealing gives different bytes, so a new sign-in shows as a change.
    credentialsOf: store.sealedRows.load,
    paced,
    clock,
    log,
  });
  const fuses = await createFuseLogger({ states: store.ruleStates, onChange: eventBus.changing('rules'), log });
  observers.add(measurements, ...(traces ? [traces] : []), fuses, deliveryEngine, eventBus);
  const options: SchedulerOptions = {
    rules,
    states: store.ruleStates,
    read: planner.read,
    advance,
    lists: listSource,
    notified:
      coverage &&
      createNotifiedRules({
        coverage,
        lists: listSource,
        onSaved: (account, requests) => measurements.requestsSaved(account, 'rest', requests),
        clock,
      }),
    isIdle: deliveryEngine.isIdle,
    beginWith: deliveryEngine.beginWith,
    onCommit: observers.slotCommitted,
    clock,
    log,
  };
  if (!cluster) return { scheduler: await createScheduler(options), deliveryEngine, runSlots: () => Promise.resolve() };
  const scheduler = await createSharedScheduler({ ...options, agenda: cluster.agenda });
  return { scheduler, deliveryEngine, runSlots: scheduler.work };
}
