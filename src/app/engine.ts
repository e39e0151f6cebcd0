import type { Clock } from '#src/clock.ts';
import type { Log } from '#src/log.ts';
import { isJsonObject } from '#src/operation/json.ts';
import { createOutbox, type Outbox } from '#src/outbox/outbox.ts';
import { createPlanner } from '#src/planner/planner.ts';
import { advance } from '#src/rules/episodes/advance.ts';
import type { Rule } from '#src/rules/rule.ts';
import { createScheduler, type Scheduler } from '#src/scheduler/scheduler.ts';
import type { Store } from '#src/store/store.ts';
import type { AccountHealth } from './account-health.ts';
import type { Clients } from './clients.ts';
import type { Feed } from './feed.ts';
import { watchFuses } from './fuses.ts';
import { pollPlatform } from './poll-platform.ts';
import { accepts, isQuestion, performStep, recoverStep, renderDueStep, searchStep } from './steps.ts';

/** How long what was sent may take until a platform shows it. */
const SHOWN_WITHIN_MS = 10_000;

export interface EngineOptions {
  /** Those that are on. */
  readonly rules: readonly Rule[];
  readonly clients: Clients;
  readonly store: Store;
  /** Told of every decision and of every change of a delivery. */
  readonly feed: Feed;
  readonly health: AccountHealth;
  /** Told of a question, by the id of its message, that nobody answered in time. */
  readonly onUnanswered: (message: string) => void;
  readonly clock: Clock;
  readonly log: Log;
}

/** The way from a tick to a receipt: the scheduler decides, the outbox does. */
export interface Engine {
  readonly scheduler: Scheduler;
  readonly outbox: Outbox;
}

/** Puts scheduler, planner, episodes and outbox together over the store. */
export async function createEngine({ rules, clients, store, feed, health, onUnanswered, clock, log }: EngineOptions): Promise<Engine> {
  function keepsKeys(account: string, verb: string): boolean {
    const [, operation = ''] = verb.split('.');
    return clients.social.get(account)?.keepsKeys(operation) ?? false;
  }

  const outbox = createOutbox({
    deliveries: store.deliveries,
    perform: (attempt) => health.watch(attempt.account, () => performStep(clients, attempt)),
    recover: (attempt) => health.watch(attempt.account, () => recoverStep(clients, attempt)),
    search: (attempt) => health.watch(attempt.account, () => searchStep(clients, attempt)),
    render: (due, results) => renderDueStep(clients, due, results),
    isQuestion,
    accepts,
    onUnanswered: ({ result }) => isJsonObject(result) && typeof result['id'] === 'string' && onUnanswered(result['id']),
    onDelivery: (delivery) => feed.publishDelivery(delivery),
    keepsKeys,
    // Who keeps keys finds what it has by its key at once; anywhere else a record may take its time to show.
    visibleAfterMs: (account, verb) => (keepsKeys(account, verb) ? 0 : SHOWN_WITHIN_MS),
    clock,
    log,
  });
  const planner = createPlanner({
    poll: (query, signal) => health.watch(query.account, () => pollPlatform(clients, query, signal)),
    recorded: store.recordedPolls,
    // Each sealing looks different: so does a new sign-in.
    credentialsOf: (account) => store.sealedRows.load(account),
    clock,
    log,
  });
  const tellFuse = await watchFuses({ states: store.ruleStates, onChange: () => feed.publish({ kind: 'rules' }), log });
  const scheduler = await createScheduler({
    rules,
    states: store.ruleStates,
    read: (due, onPoll, signal) => planner.read(due, onPoll, signal),
    advance,
    isIdle: (firing) => outbox.isIdle(firing),
    onCommit(commit) {
      tellFuse(commit);
      if (commit.firings.length > 0) outbox.wake();
      for (const decision of commit.decisions) feed.publishDecision(decision);
    },
    clock,
    log,
  });
  return { scheduler, outbox };
}
