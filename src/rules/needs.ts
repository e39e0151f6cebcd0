import type { Firing, PlannedStep } from './firing.ts';

/** A delivery that others may wait for. */
export interface Needed {
  readonly id: string;
  readonly step: string;
  readonly account: string;
  /** Whether it is a later part of a thread: what a thread gives is the record of its first. */
  readonly isTail: boolean;
}

/** What one delivery waits for. */
export interface Need {
  readonly delivery: string;
  readonly needed: string;
  /** Whether it reads what that one gives. */
  readonly reads: boolean;
  /** Whether it is not done where that one fails. */
  readonly stops: boolean;
}

/** What each step of a firing waits for: the results that it reads, the steps that may stop it, and what its account still does of `seen`. */
export function needsOf({ steps }: Firing, seen: readonly Needed[]): readonly Need[] {
  const named = new Set(steps.map(({ step }) => step.id));
  return steps.flatMap((planned) => {
    const { key, index, account, step } = planned;
    // What comes later in its own list cannot be waited for: it reads as empty.
    const earlier = steps.filter((other) => other.index < index);
    const own = earlier.map(toNeeded);
    const reads = idsOf(step.reads.flatMap((name) => readBy(name, account, named.has(nameOf(name)) ? own : seen)));
    const stops = new Set(earlier.filter((other) => other.step.onError === 'stop').map((other) => other.key));
    const before = idsOf(seen.filter((other) => other.account === account));
    return [...reads.union(stops).union(before)].map((needed) => ({
      delivery: key,
      needed,
      reads: reads.has(needed),
      stops: stops.has(needed),
    }));
  });
}

/** `post` is what the first account made of the step, `post.own` what the same account did, `post.on.<account>` what that one did. */
function readBy(name: string, account: string, candidates: readonly Needed[]): readonly Needed[] {
  const [step, whose, named] = name.split('.');
  const results = candidates.filter((other) => other.step === step && !other.isTail);
  const wanted = whose === undefined ? results[0]?.account : whose === 'own' ? account : named;
  return results.filter((other) => other.account === wanted);
}

function nameOf(name: string): string | undefined {
  return name.split('.')[0];
}

function toNeeded({ key, index, account, step }: PlannedStep): Needed {
  return { id: key, step: step.id ?? String(index), account, isTail: false };
}

function idsOf(needed: readonly Needed[]): ReadonlySet<string> & Set<string> {
  return new Set(needed.map(({ id }) => id));
}
