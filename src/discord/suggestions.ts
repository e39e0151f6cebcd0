import { settlesWithin, type Clock } from '#src/clock.ts';
import { countUses } from './count-uses.ts';

const RESULTS_FRESH_MS = 5 * 60_000;
const RETRY_MS = 10_000;
const MOST_KEPT = 500;
/** The maximum number of concurrent searches. */
const MOST_AT_ONCE = 4;
/** More would take the rate limit of the account from the polls of rules: some platforms allow 60 requests a minute. */
const MOST_IN_MINUTE = 40;
const MIN_TYPED_LENGTH = 2;

/** The names that a platform finds for a typed text. */
interface NameSearchResult {
  readonly names: readonly string[];
  /** Whether these are all names. Then they include the names for longer texts. */
  readonly complete: boolean;
}

interface NameSearchOptions {
  readonly search: (typed: string) => Promise<NameSearchResult>;
  readonly clock: Clock;
}

/** Searches names while users type. Results are cached for some minutes. */
interface NameSearch {
  /** Empty if the search takes longer than `patienceMs`. A later result serves the next letter. */
  find(typed: string, patienceMs: number): Promise<readonly string[]>;
}

function createNameSearch({ search, clock }: NameSearchOptions): NameSearch {
  const kept = new Map<string, NameSearchResult & { readonly staleAtMs: number }>();
  const running = new Map<string, Promise<void>>();
  const countSearch = countUses({ most: MOST_IN_MINUTE, clock });

  function recall(typed: string): readonly string[] | undefined {
    for (let length = typed.length; length >= MIN_TYPED_LENGTH; length--) {
      const one = kept.get(typed.slice(0, length));
      if (!one || one.staleAtMs <= clock.nowMs()) continue;
      if (length === typed.length) return one.names;
      if (one.complete) return one.names.filter((name) => name.toLowerCase().includes(typed));
    }
    return undefined;
  }

  async function runSearch(typed: string): Promise<void> {
    try {
      keep(typed, { ...(await search(typed)), staleAtMs: clock.nowMs() + RESULTS_FRESH_MS });
    } catch {
      // The command reports the failure when the user runs it.
      keep(typed, { names: [], complete: false, staleAtMs: clock.nowMs() + RETRY_MS });
    } finally {
      running.delete(typed);
    }
  }

  function keep(typed: string, found: NameSearchResult & { readonly staleAtMs: number }): void {
    kept.delete(typed);
    kept.set(typed, found);
    const [oldest] = kept.keys();
    if (kept.size > MOST_KEPT && oldest !== undefined) kept.delete(oldest);
  }

  return {
    async find(typed, patienceMs) {
      const known = recall(typed);
      if (known || typed.length < MIN_TYPED_LENGTH || patienceMs <= 0) return known ?? [];
      let started = running.get(typed);
      if (!started) {
        if (running.size >= MOST_AT_ONCE || countSearch('all') !== undefined) return [];
        started = runSearch(typed);
        running.set(typed, started);
      }
      await settlesWithin(started, patienceMs, clock);
      return recall(typed) ?? [];
    },
  };
}

const FRESH_MS = 60_000;
/** Discord waits three seconds for suggestions. */
const PATIENCE_MS = 2_000;
/** With this many known names, the platform is not searched. */
const ENOUGH = 10;

export interface SuggestionsOptions {
  /** Names without a search, the most likely first; absent: none. */
  readonly load?: (() => Promise<readonly string[]>) | undefined;
  /** Searches the platform. */
  readonly search?: ((typed: string) => Promise<NameSearchResult>) | undefined;
  readonly clock: Clock;
}

/** Suggests names while a user types. */
interface Suggestions {
  /** The known names that contain the text, first those that start with it, and then results of the platform. Empty after the time limit. */
  find(typed: string): Promise<readonly string[]>;
}

/** Suggests the names of `load`, which are cached for a minute. If only a few match, also suggests the results of `search`. */
export function suggestions({ load = async () => [], search, clock }: SuggestionsOptions): Suggestions {
  const found = search && createNameSearch({ search, clock });
  let known: readonly string[] = [];
  let staleAtMs = -Infinity;
  let loading: Promise<void> | undefined;

  async function refresh(): Promise<void> {
    try {
      known = await load();
      staleAtMs = clock.nowMs() + FRESH_MS;
    } catch {
      // The command reports the failure when the user runs it.
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
        await settlesWithin(loading, PATIENCE_MS, clock);
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
