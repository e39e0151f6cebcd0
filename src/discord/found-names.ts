import type { Clock } from '#src/clock.ts';
import { within } from './within.ts';

const FRESH_MS = 5 * 60_000;
const RETRY_MS = 10_000;
const MOST_KEPT = 500;
/** How many searches may be under way. */
const MOST_AT_ONCE = 4;
const FEWEST_LETTERS = 2;

/** What a platform finds for some letters. */
export interface Found {
  readonly names: readonly string[];
  /** Whether these are all: then those for more letters are among them. */
  readonly complete: boolean;
}

export interface FoundNamesOptions {
  readonly search: (typed: string) => Promise<Found>;
  readonly clock: Clock;
}

/** What searches found, kept for some minutes: who types the same letters, or goes on typing, causes no further one. */
export interface FoundNames {
  /** Empty where it cannot be had within `patienceMs`; what comes later serves the next letter. */
  find(typed: string, patienceMs: number): Promise<readonly string[]>;
}

/** Looks names up while somebody types them. */
export function foundNames({ search, clock }: FoundNamesOptions): FoundNames {
  const kept = new Map<string, Found & { readonly staleAtMs: number }>();
  const running = new Map<string, Promise<void>>();

  function recall(typed: string): readonly string[] | undefined {
    for (let length = typed.length; length >= FEWEST_LETTERS; length--) {
      const one = kept.get(typed.slice(0, length));
      if (!one || one.staleAtMs <= clock.nowMs()) continue;
      if (length === typed.length) return one.names;
      if (one.complete) return one.names.filter((name) => name.toLowerCase().includes(typed));
    }
    return undefined;
  }

  async function look(typed: string): Promise<void> {
    try {
      keep(typed, { ...(await search(typed)), staleAtMs: clock.nowMs() + FRESH_MS });
    } catch {
      // Who typed it is told by the command itself.
      keep(typed, { names: [], complete: false, staleAtMs: clock.nowMs() + RETRY_MS });
    } finally {
      running.delete(typed);
    }
  }

  function keep(typed: string, found: Found & { readonly staleAtMs: number }): void {
    kept.delete(typed);
    kept.set(typed, found);
    const [oldest] = kept.keys();
    if (kept.size > MOST_KEPT && oldest !== undefined) kept.delete(oldest);
  }

  return {
    async find(typed, patienceMs) {
      const known = recall(typed);
      if (known || typed.length < FEWEST_LETTERS || patienceMs <= 0) return known ?? [];
      let looking = running.get(typed);
      if (!looking) {
        if (running.size >= MOST_AT_ONCE) return [];
        looking = look(typed);
        running.set(typed, looking);
      }
      await within(looking, patienceMs, clock);
      return recall(typed) ?? [];
    },
  };
}
