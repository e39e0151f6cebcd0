import type { Clock } from '#src/clock.ts';
import type { Log } from '#src/log.ts';
import type { Diagnostic } from '#src/rules/diagnostic.ts';
import type { Rule } from '#src/rules/rule.ts';
import { requirementsOf, type ChannelRequirement } from './required-permissions.ts';

/** Nobody tells that a permission was taken away: it is looked at so often. */
const EVERY_MS = 30 * 60_000;
/** Rules that were just edited are edited again. */
const SOON_MS = 2_000;

/** A Discord server that can be examined. */
interface ExaminedServer {
  readonly account: string;
  /** The missing permissions in a channel, as a sentence; undefined if nothing is missing. */
  readonly examine: (requirement: ChannelRequirement, signal?: AbortSignal) => Promise<string | undefined>;
}

export interface ChannelChecksOptions {
  readonly servers: readonly ExaminedServer[];
  /** The rules that are on. */
  readonly rules: () => readonly Rule[];
  /** Told when something else is wrong than before. */
  readonly onChange: () => void;
  readonly clock: Clock;
  readonly log: Log;
}

/** Whether the bot may do in Discord's channels what rules want to do there. What it says is a warning: nothing is stopped by it. */
export interface ChannelChecks {
  /** Looks now, now and then, and when `rulesChanged` says so, until `signal`. */
  run(signal: AbortSignal): Promise<void>;
  /** Looks once. */
  look(signal?: AbortSignal): Promise<void>;
  rulesChanged(): void;
  /** What is wrong for a rule, as it was seen last. */
  problemsOf(rule: Rule): readonly Diagnostic[];
}

/** Checks that were never made yet. */
export function createChannelChecks({ servers, rules, onChange, clock, log }: ChannelChecksOptions): ChannelChecks {
  let known: ReadonlyMap<string, string> = new Map();
  let changed = Promise.withResolvers<void>();

  /** What is wrong with a requirement; where nobody can tell at this moment, what was said last. */
  async function examine(requirement: ChannelRequirement, signal: AbortSignal | undefined): Promise<string | undefined> {
    const server = servers.find(({ account }) => account === requirement.account);
    try {
      return await server?.examine(requirement, signal);
    } catch (error) {
      signal?.throwIfAborted();
      log.debug({ account: requirement.account, channel: requirement.channel, error }, 'a channel could not be looked at');
      return known.get(keyOf(requirement));
    }
  }

  async function look(signal?: AbortSignal): Promise<void> {
    const requirements = new Map(
      rules()
        .flatMap(requirementsOf)
        .map((requirement) => [keyOf(requirement), requirement]),
    );
    const found = new Map<string, string>();
    // One after the other: nobody waits for it.
    for (const [key, requirement] of requirements) {
      const problem = await examine(requirement, signal);
      if (problem !== undefined) found.set(key, problem);
    }
    tell(found);
  }

  function tell(found: ReadonlyMap<string, string>): void {
    const before = new Set(known.values());
    const now = new Set(found.values());
    for (const problem of now)
      if (!before.has(problem)) log.warn({}, `${problem} Rules want to do that; they go on, and it is tried each time.`);
    for (const problem of before) if (!now.has(problem)) log.info({}, `no longer so: ${problem}`);
    const isOther = found.size !== known.size || [...found].some(([key, problem]) => known.get(key) !== problem);
    known = found;
    if (isOther) onChange();
  }

  async function pause(ms: number, signal: AbortSignal): Promise<void> {
    const over = new AbortController();
    const sleep = clock.sleep(ms, AbortSignal.any([signal, over.signal])).catch(() => undefined);
    await Promise.race([sleep, changed.promise]);
    over.abort();
    await sleep;
  }

  return {
    look,
    rulesChanged: () => changed.resolve(),

    async run(signal) {
      while (!signal.aborted && servers.length > 0) {
        changed = Promise.withResolvers();
        await look(signal).catch(
          (error: unknown) => signal.aborted || log.error({ error }, 'the channels of rules could not be looked at'),
        );
        await pause(EVERY_MS, signal);
        if (!signal.aborted) await clock.sleep(SOON_MS, signal).catch(() => undefined);
      }
    },

    problemsOf(rule) {
      const problems = new Set(requirementsOf(rule).flatMap((requirement) => known.get(keyOf(requirement)) ?? []));
      return [...problems].map((message) => ({
        severity: 'warning',
        code: 'channel',
        file: rule.file,
        line: 1,
        column: 1,
        path: '',
        message,
        excerpt: '',
      }));
    },
  };
}

function keyOf({ account, channel, thread, needs, tags, writes }: ChannelRequirement): string {
  return JSON.stringify([account, channel, thread, needs, tags, writes]);
}
