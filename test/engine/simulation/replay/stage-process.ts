import { PlatformError } from '#src/errors.ts';
import { silentLog } from '#src/log.ts';
import { isJsonObject } from '#src/clients/operation/json.ts';
import { readsAtEachPoll, removedParameter } from '#src/clients/operation/declared.ts';
import { createDeliveryEngine, type DeliveryEngine } from '#src/engine/delivery/delivery-engine.ts';
import { createPlanner } from '#src/engine/planner/planner.ts';
import type { PollResult, Query } from '#src/engine/planner/query.ts';
import type { HintedRule } from '#src/engine/scheduler/hinted-names.ts';
import { createScheduler } from '#src/engine/scheduler/scheduler.ts';
import type { Accounts } from '#src/rules/accounts.ts';
import { advance } from '#src/rules/evaluate/advance.ts';
import type { Item } from '#src/rules/poll.ts';
import { renderStep, withEdited } from '#src/rules/render.ts';
import type { Store } from '#src/store/store.ts';
import type { ManualClock } from '../../../support/manual-clock.ts';
import { catalogue } from '../../../support/rule-language.ts';
import type { PollFault, StageOptions } from './replay-fixture.ts';

/** How long a platform takes. */
const READ_MS = 700;
const SEND_MS = 400;

/** A simulated run of the program. */
export interface StageProcess {
  readonly engine: DeliveryEngine;
  /** Begins everything that is due now. */
  tick(hints: readonly HintedRule[]): Promise<void>;
  /** Begins nothing from now on. */
  stop(): void;
  /** Resolves when everything that had begun has ended. The clock must advance until then. */
  ended(): Promise<void>;
}

export interface StageProcessOptions extends Omit<StageOptions, 'forMs' | 'disturbances' | 'answers'> {
  readonly accounts: Accounts;
  readonly clock: ManualClock;
  readonly store: Store;
  readonly startMs: number;
  /** The requests of all processes of a stage. */
  readonly requests: { made: number; asked: number };
}

/** Starts the real scheduler, planner and delivery engine over a store. */
export async function startProcess({
  rules,
  accounts,
  seen,
  pollFault = () => undefined,
  refuses = () => undefined,
  hints,
  lists,
  clock,
  store: { ruleStates, deliveries, recordedPolls },
  startMs,
  requests,
}: StageProcessOptions): Promise<StageProcess> {
  const engine = createDeliveryEngine({
    deliveries,
    async perform({ do: verb }) {
      await clock.sleep(SEND_MS);
      requests.made++;
      if (verb === 'discord.ask') requests.asked++;
      const { made } = requests;
      const fault = refuses(made);
      if (fault) throw new PlatformError('no', { platform: 'stage', fault });
      return { id: `${verb}-${made}`, url: `https://example.invalid/${made}`, number: made, displayName: `who ${made}` };
    },
    recover: () => Promise.resolve('absent'),
    async render({ delivery: { section, account }, ...due }, results, findEdited) {
      const textLimit = accounts['social']?.textLimits?.[account];
      const postDefaults = accounts['social']?.postDefaults?.[account];
      return renderStep(await withEdited({ ...due, section, account, results, textLimit, postDefaults, catalogue }, findEdited));
    },
    isQuestion: (verb) => verb === 'discord.ask',
    readsAtEachPoll: (verb) => readsAtEachPoll(catalogue.get(verb)),
    removes: (verb) => removedParameter(catalogue.get(verb)),
    clock,
    log: silentLog,
  });
  const planner = createPlanner({
    async poll(query) {
      await clock.sleep(READ_MS);
      const afterMs = clock.nowMs() - startMs;
      return pollResult(query, seen(query, afterMs), pollFault(query, afterMs));
    },
    recorded: recordedPolls,
    clock,
    log: silentLog,
  });
  const scheduler = await createScheduler({
    rules,
    states: ruleStates,
    read: (due, onPoll, signal) => planner.read(due, onPoll, signal),
    advance,
    lists: lists && { current: () => Promise.resolve(lists(clock.nowMs() - startMs)) },
    notified: hints && { refresh: () => undefined, isNotified: () => true, passedOver: () => undefined },
    onCommit: () => engine.wake(),
    clock,
    log: silentLog,
  });
  const stop = new AbortController();
  const running = engine.run(stop.signal);
  const ticks: Promise<void>[] = [];

  return {
    engine,
    async tick(hinted) {
      await scheduler.hurry(hinted);
      ticks.push(scheduler.tick());
    },
    stop: () => stop.abort(new Error('it is over')),
    async ended() {
      await Promise.all([...ticks, running]);
    },
  };
}

function pollResult({ params }: Query, items: readonly Item[], fault: PollFault | undefined): PollResult {
  const whole = { items, approximate: false, partialErrors: [] };
  switch (fault) {
    case undefined:
      return whole;
    case 'whole':
      throw new PlatformError('no list', { platform: 'stage', fault: 'unavailable' });
    case 'name': {
      const { users } = params;
      const values = Array.isArray(users) ? users.slice(0, 1).map(String) : [];
      const isRead = ({ owner }: Item): boolean => !isJsonObject(owner) || !values.some((value) => value === owner['handle']);
      return { ...whole, items: items.filter(isRead), partialErrors: [{ message: 'not this one', fault: 'unavailable', values }] };
    }
    case 'end':
      return { ...whole, items: items.slice(0, -1), more: true };
  }
}
