// Very many rules on one grid in another process: the cost of five minutes.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate as breath, setTimeout as sleep } from 'node:timers/promises';
import { catalogue } from '#src/clients/catalogue.ts';
import { saveMemory } from '#src/app/save-memory.ts';
import { silentLog } from '#src/log.ts';
import { createDeliveryEngine } from '#src/engine/delivery/delivery-engine.ts';
import { createPlanner } from '#src/engine/planner/planner.ts';
import type { PollResult, Query } from '#src/engine/planner/query.ts';
import { advance } from '#src/rules/evaluate/advance.ts';
import { loadRules } from '#src/rules/load.ts';
import { renderStep } from '#src/rules/render.ts';
import { createScheduler } from '#src/engine/scheduler/scheduler.ts';
import { runTicker } from '#src/engine/scheduler/ticker.ts';
import { openStore } from '#src/store/store.ts';
import { ManualClock } from '../test/support/manual-clock.ts';
import { accounts } from '../test/support/rule-language.ts';
import { temporaryFolder } from '../test/support/temporary-folder.ts';
import { answerTo, ruleSource } from './rules-world.ts';

const GRID_MS = 300_000;
/** The rate limit of Twitch: 800 requests per minute. */
const REQUEST_MS = 75;
const NAMES_A_REQUEST = 100;
/** The minimum real time of a simulated second. A process without pauses does not return memory. */
const SECOND_MS = 100;

const [rules = 0, warmGrids = 0, grids = 1] = process.argv.slice(2).map(Number);
using folder = temporaryFolder();
const clock = new ManualClock('2026-11-20T18:00:00Z');
const stopping = new AbortController();
const { signal } = stopping;
const done = { polls: 0, slots: 0, firings: 0, sent: 0 };
const recordings = new Set<Promise<boolean>>();
let freeMs = 0;

/** The platform, which processes one request after the other. */
async function poll(query: Query): Promise<PollResult> {
  const { users } = query.params;
  const requests = Array.isArray(users) ? Math.ceil(users.length / NAMES_A_REQUEST) : 1;
  freeMs = Math.max(freeMs, clock.nowMs()) + requests * REQUEST_MS;
  await clock.sleep(freeMs - clock.nowMs(), signal);
  done.polls++;
  return answerTo(query, Math.floor(clock.nowMs() / GRID_MS));
}

saveMemory();
mkdirSync(join(folder.path, 'rules'));
for (let index = 0; index < rules; index++) writeFileSync(join(folder.path, 'rules', `${index}.yaml`), ruleSource(index));
const loaded = await loadRules({ paths: [join(folder.path, 'rules')], catalogue, accounts, nowMs: clock.nowMs() });
if (loaded.rules.length !== rules) throw new Error(loaded.diagnostics.map(({ file, message }) => `${file}: ${message}`).join('\n'));

await using store = await openStore({ file: join(folder.path, 'fanfare.sqlite'), clock });
const engine = createDeliveryEngine({
  deliveries: store.deliveries,
  perform: async () => ({ id: `made/${++done.sent}`, url: 'https://example.test/made' }),
  recover: async () => 'absent',
  render: ({ delivery: { section, account }, ...due }, results) => renderStep({ ...due, section, account, results, catalogue }),
  keepsKeys: () => true,
  clock,
  log: silentLog,
});
const planner = createPlanner({
  poll,
  recorded: {
    read: (query, sinceMs) => store.recordedPolls.read(query, sinceMs),
    async record(query, recorded) {
      const recording = store.recordedPolls.record(query, recorded).finally(() => recordings.delete(recording));
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
  read: (due, onPoll, until) => planner.read(due, onPoll, until),
  advance,
  onCommit({ firings }) {
    done.slots++;
    done.firings += firings.length;
    if (firings.length > 0) engine.wake();
  },
  clock,
  log: silentLog,
});
const working = [engine.run(signal), runTicker({ clock, onTick: () => scheduler.tick(signal), log: silentLog, signal })];

/** Runs one second after the other. Each second ends when its work is done. */
async function runGrid(): Promise<void> {
  for (let ms = 0; ms < GRID_MS; ms += 1000) {
    await clock.advance(1000);
    await Promise.allSettled(recordings);
    for (let before = -1; before !== done.slots + done.sent;) {
      before = done.slots + done.sent;
      for (let tick = 0; tick < 10; tick++) await breath();
    }
    await sleep(SECOND_MS);
  }
}

for (let grid = 0; grid < warmGrids; grid++) await runGrid();
const [before, cpu] = [{ ...done }, process.cpuUsage()];
for (let grid = 0; grid < grids; grid++) await runGrid();
const { user, system } = process.cpuUsage(cpu);
const inOne = (count: number): number => Math.round(count / grids);
process.send?.({
  cpuShare: (user + system) / 1000 / (grids * GRID_MS),
  peakMb: process.resourceUsage().maxRSS / 1024,
  polls: inOne(done.polls - before.polls),
  slots: inOne(done.slots - before.slots),
  sent: inOne(done.sent - before.sent),
});
stopping.abort();
await clock.advance(0);
await Promise.all(working);
