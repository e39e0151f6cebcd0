// One worker in its own process: the delivery engine and the scheduler over a platform that answers after 50 ms.
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { catalogue } from '#src/clients/catalogue.ts';
import { systemClock, type Clock } from '#src/clock.ts';
import { createDeliveryEngine } from '#src/engine/delivery/delivery-engine.ts';
import type { Lanes } from '#src/engine/delivery/lanes.ts';
import { silentLog } from '#src/log.ts';
import { createPlanner } from '#src/engine/planner/planner.ts';
import type { PollResult } from '#src/engine/planner/query.ts';
import { advance } from '#src/rules/evaluate/advance.ts';
import { loadRules } from '#src/rules/load.ts';
import { renderStep } from '#src/rules/render.ts';
import { createScheduler, type SchedulerOptions } from '#src/engine/scheduler/scheduler.ts';
import type { SharedAgenda } from '#src/engine/scheduler/shared-agenda.ts';
import { createSharedScheduler } from '#src/engine/scheduler/shared-scheduler.ts';
import { runTicker } from '#src/engine/scheduler/ticker.ts';
import { openCluster } from '#src/store/postgres/cluster.ts';
import { openStore, type Store } from '#src/store/store.ts';
import { accountNames, Task, type Message } from './orders.ts';

const ANSWER_MS = 50;
const REPORT_MS = 50;

const task = Task.parse(JSON.parse(process.argv[2] ?? ''));
const stopping = new AbortController();
const { signal } = stopping;
const keys: string[] = [];
const arrivedMs: number[] = [];
const latenciesMs: number[] = [];
let sent = 0;
let slots = 0;
let polls = 0;

interface State extends AsyncDisposable {
  readonly store: Store;
  readonly clock: Clock;
  readonly lanes?: Lanes;
  readonly agenda?: SharedAgenda;
  run?(signal: AbortSignal): Promise<void>;
}

async function openState(): Promise<State> {
  const { state, name } = task;
  if ('url' in state) return openCluster({ ...state, worker: name, role: 'all', log: silentLog });
  const store = await openStore(state);
  return { store, clock: systemClock, [Symbol.asyncDispose]: () => store[Symbol.asyncDispose]() };
}

await using state = await openState();
const { store, clock } = state;
const engine = createDeliveryEngine({
  deliveries: store.deliveries,
  lanes: state.lanes,
  async perform({ key, params }) {
    arrivedMs.push(nowMs());
    keys.push(key);
    const answeredMs = Number(params['text']);
    if (answeredMs > 0) latenciesMs.push(nowMs() - answeredMs);
    await sleep(ANSWER_MS);
    return { id: key, url: `https://social.example/@fanfare/${key}` };
  },
  recover: () => Promise.resolve('absent'),
  render: ({ delivery: { section, account }, ...due }, results) => renderStep({ ...due, section, account, results, catalogue }),
  clock,
  log: silentLog,
  onDelivery(delivery) {
    // The engine survives errors of its listeners.
    if (delivery.state === 'failed') queueMicrotask(() => fail(delivery.error?.message));
    if (delivery.state === 'sent') sent += 1;
  },
});

/** A list with a stream that no earlier poll had. Its title is the instant of the answer. */
async function poll(): Promise<PollResult> {
  await sleep(ANSWER_MS);
  const id = `${task.name}-${++polls}`;
  const url = 'https://streaming.example/ada';
  const owner = { platform: 'twitch', id, url, handle: id, displayName: id };
  const item = {
    platform: 'twitch',
    id,
    url,
    owner,
    title: String(nowMs()),
    viewerCount: 100,
    startedAt: new Date(clock.nowMs()).toISOString(),
  };
  return { items: [item], approximate: false, partialErrors: [] };
}

async function openScheduler(folder: string) {
  const accounts = { streaming: { all: ['twitch'], defaults: [] }, social: { all: accountNames(task.accounts), defaults: [] } };
  const { rules, diagnostics } = await loadRules({
    paths: [folder],
    catalogue,
    accounts: { ...accounts, discord: NONE, assistant: NONE, history: NONE },
  });
  if (rules.length < task.accounts) throw new Error(diagnostics.map(({ message }) => message).join('\n'));
  const planner = createPlanner({ poll, recorded: store.recordedPolls, clock, log: silentLog });
  const options: SchedulerOptions = {
    rules,
    states: store.ruleStates,
    read: (due, onPoll, until) => planner.read(due, onPoll, until),
    advance,
    onCommit({ firings }) {
      slots += 1;
      const its = firings.flatMap(({ steps }) => steps.map(({ account }) => account));
      if (its.length > 0) engine.wake(its);
    },
    clock,
    log: silentLog,
  };
  const { agenda } = state;
  if (!agenda) return { scheduler: await createScheduler(options), work: () => Promise.resolve() };
  const scheduler = await createSharedScheduler({ ...options, agenda });
  return { scheduler, work: (until: AbortSignal) => scheduler.work(until) };
}

const NONE = { all: [], defaults: [] };

function fail(message: string | undefined): never {
  throw new Error(message);
}

function nowMs(): number {
  return performance.timeOrigin + performance.now();
}

function report(message: Message): void {
  process.send?.(message);
}

const scheduling = task.rules === undefined ? undefined : await openScheduler(task.rules);
const keeping = state.run?.(signal);
const go = once(process, 'message');
report({ kind: 'ready' });
await go;
const cpuBefore = process.cpuUsage();
const reporting = setInterval(() => report({ kind: 'sent', sent }), REPORT_MS);
const working = [engine.run(signal)];
if (scheduling) {
  const { scheduler, work } = scheduling;
  working.push(work(signal), runTicker({ clock, onTick: () => scheduler.tick(signal), log: silentLog, signal }));
}
await once(process, 'message');
clearInterval(reporting);
const { user, system } = process.cpuUsage(cpuBefore);
stopping.abort();
await Promise.all([...working, keeping]);
const result: Message = { kind: 'report', keys, arrivedMs, latenciesMs, slots, cpuMs: (user + system) / 1000 };
// A long message takes several writes.
process.send?.(result, () => process.disconnect());
