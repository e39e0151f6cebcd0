import type { Firing, PlannedStep } from '#src/rules/firing.ts';
import type { Element } from '#src/rules/element.ts';
import type { Need } from '#src/rules/needs.ts';
import type { Delivery, Part } from './delivery.ts';

/** More than a thread has parts: between two elements of a list, there is room for the threads that they become. */
const ROOM = 100;

/** A delivery as its commit stores it. `waitsUntilMs`: the end of the wait of a step whose result it needs. */
export function newDelivery(
  { key, index, account, step, suppressed }: PlannedStep,
  firing: Firing,
  { nowMs, waitsUntilMs = 0 }: { readonly nowMs: number; readonly waitsUntilMs?: number | undefined },
): Delivery {
  const { id, rule, textVersion, item, episode, queue, section, occasion, evenIfUnchanged, atMs } = firing;
  const { afterMs = 0, maxAgeMs, answerWithinMs, retry, strict = false } = step;
  // The time of a post of a person may be to come.
  const plannedMs = afterMs === 0 ? Math.max(nowMs, atMs) : atMs + afterMs;
  const beginsMs = Math.max(plannedMs, waitsUntilMs);
  return {
    id: key,
    firing: id,
    rule,
    textVersion,
    item,
    episode,
    queue,
    section,
    occasion,
    step: step.id ?? String(index),
    do: step.do,
    account,
    creates: step.creates,
    evenIfUnchanged,
    state: suppressed ? 'skipped' : 'pending',
    ...suppressed,
    attempts: 0,
    createdAt: new Date(nowMs),
    beginsAt: beginsMs === nowMs ? undefined : new Date(beginsMs),
    dueAt: new Date(beginsMs),
    expiresAt: maxAgeMs === undefined ? undefined : new Date(atMs + afterMs + maxAgeMs),
    maxAgeMs,
    answerWithinMs,
    retry,
    strict: strict || undefined,
  };
}

/** A delivery that came from another one: for an element of a list, or the next post of a thread. */
export interface NewPart {
  readonly delivery: Delivery;
  readonly part: number;
  readonly element?: Element | undefined;
}

/** The deliveries that `whole`, at the position `part`, becomes or is followed by, in their order. */
export function partsOf(whole: Delivery, part: number, parts: readonly Part[]): readonly NewPart[] {
  const unsent = {
    ...whole,
    state: 'pending',
    attempts: 0,
    since: undefined,
    attemptedAt: undefined,
    lostAt: undefined,
    giveUpAt: undefined,
    sentAt: undefined,
    settledAt: undefined,
    params: undefined,
    origins: undefined,
    omitted: undefined,
    result: undefined,
    error: undefined,
    withdrawn: undefined,
    resends: undefined,
    message: undefined,
    reason: undefined,
  } as const;
  return parts.map((one, index) => {
    if ('element' in one) {
      const { id, element } = one;
      return { delivery: { ...unsent, id, element: element.key }, part: part + (index + 1) * ROOM, element };
    }
    const { id, params, after } = one;
    const { origins } = whole;
    // It is sent however late: the thread has begun.
    return { delivery: { ...unsent, id, params, origins, after, expiresAt: undefined }, part: part + index + 1 };
  });
}

/**
 * What the parts of a delivery need, and what needs them.
 *
 * An element takes over the needs and the dependents of the whole. A later post of a thread needs the post before it. A delivery that only
 * reads the whole does not wait for later posts, because the result of a thread is the record of its first post.
 */
export function needsOfParts(
  parts: readonly Part[],
  { needs, dependents }: { readonly needs: readonly Need[]; readonly dependents: readonly Need[] },
): readonly Need[] {
  return parts.flatMap((part): readonly Need[] => {
    const { id } = part;
    if ('element' in part) {
      return [...needs.map((need) => ({ ...need, delivery: id })), ...dependents.map((need) => ({ ...need, needed: id }))];
    }
    const waiting = dependents.filter(({ reads, stops }) => !reads || stops);
    return [
      { delivery: id, needed: part.after, reads: true, stops: false },
      ...waiting.map((need) => ({ ...need, needed: id, reads: false })),
    ];
  });
}
