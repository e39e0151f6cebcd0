import type { DiscordPlatform } from '#adapters/discord/index.ts';
import type { Clock } from '#src/clock.ts';
import type { Log } from '#src/log.ts';
import type { Problem } from '#src/rules/problem.ts';
import type { Rule } from '#src/rules/rule.ts';
import { channelWishes, type AccountWish } from './channel-wishes.ts';

/** Nobody tells that a permission was taken away: it is looked at so often. */
const EVERY_MS = 30 * 60_000;
/** Rules that were just edited are edited again. */
const SOON_MS = 2_000;

export interface ChannelChecksOptions {
  readonly servers: readonly Pick<DiscordPlatform, 'account' | 'examine'>[];
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
  problemsOf(rule: Rule): readonly Problem[];
}

/** Checks that were never made yet. */
export function createChannelChecks({ servers, rules, onChange, clock, log }: ChannelChecksOptions): ChannelChecks {
  let known: ReadonlyMap<string, string> = new Map();
  let changed = Promise.withResolvers<void>();

  /** What is wrong with a wish; where nobody can tell at this moment, what was said last. */
  async function examine(wish: AccountWish, signal: AbortSignal | undefined): Promise<string | undefined> {
    const server = servers.find(({ account }) => account === wish.account);
    try {
      return await server?.examine(wish, signal);
    } catch (error) {
      signal?.throwIfAborted();
      log.debug({ account: wish.account, channel: wish.channel, error }, 'a channel could not be looked at');
      return known.get(keyOf(wish));
    }
  }

  async function look(signal?: AbortSignal): Promise<void> {
    const wishes = new Map(
      rules()
        .flatMap(channelWishes)
        .map((wish) => [keyOf(wish), wish]),
    );
    const found = new Map<string, string>();
    // One after the other: nobody waits for it.
    for (const [key, wish] of wishes) {
      const problem = await examine(wish, signal);
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
      const problems = new Set(channelWishes(rule).flatMap((wish) => known.get(keyOf(wish)) ?? []));
      return [...problems].map((message) => ({ severity: 'warning', file: rule.file, line: 1, column: 1, path: '', message, excerpt: '' }));
    },
  };
}

function keyOf({ account, channel, thread, needs, tags, writes }: AccountWish): string {
  return JSON.stringify([account, channel, thread, needs, tags, writes]);
}
