import { isDeepStrictEqual } from 'node:util';
import type { TimedDatabase, TimedProcess } from '../../store/postgres/timed-database.ts';
import { requestOf, type Request, type Round } from './acts.ts';
import { afterRequest, afterTime, type ExpectedChange, type ExpectedState } from './expected-state.ts';
import { startWorker, type Answered, type Subjects, type Worker } from './worker.ts';

const MINUTE_MS = 60_000;
/** How often a process asks for a rule that runs elsewhere. */
const ASK_AGAIN_MS = 200;

export interface Workers {
  readonly database: TimedDatabase;
  readonly processes: readonly [TimedProcess, TimedProcess];
}

/**
 * Lets people act on two workers at the same moment, round after round. Throws unless the answers and the state are those of one order of their
 * requests, and both workers show this state. Resolves with the number of rounds in which several people were answered.
 */
export async function walk({ database, processes }: Workers, subjects: Subjects, rounds: readonly Round[]): Promise<number> {
  const [process] = processes;
  const { store } = process;
  await store.servers.join({ id: subjects.server, name: 'Club', joinedAt: new Date(0) });
  const { number: version = 0 } = (await store.ruleVersions.inForce()) ?? {};
  await store.ruleVersions.publish({ files: [{ file: 'live.yaml', source: `# ${subjects.rule}` }], by: 'ada', after: version });
  const workers: [Worker, Worker] = [
    await startWorker(processes[0], database, subjects),
    await startWorker(processes[1], database, subjects),
  ];
  const changes: ExpectedChange[] = [];
  let state: ExpectedState = {
    pausedUntilMs: 0,
    plans: {},
    value: 0,
    version: version + 1,
    entries: undefined,
    channel: '',
    pings: [],
    posts: {},
  };
  let [serial, met] = [0, 0];

  async function advance(ms: number): Promise<void> {
    for (const { clock } of processes) await clock.advance(ms);
  }

  /** Waits for answers. What waits for another worker or its version continues, as in running processes. */
  async function settled<T>(asking: Promise<T>): Promise<T> {
    let isOver = false;
    const end = (): void => void (isOver = true);
    asking.then(end, end);
    for (let step = 1; !isOver; step++) {
      await new Promise((resolve) => setImmediate(resolve));
      if (step % 50 === 0) await advance(ASK_AGAIN_MS);
      if (step % 200 === 0) await Promise.all(workers.map(({ reload }) => reload()));
    }
    return asking;
  }

  for (const { acts, minutes, restarts } of rounds) {
    const nowMs = process.clock.nowMs();
    const asked = acts.flatMap((act) => {
      const request = requestOf(act, { state, changes, nowMs, serial: serial++ });
      return request ? [{ worker: act.worker, request }] : [];
    });
    const answers = await settled(Promise.all(asked.map(({ worker, request }) => workers[worker].ask(request))));
    await Promise.all(workers.map(({ reload }) => reload()));
    const posts = [...Object.keys(state.posts), ...asked.flatMap(({ request }) => (request.kind === 'queue' ? [request.post] : []))];
    const [one, two] = [await workers[0].shown(posts), await workers[1].shown(posts)];
    const { number = 0 } = (await store.ruleVersions.inForce()) ?? {};
    const after: ExpectedState = { ...one, version: number };
    const done = asked.map(({ request }, index) => ({ request, ...(answers[index] ?? { answer: '' }) }));
    const orders = ordersOf(done);
    const details = JSON.stringify({ before: state, done, after }, (_, value: unknown) => (value === Infinity ? 'never' : value), 1);
    if (!isDeepStrictEqual(one, two)) throw new Error(`the workers show different states: ${JSON.stringify([one, two])}`);
    if (!orders.some((order) => isExplained(state, order, { after, nowMs }))) throw new Error(`no order explains the answers: ${details}`);
    changes.push(...answers.flatMap(({ change }) => change ?? []));
    if (asked.length > 1) met++;
    await advance(minutes * MINUTE_MS);
    await store.ruleStates.beginPlanned();
    state = afterTime(after, process.clock.nowMs());
    if (restarts !== undefined) workers[restarts] = await startWorker(processes[restarts], database, subjects);
  }
  return met;
}

type Done = Answered & { readonly request: Request };

function isExplained(
  before: ExpectedState,
  order: readonly Done[],
  { after, nowMs }: { readonly after: ExpectedState; readonly nowMs: number },
): boolean {
  let now = before;
  for (const { request, answer } of order) {
    const [next, expected] = afterRequest(now, request, nowMs);
    if (answer !== expected) return false;
    now = next;
  }
  return isDeepStrictEqual(now, after);
}

function ordersOf<T>(all: readonly T[]): readonly (readonly T[])[] {
  if (all.length <= 1) return [all];
  return all.flatMap((first, index) => ordersOf(all.toSpliced(index, 1)).map((rest) => [first, ...rest]));
}
