import type { Rest } from '#src/rules/evaluate/unchanged-polls.ts';
import type { Rule } from '#src/rules/rule.ts';

/** Without `within`, a rule at rest is polled after this many intervals, and at the latest after the time below. */
const USUAL_TIMES = 10;
const LONGEST_USUAL_MS = 10 * 60_000;

/** A rule whose last poll showed that only a change at the platform can change its result. */
export interface RestingSince extends Rest {
  /** The slot of that poll. */
  readonly sinceMs: number;
  /** The revision of the lists in that poll; absent if the rule reads none. */
  readonly revision?: string | undefined;
}

/** The rest in which slots pass without a poll; undefined: there is none, or each slot asks for names that wait. */
export function restOf(resting: RestingSince | null | undefined): RestingSince | undefined {
  return resting?.waiting ? undefined : (resting ?? undefined);
}

/** Whether platforms notify about everything that decides about a rule, so that it needs no poll without a notification. */
export type IsNotified = (rule: Rule, resting: RestingSince) => boolean;

/** The rules about whose changes platforms notify. */
export interface NotifiedRules {
  /** Reads the lists again if a rule at rest reads lists. Returns undefined if there is nothing to do. */
  refresh(): Promise<void> | undefined;
  readonly isNotified: IsNotified;
  /** Rules whose slots were passed over, beside the rules whose slots are due. */
  passedOver(rested: readonly Rule[], due: readonly Rule[]): void;
}

/** The longest time between two polls of a rule while platforms notify about its changes; undefined if each of its slots is polled. */
export function longestRestMs({ schedule, withinMs, maxAgeMs, watched }: Rule): number | undefined {
  if (!watched || watched.per === 'slot' || !('everyMs' in schedule)) return undefined;
  const { everyMs } = schedule;
  const longestMs = withinMs ?? Math.min(everyMs * USUAL_TIMES, LONGEST_USUAL_MS);
  // After a rest, an item that began in it must not be too old.
  const restMs = Math.min(longestMs, maxAgeMs);
  return restMs >= 2 * everyMs ? restMs : undefined;
}

/** The interval of the polls of a rule at rest, which are slots of its schedule; undefined if it has no rest. */
export function restIntervalMs(rule: Rule): number | undefined {
  const restMs = longestRestMs(rule);
  return restMs === undefined || !('everyMs' in rule.schedule) ? undefined : restMs - (restMs % rule.schedule.everyMs);
}

/** Whether some slots of a rule may pass without a poll. */
export function canRest(rule: Rule): boolean {
  return longestRestMs(rule) !== undefined;
}

/** Whether a slot needs no poll: the next slot still is in time. */
export function mayRest(rule: Rule, resting: RestingSince | undefined, nextMs: number | undefined): boolean {
  if (!resting || nextMs === undefined) return false;
  const longestMs = longestRestMs(rule);
  return longestMs !== undefined && nextMs <= Math.min(resting.sinceMs + longestMs, resting.untilMs ?? Infinity);
}
