/** A step of a firing, with everything that decides about its order. */
export interface ModelStep {
  readonly id: string;
  readonly as: readonly string[];
  /** Names of results: `post`, `post.own`, `post.on.x`. */
  readonly reads: readonly string[];
  /** `onError: stop`. */
  readonly stops: boolean;
  /** The end of the `wait` above it, counted from the firing. */
  readonly afterMs?: number | undefined;
  readonly maxAgeMs?: number | undefined;
}

export interface ModelFiring {
  readonly id: string;
  readonly queue: string;
  readonly steps: readonly ModelStep[];
  /** The ids of earlier firings whose results it can read. */
  readonly sees: readonly string[];
}

/** The reason why a delivery needs another one: to read its result, to stop if it fails, or only to follow it. */
interface Use {
  readonly reads: boolean;
  readonly stops: boolean;
}

/** A delivery of the model. The change of a test sets its state. */
export interface ModelDelivery {
  readonly id: string;
  readonly firing: string;
  readonly queue: string;
  readonly account: string;
  readonly step: string;
  /** Whether it is a later post of a thread. */
  readonly isTail: boolean;
  readonly needs: Map<ModelDelivery, Use>;
  readonly waitEndMs?: number | undefined;
  readonly expiresMs?: number | undefined;
  readonly maxAgeMs?: number | undefined;
  state: 'pending' | 'sending' | 'asked' | 'sent' | 'failed' | 'unknown' | 'skipped';
  dueMs: number;
  isBegun: boolean;
  settledMs?: number | undefined;
}

/**
 * The order of deliveries, as docs/explanation/steps.md describes it. It shares no code with the program: all deliveries are in one list,
 * in the order in which they are sent if nothing delays them, and each question is answered by a walk through this list.
 */
export class OrderingModel {
  readonly all: ModelDelivery[] = [];

  /** Adds the deliveries of a firing. `ids` are theirs, step by step and account by account. */
  commit({ id: firing, queue, steps, sees }: ModelFiring, ids: readonly string[], nowMs: number): void {
    const seen = this.all.filter((one) => sees.includes(one.firing));
    const steppedBy = new Map<ModelDelivery, ModelStep>();
    const heldUntil = new Map(seen.map((one) => [one, isBehindWait(one) ? (one.waitEndMs ?? 0) : 0]));
    for (const step of steps) {
      const earlier = new Map(steppedBy);
      for (const account of step.as) {
        const needs = needsOf(step, account, { seen, earlier, isOwn: (name) => steps.some(({ id }) => id === name) });
        // A step that reads a step behind a `wait` of an earlier firing, directly or through others, runs after that `wait`.
        const waits = [...needs].map(([one, { reads, stops }]) => (reads || stops ? (heldUntil.get(one) ?? 0) : 0));
        const heldUntilMs = Math.max(0, ...waits);
        const plannedMs = nowMs + (step.afterMs ?? 0);
        const beginMs = Math.max(plannedMs, heldUntilMs);
        const delivery: ModelDelivery = {
          id: ids[steppedBy.size] ?? '',
          firing,
          queue,
          account,
          step: step.id,
          isTail: false,
          needs,
          waitEndMs: beginMs === nowMs ? undefined : beginMs,
          expiresMs: step.maxAgeMs === undefined ? undefined : plannedMs + step.maxAgeMs,
          maxAgeMs: step.maxAgeMs,
          state: 'pending',
          dueMs: beginMs,
          isBegun: false,
        };
        steppedBy.set(delivery, step);
        heldUntil.set(delivery, heldUntilMs);
      }
    }
    this.all.push(...steppedBy.keys());
  }

