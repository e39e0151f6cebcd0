import type { Rate } from './rate-headers.ts';

/** Rate limits from a response. */
export interface Notice {
  /** Overlapping windows, which all apply. */
  readonly rates?: readonly Rate[] | undefined;
  readonly pauseUntil?: Date | undefined;
}

/** A documented rate of a platform whose responses do not state it. */
interface Pace {
  readonly perSecond: number;
  /** The number of points that may be taken at once. */
  readonly burst: number;
}

/** The budgets that a request uses. */
export interface Charge {
  /** The names of the budgets; the headers of a response describe the first. */
  readonly budgets: readonly string[];
  /** The share of each budget. */
  readonly points: number;
  /** The documented rate of the first budget. */
  readonly pace?: Pace | undefined;
}

/** Points that a request has taken. */
export interface Pass extends Charge {
  /** The sum of the points, up to then, whose responses did not describe the first budget. */
  readonly unstated: number;
  /** The period in which the points were taken; absent if the implementation needs none. */
  readonly period?: number | undefined;
}

/** The points were not taken, because a budget is used up for this time. */
export interface Denied {
  readonly waitMs: number;
}

/** The rate limits of one account, shared by all who have the same budgets. */
export interface RateBudgets {
  /** Takes the points from all budgets, or from none. `settle` must follow. */
  take(charge: Charge): Promise<Pass | Denied>;
  /** Records the end of a request and the rate limits of its response. Never throws. */
  settle(pass: Pass, notice: Notice): void;
  /** New budgets for one client; absent: the clients of an account share these. */
  readonly forClient?: (() => RateBudgets) | undefined;
}

/** Until a response describes the next window, the limit of the last one holds per second. */
export const ASSUMED_WINDOW_MS = 1000;

/** Responses state the reset of one window with this precision. */
export const RESET_PRECISION_MS = 2000;
