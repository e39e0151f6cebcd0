import type { Clock } from '#src/clock.ts';
import { within } from './within.ts';

const FRESH_MS = 60_000;
const RETRY_MS = 10_000;
/** Discord waits three seconds for suggestions. */
const PATIENCE_MS = 2_000;

export interface SuggestionsOptions {
  /** All that can be suggested, the likeliest first. */
  readonly load: () => Promise<readonly string[]>;
  readonly clock: Clock;
}

/** What somebody who types may mean. */
export interface Suggestions {
  /** Those that hold what was typed, the ones that begin with it first; none where they cannot be had in time. */
  find(typed: string): Promise<readonly string[]>;
}

/** Suggests out of what `load` gives, which is asked for once a minute at the most. */
export function suggestions({ load, clock }: SuggestionsOptions): Suggestions {
  let known: readonly string[] = [];
  let staleAtMs = -Infinity;
  let loading: Promise<void> | undefined;

  async function refresh(): Promise<void> {
    try {
      known = await load();
      staleAtMs = clock.nowMs() + FRESH_MS;
    } catch {
      // What was typed can be chosen anyway, and then the command tells what is wrong.
      staleAtMs = clock.nowMs() + RETRY_MS;
    } finally {
      loading = undefined;
    }
  }

  return {
    async find(typed) {
      if (clock.nowMs() >= staleAtMs) {
        loading ??= refresh();
        await within(loading, PATIENCE_MS, clock);
      }
      const wanted = typed.toLowerCase();
      const fitting = known.filter((name) => name.toLowerCase().includes(wanted));
      const begins = (name: string): boolean => name.toLowerCase().startsWith(wanted);
      return [...fitting.filter(begins), ...fitting.filter((name) => !begins(name))];
    },
  };
}
