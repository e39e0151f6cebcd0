import { runOf, type HistoryLine } from '../history.ts';
import { createOutages, workingMs, type Interval } from './outages.ts';

/** How long the work of a worker waited for another worker after a kill or a freeze, without outages. */
export interface Takeovers {
  /** Until another process got the lease of an account. Ascending. */
  readonly leasesMs: readonly number[];
  /** Until another process sent a delivery through the account, from the last fault of a holder. Ascending. */
  readonly deliveriesMs: readonly number[];
  /** Until a process that was asked to stop gave its lease of an account back. Ascending. */
  readonly handoversMs: readonly number[];
  /** Until the slots that waited for the worker were committed, from the first of several faults. Ascending. */
  readonly slotsMs: readonly number[];
}

/** A batch that was committed so soon after a fault ran on another worker. */
const OTHER_BATCH_MS = 3_000;

interface Waiting {
  readonly account: string;
  readonly process: string;
  readonly atMs: number;
  isLeased: boolean;
}

/** The takeovers after each kill and freeze. */
export function takeoversIn(history: readonly HistoryLine[]): Takeovers {
  const outages = outagesOf(history);
  const tookMs = (fromMs: number, toMs: number): number => workingMs({ fromMs, toMs }, outages);
  const holders = new Map<string, string>();
  const faultsMs: number[] = [];
  let waiting: readonly Waiting[] = [];
  const leaving = new Map<string, { readonly process: string; readonly atMs: number }>();
  const [leasesMs, deliveriesMs, handoversMs, slotsMs]: [number[], number[], number[], number[]] = [[], [], [], []];

  function noteHandover({ account, process, atMs }: Extract<HistoryLine, { readonly kind: 'lane' }>): void {
    const left = leaving.get(account);
    if (!left || left.process === process) return;
    leaving.delete(account);
    handoversMs.push(tookMs(left.atMs, atMs));
  }

  for (const line of history) {
    if (line.kind === 'fault' && (line.fault === 'kill' || line.fault === 'freeze')) {
      faultsMs.push(line.atMs);
      for (const [account, process] of holders) {
        if (process !== line.process) continue;
        // A further fault interrupted the takeover.
        waiting = [
          ...waiting.filter((one) => one.account !== account || !one.isLeased),
          { account, process, atMs: line.atMs, isLeased: false },
        ];
      }
    } else if (line.kind === 'fault' && line.fault === 'restart') {
      for (const [account, process] of holders) if (process === line.process) leaving.set(account, { process, atMs: line.atMs });
    } else if (line.kind === 'lane' && line.process === undefined) {
      holders.delete(line.account);
      noteHandover(line);
    } else if (line.kind === 'lane' && line.process !== undefined) {
      holders.set(line.account, line.process);
      noteHandover(line);
      // A frozen process can claim its lane again after the freeze, which is not a takeover.
      waiting = waiting.filter(({ account, process }) => account !== line.account || process !== line.process);
      for (const one of waiting) {
        if (one.account !== line.account || one.isLeased) continue;
        one.isLeased = true;
        leasesMs.push(tookMs(one.atMs, line.sinceMs));
      }
    } else if (line.kind === 'sent') {
      const done = waiting.filter(({ account, isLeased }) => isLeased && account === line.account && holders.get(account) === line.process);
      waiting = waiting.filter((one) => !done.includes(one));
      for (const { atMs } of done) deliveriesMs.push(tookMs(atMs, line.atMs));
    } else if (line.kind === 'batch') {
      const { sinceMs, atMs } = line;
      const faultMs = faultsMs.find((each) => each > sinceMs && each < atMs - OTHER_BATCH_MS);
      if (faultMs !== undefined) slotsMs.push(tookMs(faultMs, atMs));
    }
  }
  const ascending = (values: readonly number[]): readonly number[] => values.toSorted((a, b) => a - b);
  return {
    leasesMs: ascending(leasesMs),
    deliveriesMs: ascending(deliveriesMs),
    handoversMs: ascending(handoversMs),
    slotsMs: ascending(slotsMs),
  };
}

function outagesOf(history: readonly HistoryLine[]): readonly Interval[] {
  const [account] = runOf(history).accounts;
  const withoutPlatforms = history.filter((line) => line.kind !== 'fault' || line.platform === undefined);
  return account ? createOutages(withoutPlatforms, history.at(-1)?.atMs ?? 0)(account) : [];
}

/** The quantile of ascending values. */
export function quantile(ascending: readonly number[], part: number): number | undefined {
  return ascending[Math.min(ascending.length - 1, Math.floor(part * ascending.length))];
}
