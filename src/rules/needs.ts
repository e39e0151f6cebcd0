import { episodeStepOf, stepOf } from '#src/rules/expression/reads.ts';
import type { Firing, PlannedStep } from './firing.ts';
import type { Step } from './step.ts';

/** A delivery that other deliveries may wait for. */
export interface Needed {
  readonly id: string;
  readonly step: string;
  readonly account: string;
  /** Whether it is a later part of a thread. The result of a thread is the record of its first part. */
  readonly isTail: boolean;
  /** The end of its wait, in milliseconds since 1970, if it is behind a wait and has not begun. */
  readonly waitsUntilMs?: number | undefined;
}

/** A dependency between two deliveries. */
export interface Need {
  readonly delivery: string;
  readonly needed: string;
  /** Whether the delivery reads the result of the needed one. */
  readonly reads: boolean;
  /** Whether the delivery is skipped if the needed one fails. */
  readonly stops: boolean;
}

/** The ids of the steps whose results of earlier firings a firing reads. */
export function episodeReads({ steps }: Pick<Firing, 'steps'>): readonly string[] {
  return [...new Set(steps.flatMap(({ step }) => step.reads.flatMap((name) => episodeStepOf(name) ?? [])))];
}

/**
 * The deliveries of earlier firings that may have the last result of their step and account: the last one that was sent, and later ones that
 * may be sent yet. Takes the newest deliveries first, and returns them in the order of their firings.
 */
export function lastOfEpisode<T extends Pick<Needed, 'step' | 'account'> & { readonly state: string }>(
  newestFirst: readonly T[],
): readonly T[] {
  const sent = new Set<string>();
  const last = newestFirst.filter(({ step, account, state }) => {
    const name = JSON.stringify([step, account]);
    if (sent.has(name)) return false;
    if (state === 'sent') sent.add(name);
    return true;
  });
  return last.toReversed();
}

/**
 * The needs of the steps of a firing: results to read, steps that may stop it, and earlier deliveries of its account in `seen`, except
 * those behind a wait. `earlier` has the deliveries of earlier firings of the episode: see `lastOfEpisode`.
 */
export function needsOf({ steps }: Firing, seen: readonly Needed[], earlier: readonly Needed[] = []): readonly Need[] {
  const named = new Set(steps.map(({ step }) => step.id));
  return steps.flatMap((planned) => {
    const { key, index, account, step } = planned;
    // A step cannot wait for a later step of its list: that result is empty.
    const above = steps.filter((other) => other.index < index);
    const stepsAbove = above.map(toNeeded);
    const candidatesOf = (name: string): readonly Needed[] => {
      if (episodeStepOf(name) !== undefined) return earlier;
      return named.has(stepOf(name)) ? stepsAbove : seen;
    };
    const reads = idsOf(step.reads.flatMap((name) => readBy(name, account, candidatesOf(name))));
    const stops = new Set(above.filter((other) => other.step.onError === 'stop').map((other) => other.key));
    const before = idsOf(seen.filter((other) => other.account === account && other.waitsUntilMs === undefined));
    return [...reads.union(stops).union(before)].map((needed) => ({
      delivery: key,
      needed,
      reads: reads.has(needed),
      stops: stops.has(needed),
    }));
  });
}

/** Until when steps of a firing wait for steps behind a wait in `seen`, by key: they read the result, or need a step that does. */
export function waitsOf(needs: readonly Need[], seen: readonly Needed[]): ReadonlyMap<string, number> {
  const untilMs = new Map(seen.flatMap(({ id, waitsUntilMs }) => (waitsUntilMs === undefined ? [] : [[id, waitsUntilMs] as const])));
  if (untilMs.size === 0) return untilMs;
  // A step needs earlier steps only, and its needs are in the order of the steps.
  for (const { delivery, needed, reads, stops } of needs) {
    const ms = untilMs.get(needed);
    if (ms !== undefined && (reads || stops)) untilMs.set(delivery, Math.max(ms, untilMs.get(delivery) ?? 0));
  }
  return untilMs;
}

/** The ids of these deliveries whose results a step through an account reads. */
export function readsOf(step: Step, account: string, candidates: readonly Needed[]): ReadonlySet<string> {
  return idsOf(step.reads.flatMap((name) => readBy(name, account, candidates)));
}

/** `post` is the result of the first account, `post.own` of the same account, and `post.on.<account>` of the named account. */
function readBy(name: string, account: string, candidates: readonly Needed[]): readonly Needed[] {
  const [id = '', whose, named] = name.split('.');
  const step = episodeStepOf(id) ?? id;
  const results = candidates.filter((other) => other.step === step && !other.isTail);
  const wanted = whose === undefined ? results[0]?.account : whose === 'own' ? account : named;
  return results.filter((other) => other.account === wanted);
}

function toNeeded({ key, index, account, step }: PlannedStep): Needed {
  return { id: key, step: step.id ?? String(index), account, isTail: false };
}

function idsOf(needed: readonly Needed[]): ReadonlySet<string> & Set<string> {
  return new Set(needed.map(({ id }) => id));
}
