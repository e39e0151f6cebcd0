import type { Clock } from '#src/clock.ts';
import { PlatformError } from '#src/errors.ts';

const MICRO = 1_000_000;

/** The budget of an account on a platform that bills. */
export interface Spending {
  /** Reserves the highest cost of a request in USD; rejects with `quotaExhausted` if the budget of the month is too small. */
  reserve(usd: number): Promise<Reserve>;
  /** Adds rows to the billed rows of a day, for example `2026-11-20`, and resolves with the number of new ones. Earlier days are deleted. */
  newRows(day: string, rows: readonly string[]): Promise<number>;
}

/** A reservation for one request. */
interface Reserve {
  /** Books the actual cost and releases the rest. Without this call, the whole reservation counts. */
  settle(usd: number): Promise<void>;
}

/** Sums per account and month in millionths of a USD, which add up without loss, and the rows billed today. */
export interface SpentSums {
  /** Adds to a sum unless it would exceed `most`. Resolves with the resulting sum. */
  add(spent: {
    readonly account: string;
    readonly month: string;
    readonly microUsd: number;
    readonly most?: number | undefined;
  }): Promise<{ readonly added: boolean; readonly sum: number }>;
  sum(account: string, month: string): Promise<number>;
  /** Adds rows and resolves with the number of new ones. Earlier days are deleted. */
  addRows(billed: { readonly account: string; readonly day: string; readonly rows: readonly string[] }): Promise<number>;
}

export interface MonthlySpendingOptions {
  readonly platform: string;
  /** The account's name in `fanfare.yaml`. */
  readonly account: string;
  /** The budget per month in USD; absent if spending is only counted. */
  readonly monthUsd?: number | undefined;
  readonly sums: SpentSums;
  readonly clock: Clock;
}

/** The state of an account's budget. */
export interface Spent {
  readonly spentUsd: number;
  readonly monthUsd: number | undefined;
  /** The month, for example `2026-11`. */
  readonly month: string;
  /** The start of the next month. */
  readonly until: Date;
}

export interface MonthlySpending extends Spending {
  spent(): Promise<Spent>;
}

/** Creates spending with a budget per calendar month in UTC. `sums` keeps it over restarts. */
export function monthlySpending({ platform, account, monthUsd, sums, clock }: MonthlySpendingOptions): MonthlySpending {
  const most = monthUsd === undefined ? undefined : toMicro(monthUsd);

  return {
    async reserve(usd) {
      const month = monthAt(clock.nowMs());
      const microUsd = toMicro(usd);
      const { added, sum } = await sums.add({ account, month, microUsd, most }).catch((cause: unknown) => {
        const message = `${platform}: the budget of the account ${account} cannot be read. Nothing was sent.`;
        throw new PlatformError(message, { platform, fault: 'unreachable', cause });
      });
      if (!added)
        throw usedUp({ platform, account, spentUsd: sum / MICRO, monthUsd: monthUsd ?? 0, wantedUsd: usd, until: nextMonth(month) });
      return {
        async settle(costUsd) {
          const difference = toMicro(costUsd) - microUsd;
          if (difference !== 0) await sums.add({ account, month, microUsd: difference });
        },
      };
    },

    newRows: (day, rows) => sums.addRows({ account, day, rows }),

    async spent() {
      const month = monthAt(clock.nowMs());
      return { spentUsd: (await sums.sum(account, month)) / MICRO, monthUsd, month, until: nextMonth(month) };
    },
  };
}

/** An amount in USD for people, with cents or, if it is small, tenths of a cent. */
export function usdText(usd: number): string {
  return `${usd.toFixed(Math.abs(usd) < 1 && Math.round(usd * 1000) % 10 !== 0 ? 3 : 2)} USD`;
}

interface UsedUp {
  readonly platform: string;
  readonly account: string;
  readonly spentUsd: number;
  readonly monthUsd: number;
  readonly wantedUsd: number;
  readonly until: Date;
}

function usedUp({ platform, account, spentUsd, monthUsd, wantedUsd, until }: UsedUp): PlatformError {
  const left = `${usdText(spentUsd)} of ${usdText(monthUsd)} are spent this month, and this request can cost ${usdText(wantedUsd)}`;
  const remedy = `The budget resets on ${until.toISOString().slice(0, 10)}; to continue earlier, raise budgets.${account}.month in fanfare.yaml and restart.`;
  const message = `${platform}: the budget of the account ${account} is used up: ${left}. Nothing was sent. ${remedy}`;
  return new PlatformError(message, { platform, fault: 'quotaExhausted', retryAt: until, sentNothing: true });
}

/** A computed amount without the error of its multiplications, which would round up to another cent. */
export function exactUsd(usd: number): number {
  return toMicro(usd) / MICRO;
}

function toMicro(usd: number): number {
  return Math.round(usd * MICRO);
}

/** The month of an instant in UTC, for example `2026-11`. */
export function monthAt(ms: number): string {
  return new Date(ms).toISOString().slice(0, 7);
}

function nextMonth(month: string): Date {
  const [year = 0, number = 0] = month.split('-').map(Number);
  // Date.UTC counts months from 0, so the number means the next month.
  return new Date(Date.UTC(year, number));
}
