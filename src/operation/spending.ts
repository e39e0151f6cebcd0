import type { Clock } from '#src/clock.ts';
import { PlatformError } from '#src/errors.ts';

const MICRO = 1_000_000;

/** What an account may spend where its platform bills. */
export interface Spending {
  /** Sets aside what a request may cost at the most, in USD; rejects with `quotaExhausted` where the budget of the month does not have it. */
  reserve(usd: number): Promise<Reserve>;
  /** How many of the rows, by their names, are new on the day, as `2026-11-20`: from now on they are not. The days before are forgotten. */
  newRows(day: string, rows: readonly string[]): Promise<number>;
}

/** What was set aside for one request. */
interface Reserve {
  /** What the request did cost; the rest goes back. Without it, all of it counts as spent. */
  settle(usd: number): Promise<void>;
}

/** Sums of what accounts have spent, by month; in millionths of a USD, which add up without loss. And what they have paid for today already. */
export interface SpentSums {
  /** Adds to a sum unless that would make it more than `most`; the sum is as it is then. */
  add(spent: {
    readonly account: string;
    readonly month: string;
    readonly microUsd: number;
    readonly most?: number | undefined;
  }): Promise<{ readonly added: boolean; readonly sum: number }>;
  sum(account: string, month: string): Promise<number>;
  /** How many of the rows were not there on that day; they are then, and those of the days before are gone. */
  addRows(billed: { readonly account: string; readonly day: string; readonly rows: readonly string[] }): Promise<number>;
}

export interface MonthlySpendingOptions {
  readonly platform: string;
  /** Its name in `fanfare.yaml`. */
  readonly account: string;
  /** What a month may cost, in USD; absent: anything, and it is only counted. */
  readonly monthUsd?: number | undefined;
  readonly sums: SpentSums;
  readonly clock: Clock;
}

/** What is known of an account's budget. */
export interface Spent {
  readonly spentUsd: number;
  readonly monthUsd: number | undefined;
  /** The month, as `2026-11`. */
  readonly month: string;
  /** When the next one begins. */
  readonly until: Date;
}

export interface MonthlySpending extends Spending {
  spent(): Promise<Spent>;
}

/** Spending that is held to a budget for each calendar month of UTC; it is kept in `sums`, so a restart begins nothing anew. */
export function monthlySpending({ platform, account, monthUsd, sums, clock }: MonthlySpendingOptions): MonthlySpending {
  const most = monthUsd === undefined ? undefined : toMicro(monthUsd);

  return {
    async reserve(usd) {
      const month = monthAt(clock.nowMs());
      const microUsd = toMicro(usd);
      const { added, sum } = await sums.add({ account, month, microUsd, most });
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

/** An amount as people read it: whole cents, or finer where it is small. */
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
  const left = `of ${usdText(monthUsd)} a month ${usdText(spentUsd)} are spent, and this may cost ${usdText(wantedUsd)}`;
  const remedy = `It starts anew on ${until.toISOString().slice(0, 10)}; to go on before, raise budgets.${account}.month in fanfare.yaml and restart.`;
  const message = `${platform}: the budget of the account ${account} is used up: ${left}. Nothing was sent. ${remedy}`;
  return new PlatformError(message, { platform, fault: 'quotaExhausted', retryAt: until });
}

function toMicro(usd: number): number {
  return Math.round(usd * MICRO);
}

function monthAt(ms: number): string {
  return new Date(ms).toISOString().slice(0, 7);
}

function nextMonth(month: string): Date {
  const [year = 0, number = 0] = month.split('-').map(Number);
  // Months count from 0 here: the number is that of the next one.
  return new Date(Date.UTC(year, number));
}
