import type { ChaosAccount, HistoryLine } from '../history.ts';

export interface Interval {
  readonly fromMs: number;
  readonly toMs: number;
}

/** The intervals in which no announcement through an account could arrive. */
export type OutagesOf = (account: ChaosAccount) => readonly Interval[];

/** Computes the outages of accounts: the database is down, no worker can work, or the platform fails. */
export function createOutages(history: readonly HistoryLine[], untilMs: number): OutagesOf {
  const common = united([
    ...faultIntervals(history, untilMs, (line) => line.fault.startsWith('postgres')),
    ...withoutWorker(history, untilMs),
  ]);
  const byPlatform = new Map<string, readonly Interval[]>();

  return ({ platform }) => {
    let intervals = byPlatform.get(platform);
    if (!intervals) {
      const failing = faultIntervals(history, untilMs, (line) => line.platform === platform || line.platform === 'twitch');
      intervals = united([...common, ...failing]);
      byPlatform.set(platform, intervals);
    }
    return intervals;
  };
}

type FaultLine = Extract<HistoryLine, { readonly kind: 'fault' }>;

/** The intervals of some faults. */
function faultIntervals(history: readonly HistoryLine[], untilMs: number, filter: (line: FaultLine) => boolean): readonly Interval[] {
  const healed = new Map(history.flatMap((line) => (line.kind === 'healed' ? [[line.id, line.atMs]] : [])));
  return history.flatMap((line) =>
    line.kind === 'fault' && filter(line) ? [{ fromMs: line.atMs, toMs: healed.get(line.id) ?? untilMs }] : [],
  );
}

/** The intervals in which every worker was killed, frozen, disconnected or starting. */
function withoutWorker(history: readonly HistoryLine[], untilMs: number): readonly Interval[] {
  const [first] = history;
  const workers = first?.kind === 'run' ? first.workers : [];
  const ready = new Set<string>();
  const disturbed = new Map<string, number>();
  const workerOf = new Map<number, string>();
  const intervals: Interval[] = [];
  let sinceMs: number | undefined;
  for (const line of history) {
    if (line.kind === 'ready') ready.add(line.worker);
    if (line.kind === 'crashed') ready.delete(line.worker);
    if (line.kind === 'fault' && line.worker !== undefined) {
      if (line.fault === 'kill' || line.fault === 'restart') ready.delete(line.worker);
      else {
        workerOf.set(line.id, line.worker);
        disturbed.set(line.worker, (disturbed.get(line.worker) ?? 0) + 1);
      }
    }
    if (line.kind === 'healed') {
      const worker = workerOf.get(line.id);
      if (worker !== undefined) disturbed.set(worker, (disturbed.get(worker) ?? 0) - 1);
    }
    const works = workers.some((worker) => ready.has(worker) && (disturbed.get(worker) ?? 0) === 0);
    if (!works) sinceMs ??= line.atMs;
    else if (sinceMs !== undefined) {
      intervals.push({ fromMs: sinceMs, toMs: line.atMs });
      sinceMs = undefined;
    }
  }
  return sinceMs === undefined ? intervals : [...intervals, { fromMs: sinceMs, toMs: untilMs }];
}

/** The same instants as disjoint intervals, in order. */
function united(intervals: readonly Interval[]): readonly Interval[] {
  const result: Interval[] = [];
  for (const one of intervals.toSorted((a, b) => a.fromMs - b.fromMs)) {
    const last = result.at(-1);
    if (last && one.fromMs <= last.toMs) result[result.length - 1] = { fromMs: last.fromMs, toMs: Math.max(last.toMs, one.toMs) };
    else result.push(one);
  }
  return result;
}

/** The time in an interval without the outages in it. */
export function workingMs({ fromMs, toMs }: Interval, outages: readonly Interval[]): number {
  return outages.reduce(
    (leftMs, outage) => leftMs - Math.max(0, Math.min(outage.toMs, toMs) - Math.max(outage.fromMs, fromMs)),
    Math.max(0, toMs - fromMs),
  );
}
