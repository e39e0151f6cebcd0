import type { Firing, PlannedStep } from '#src/rules/firing.ts';
import { toFlag } from './columns.ts';
import type { Flag } from './tables.ts';

/** A delivery that others may wait for. */
export interface Needed {
  readonly id: string;
  readonly step: string;
  readonly account: string;
}

/** What each step of a firing waits for: the results that it reads, and what its account still does of `seen`. */
export function needsOf({ steps }: Firing, seen: readonly Needed[]): readonly { delivery: string; needed: string; reads: Flag }[] {
  const named = new Set(steps.map(({ step }) => step.id));
  return steps.flatMap((planned) => {
    const { key, index, account, step } = planned;
    // What comes later in its own list cannot be waited for: it reads as empty.
    const own = steps.filter((other) => other.index < index).map(toNeeded);
    const read = step.reads.flatMap((name) => readBy(name, account, named.has(nameOf(name)) ? own : seen));
    const before = seen.filter((other) => other.account === account);
    const reads = new Set(read.map(({ id }) => id));
    const all = new Set([...reads, ...before.map(({ id }) => id)]);
    return [...all].map((needed) => ({ delivery: key, needed, reads: toFlag(reads.has(needed)) }));
  });
}

/** `post` is what the first account made of the step, `post.own` what the same account did, `post.on.<account>` what that one did. */
function readBy(name: string, account: string, candidates: readonly Needed[]): readonly Needed[] {
  const [step, whose, named] = name.split('.');
  const results = candidates.filter((other) => other.step === step);
  if (whose === undefined) return results.slice(0, 1);
  const wanted = whose === 'own' ? account : named;
  return results.filter((other) => other.account === wanted);
}

function nameOf(name: string): string | undefined {
  return name.split('.')[0];
}

function toNeeded({ key, index, account, step }: PlannedStep): Needed {
  return { id: key, step: step.id ?? String(index), account };
}
