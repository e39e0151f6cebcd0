import { runOf, type HistoryLine } from '../history.ts';
import { createOutages, workingMs, type Interval } from './outages.ts';

/** How long the work of a worker waited for another worker. */
export interface Takeover {
  readonly fault: 'kill' | 'freeze';
  readonly from: string;
  readonly by: string;
  /** The account of the lane. */
  readonly account: string;
  readonly atMs: number;
  /** From the fault until another worker sent through the account, without outages. */
  readonly tookMs: number;
}

/**
 * The lanes that another worker took over after a kill or a freeze.
 *
 * The last worker that sent through an account is its holder. The time contains the wait for the next delivery, so it is an upper limit.
 */
export function takeoversIn(history: readonly HistoryLine[]): readonly Takeover[] {
  const outages = outagesOf(history);
  const holders = new Map<string, string>();
  const waiting: { readonly fault: 'kill' | 'freeze'; readonly from: string; readonly account: string; readonly atMs: number }[] = [];
  const found: Takeover[] = [];
  for (const line of history) {
    if (line.kind === 'fault' && (line.fault === 'kill' || line.fault === 'freeze') && line.worker !== undefined) {
      for (const [account, holder] of holders) {
        if (holder === line.worker) waiting.push({ fault: line.fault, from: holder, account, atMs: line.atMs });
      }
      continue;
    }
    if (line.kind !== 'sent') continue;
    holders.set(line.account, line.worker);
    for (const [index, { account, from, fault, atMs }] of [...waiting.entries()].toReversed()) {
      if (account !== line.account) continue;
      waiting.splice(index, 1);
      // The worker itself went on, after its restart or the end of the freeze.
      if (from === line.worker) continue;
      found.push({ fault, from, by: line.worker, account, atMs, tookMs: workingMs({ fromMs: atMs, toMs: line.atMs }, outages) });
    }
  }
  return found;
}

function outagesOf(history: readonly HistoryLine[]): readonly Interval[] {
  const [account] = runOf(history).accounts;
  const withoutPlatforms = history.filter((line) => line.kind !== 'fault' || line.platform === undefined);
  return account ? createOutages(withoutPlatforms, history.at(-1)?.atMs ?? 0)(account) : [];
}

/** The value below which a part of the ascending values lies. */
export function quantile(ascending: readonly number[], part: number): number | undefined {
  return ascending[Math.min(ascending.length - 1, Math.floor(part * ascending.length))];
}
