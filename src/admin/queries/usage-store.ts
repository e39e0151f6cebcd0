/** The use of an account in one hour. Absent values are unknown. */
export interface HourlyUsage {
  readonly account: string;
  /** The start of the hour. */
  readonly hourMs: number;
  /** The smallest rest of the rate limits, from 0 to 1. */
  readonly leastLeftRatio?: number | undefined;
  /** The greatest sum of the calendar month (UTC) up to this hour, in USD. */
  readonly spentUsd?: number | undefined;
}

/** The use of an account on one day in UTC, like `HourlyUsage`. */
export interface DailyUsage extends Pick<HourlyUsage, 'leastLeftRatio' | 'spentUsd'> {
  /** The start of the day. */
  readonly dayMs: number;
}

/** The stored use of accounts. */
export interface UsageStore {
  /** Several processes write the same hours: the smallest rest and the greatest sum stay. */
  note(hours: readonly HourlyUsage[]): Promise<void>;
  /** The days of an account since an instant, oldest first. */
  days(account: string, sinceMs: number): Promise<readonly DailyUsage[]>;
}