  /** Replaces a delivery by one for each element of its list: they take its position and its dependencies in both directions. */
  addElements(whole: ModelDelivery, ids: readonly string[]): void {
    const elements = ids.map((id): ModelDelivery => ({ ...whole, id, needs: new Map(whole.needs), state: 'pending', isBegun: false }));
    this.#insertAfter(whole, elements);
    for (const [one, use] of this.#dependents(whole)) for (const element of elements) one.needs.set(element, use);
  }

  /** Adds the later posts of a thread. Deliveries that only read the thread read its first post. */
  addTails(head: ModelDelivery, ids: readonly string[]): void {
    const dependents = this.#dependents(head).filter(([, { reads, stops }]) => !reads || stops);
    const tails: ModelDelivery[] = [];
    for (const id of ids) {
      const needs = new Map([[tails.at(-1) ?? head, { reads: true, stops: false }]]);
      tails.push({ ...head, id, needs, isTail: true, state: 'pending', isBegun: false, expiresMs: undefined, settledMs: undefined });
    }
    this.#insertAfter(head, tails);
    for (const [one, { stops }] of dependents) for (const tail of tails) one.needs.set(tail, { reads: false, stops });
  }

  /** The deliveries of an account that may be attempted now: first begun ones, then the others in order. */
  due(account: string, nowMs: number): readonly ModelDelivery[] {
    const forOperator = this.#waiting('unknown');
    const forPerson = this.#waiting('asked');
    const now = this.all.filter((one) => one.account === account && isOpen(one) && one.dueMs <= nowMs);
    // Of each queue, the first delivery that is under way or may be sent holds up all later ones.
    const holders = new Map<string, ModelDelivery>();
    for (const one of this.all) {
      const isUnderWay = one.state === 'pending' || one.state === 'sending';
      const isInWait = one.waitEndMs !== undefined && one.waitEndMs > nowMs;
      const isHolder = one.account === account && isUnderWay && !isInWait && !forOperator.has(one) && !forPerson.has(one);
      if (isHolder && !holders.has(one.queue)) holders.set(one.queue, one);
    }
    const isBehindHolder = (one: ModelDelivery): boolean => {
      const holder = holders.get(one.queue);
      return holder !== undefined && this.all.indexOf(holder) < this.all.indexOf(one);
    };
    const mayBeSent = (one: ModelDelivery): boolean =>
      !isBehindHolder(one) && [...one.needs].every(([needed, use]) => isMet(needed, use, forOperator));
    const isDue = (one: ModelDelivery): boolean => one.state === 'asked' || isTooLate(one, nowMs) || mayBeSent(one);
    return [...now.filter(({ state }) => state === 'sending'), ...now.filter((one) => one.state !== 'sending' && isDue(one))];
  }

  /** The delivery with this id, if its account has no open delivery before it. */
  alone(id: string): ModelDelivery | undefined {
    const index = this.all.findIndex((one) => one.id === id);
    const one = this.all[index];
    const isBefore = (other: ModelDelivery, position: number): boolean =>
      position < index && other.account === one?.account && isOpen(other);
    return this.all.some(isBefore) ? undefined : one;
  }

  /** When the next delivery of an account is due that waits for its time. */
  nextDueMs(account: string, nowMs: number): number | undefined {
    const later = this.all.filter((one) => one.account === account && isOpen(one) && one.dueMs > nowMs);
    return later.length === 0 ? undefined : Math.min(...later.map(({ dueMs }) => dueMs));
  }

  /** The open deliveries that wait for a resolution or an answer: they read it, or need a delivery that waits. */
  #waiting(state: 'unknown' | 'asked'): ReadonlySet<ModelDelivery> {
    const waiting = new Set<ModelDelivery>();
    const isWaiting = (needed: ModelDelivery, { reads, stops }: Use): boolean =>
      (reads && needed.state === state) || (waiting.has(needed) && (state === 'asked' || reads || stops));
    for (let size = -1; size < waiting.size;) {
      size = waiting.size;
      for (const one of this.all) if (isOpen(one) && [...one.needs].some(([needed, use]) => isWaiting(needed, use))) waiting.add(one);
    }
    return waiting;
  }

  #dependents(needed: ModelDelivery): readonly (readonly [ModelDelivery, Use])[] {
    return this.all.flatMap((one) => {
      const use = one.needs.get(needed);
      return use ? [[one, use] as const] : [];
    });
  }

  #insertAfter(one: ModelDelivery, more: readonly ModelDelivery[]): void {
    this.all.splice(this.all.indexOf(one) + 1, 0, ...more);
  }
}

interface Earlier {
  readonly seen: readonly ModelDelivery[];
  /** The deliveries of the earlier steps of its firing. */
  readonly earlier: ReadonlyMap<ModelDelivery, ModelStep>;
  /** Whether a step of its firing has this name. */
  readonly isOwn: (name: string) => boolean;
}

function needsOf(step: ModelStep, account: string, { seen, earlier, isOwn }: Earlier): Map<ModelDelivery, Use> {
  const needs = new Map<ModelDelivery, Use>();
  const need = (one: ModelDelivery, use: Partial<Use> = {}): void => {
    needs.set(one, { reads: false, stops: false, ...needs.get(one), ...use });
  };
  for (const one of seen) if (one.account === account && !isBehindWait(one)) need(one);
  for (const [one, { stops }] of earlier) if (stops) need(one, { stops });
  for (const name of step.reads) {
    const [of = '', whose, named] = name.split('.');
    const results = (isOwn(of) ? [...earlier.keys()] : seen).filter((one) => one.step === of && !one.isTail);
    const wanted = whose === 'own' ? account : (named ?? results[0]?.account);
    for (const one of results) if (one.account === wanted) need(one, { reads: true });
  }
  return needs;
}

function isOpen({ state }: ModelDelivery): boolean {
  return state === 'pending' || state === 'sending' || state === 'asked';
}

/** Later firings do not wait for steps behind a `wait`, even after its end. */
function isBehindWait({ state, waitEndMs }: ModelDelivery): boolean {
  return state === 'pending' && waitEndMs !== undefined;
}

/** Whether a delivery does not wait for one that it needs. The decision about an unknown delivery may never come. */
function isMet(needed: ModelDelivery, { reads, stops }: Use, forOperator: ReadonlySet<ModelDelivery>): boolean {
  if (reads) return needed.state === 'sent' || needed.state === 'failed' || needed.state === 'skipped';
  if (needed.state !== 'pending' && needed.state !== 'sending') return true;
  return !stops && forOperator.has(needed);
}

/** Whether the time to begin is over. The time in which a delivery waits for results does not count. */
function isTooLate({ isBegun, expiresMs, maxAgeMs = 0, needs }: ModelDelivery, nowMs: number): boolean {
  if (isBegun || expiresMs === undefined) return false;
  const results = [...needs].filter(([, { reads, stops }]) => reads || stops);
  const isWaiting = results.some(([needed, use]) => !isMet(needed, use, new Set()));
  return !isWaiting && Math.max(expiresMs, ...results.map(([{ settledMs = 0 }]) => settledMs + maxAgeMs)) < nowMs;
}
