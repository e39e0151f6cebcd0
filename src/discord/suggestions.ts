import type { Clock } from '#src/clock.ts';
import { foundNames, type Found } from './found-names.ts';
import { within } from './within.ts';

const FRESH_MS = 60_000;
const RETRY_MS = 10_000;
/** Discord waits three seconds for suggestions. */
const PATIENCE_MS = 2_000;
/** Where so many known ones fit, the platform is not asked for more. */
const ENOUGH = 10;

export interface SuggestionsOptions {
  /** All that can be suggested without a search, the likeliest first. */
  readonly load: () => Promise<readonly string[]>;
  /** What the platform finds for what is typed. */
  readonly search?: ((typed: string) => Promise<Found>) | undefined;
  readonly clock: Clock;
}

/** What somebody who types may mean. */
export interface Suggestions {
  /** Those that hold what was typed, the ones that begin with it first, and what the platform finds; none where they cannot be had in time. */
  find(typed: string): Promise<readonly string[]>;
}

/** Suggests out of what `load` gives, which is asked for once a minute at the most, and where that is little, out of what `search` finds. */
export function suggestions({ load, search, clock }: SuggestionsOptions): Suggestions {
  const found = search && foundNames({ search, clock });
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
      const endMs = clock.nowMs() + PATIENCE_MS;
      if (clock.nowMs() >= staleAtMs) {
        loading ??= refresh();
        await within(loading, PATIENCE_MS, clock);
      }
      const wanted = typed.trim().toLowerCase();
      const fitting = ranked(known, wanted);
      if (!found || fitting.length >= ENOUGH) return fitting;
      const more = await found.find(wanted, endMs - clock.nowMs());
      return [...new Set([...ranked([...new Set([...fitting, ...more])], wanted), ...more])];
    },
  };
}

function ranked(names: readonly string[], wanted: string): readonly string[] {
  const fitting = names.filter((name) => name.toLowerCase().includes(wanted));
  const begins = (name: string): boolean => name.toLowerCase().startsWith(wanted);
  return [...fitting.filter(begins), ...fitting.filter((name) => !begins(name))];
}
