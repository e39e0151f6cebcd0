import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { catalogue } from '#src/clients/catalogue.ts';
import { createClients } from '#src/clients/clients.ts';
import type { JsonObject } from '#src/clients/operation/json.ts';
import { recorded } from '#src/clients/history/recorded.ts';
import { createPlanner } from '#src/engine/planner/planner.ts';
import { pollPlatform } from '#src/engine/planner/poll-platform.ts';
import type { PollResult, Query } from '#src/engine/planner/query.ts';
import { createScheduler } from '#src/engine/scheduler/scheduler.ts';
import { silentLog } from '#src/log.ts';
import { zone } from '#src/rules/clocks/zone.ts';
import { advance } from '#src/rules/evaluate/advance.ts';
import { loadRules } from '#src/rules/load.ts';
import { openStore, type Store } from '#src/store/store.ts';
import { ManualClock } from '../../test/support/manual-clock.ts';
import { accounts } from '../../test/support/rule-language.ts';

const MINUTE_MS = 60_000;

/** The engine on a SQLite file, whose clock the benchmark moves. */
export interface Installation extends AsyncDisposable {
  readonly store: Store;
  readonly clock: ManualClock;
  /** Reads the history, as a step does. */
  history(verb: string, params: JsonObject): Promise<PollResult>;
  /** Lets a minute pass, and runs the rule. Returns the number of its firings. */
  runMinute(): Promise<number>;
}

interface Options {
  readonly folder: string;
  readonly nowMs: number;
  /** A rule that polls each minute; absent: there is no rule. */
  readonly rule?: string;
  /** Answers polls of other platforms than the history. */
  readonly poll?: (query: Query) => Promise<PollResult>;
}

/** Opens the store and the engine. */
export async function openInstallation({ folder, nowMs, rule, poll }: Options): Promise<Installation> {
  const clock = new ManualClock(nowMs);
  const rules = join(folder, 'rules');
  mkdirSync(rules);
  if (rule !== undefined) writeFileSync(join(rules, 'rule.yaml'), rule);
  const loaded = await loadRules({ paths: [rules], catalogue, accounts, nowMs });
  if (loaded.diagnostics.length > 0) throw new Error(loaded.diagnostics.map(({ message }) => message).join('\n'));
  const store = await openStore({ file: join(folder, 'fanfare.sqlite'), clock });
  const { episodes, sentLog: deliveries, outages, totals } = store;
  const history = recorded({ episodes, deliveries, outages, totals, zone, catalogue, clock });
  const clients = createClients({ streaming: [], social: [], discord: [], history: [history] }, clock);
  const recordings = new Set<Promise<boolean>>();
  let firings = 0;
  const planner = createPlanner({
    poll: (query, options) => (query.account === 'history' || !poll ? pollPlatform(clients, query, options) : poll(query)),
    recorded: {
      read: (query, sinceMs) => store.recordedPolls.read(query, sinceMs),
      async record(query, result) {
        const recording = store.recordedPolls.record(query, result).finally(() => recordings.delete(recording));
        recordings.add(recording);
        return recording;
      },
    },
    clock,
    log: silentLog,
  });
  const scheduler = await createScheduler({
    rules: loaded.rules,
    states: store.ruleStates,
    read: planner.read,
    advance,
    onCommit: (made) => (firings += made.firings.length),
    clock,
    log: silentLog,
  });
  return {
    store,
    clock,
    history: (verb, params) => pollPlatform(clients, { verb, account: 'history', params }, {}),
    async runMinute() {
      await clock.advance(MINUTE_MS);
      const before = firings;
      await scheduler.tick();
      await Promise.all(recordings);
      if (scheduler.stuck().length > 0) throw new Error('the rule failed');
      return firings - before;
    },
    [Symbol.asyncDispose]: () => store[Symbol.asyncDispose](),
  };
}
