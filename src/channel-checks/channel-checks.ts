import type { Clock } from '#src/clock.ts';
import type { Log } from '#src/log.ts';
import type { Diagnostic } from '#src/rules/diagnostic.ts';
import type { ChannelPosition, Rule } from '#src/rules/rule.ts';
import { requirementsOf, type ChannelRequirement } from './required-permissions.ts';

/** Discord does not report changed permissions, so Fanfare checks them at this interval. */
const INTERVAL_MS = 30 * 60_000;
/** The delay after a reload, because several edits often follow each other. */
const RELOAD_DELAY_MS = 2_000;

const START_OF_FILE: ChannelPosition = { line: 1, column: 1 };

/** A Discord server whose permissions can be checked. */
interface CheckedServer {
  readonly account: string;
  /** The missing permissions in a channel, as a sentence; undefined if nothing is missing. */
  readonly examine: (requirement: ChannelRequirement, signal?: AbortSignal) => Promise<string | undefined>;
}

export interface ChannelChecksOptions {
  readonly servers: readonly CheckedServer[];
  /** The running rules. */
  readonly rules: () => readonly Rule[];
  /** Called when the missing permissions change. */
  readonly onChange: () => void;
  readonly clock: Clock;
  readonly log: Log;
}

/**
 * Checks the Discord channels and roles of the rules, the permissions of the bot, and whether everyone sees a question. Problems are warnings;
 * the rules still run.
 */
export interface ChannelChecks {
  /** Checks now, at an interval and after `rulesChanged`, until `signal` aborts. */
  run(signal: AbortSignal): Promise<void>;
  /** Checks once. */
  check(signal?: AbortSignal): Promise<void>;
  rulesChanged(): void;
  /** The warnings of a rule from the last check. */
  diagnosticsOf(rule: Rule): readonly Diagnostic[];
}

/** The missing permissions for a requirement, and the rules with this requirement. */
interface Problem {
  readonly message: string;
  readonly rules: readonly string[];
}

/** Creates the checks. The first result exists after the first check. */
export function createChannelChecks({ servers, rules, onChange, clock, log }: ChannelChecksOptions): ChannelChecks {
  let known: ReadonlyMap<string, Problem> = new Map();
  let changed = Promise.withResolvers<void>();

  /** The missing permissions; after a failed request, those of the last check. */
  async function examine(requirement: ChannelRequirement, signal: AbortSignal | undefined): Promise<string | undefined> {
    const server = servers.find(({ account }) => account === requirement.account);
    try {
      return await server?.examine(requirement, signal);
    } catch (error) {
      signal?.throwIfAborted();
      log.debug({ account: requirement.account, channel: requirement.channel, error }, 'cannot check the permissions in a channel');
      return known.get(keyOf(requirement))?.message;
    }
  }

  async function check(signal?: AbortSignal): Promise<void> {
    const uses = rules().flatMap((rule) => requirementsOf(rule).map((requirement) => ({ requirement, rule: rule.id })));
    const found = new Map<string, Problem>();
    for (const [key, all] of Map.groupBy(uses, ({ requirement }) => keyOf(requirement))) {
      const message = all[0] && (await examine(all[0].requirement, signal));
      if (message !== undefined) found.set(key, { message, rules: all.map(({ rule }) => rule) });
    }
    update(found);
  }

  function update(found: ReadonlyMap<string, Problem>): void {
    const [before, now] = [rulesByMessage(known), rulesByMessage(found)];
    for (const [message, affected] of now) if (!before.has(message)) log.warn({ rules: affected }, message);
    for (const [message, affected] of before) if (!now.has(message)) log.info({ rules: affected }, `fixed: ${message}`);
    const isChanged = found.size !== known.size || [...found].some(([key, { message }]) => known.get(key)?.message !== message);
    known = found;
    if (isChanged) onChange();
  }

  async function pause(ms: number, signal: AbortSignal): Promise<void> {
    const over = new AbortController();
    const sleep = clock.sleep(ms, AbortSignal.any([signal, over.signal])).catch(() => undefined);
    await Promise.race([sleep, changed.promise]);
    over.abort();
    await sleep;
  }

  return {
    check,
    rulesChanged: () => changed.resolve(),

    async run(signal) {
      while (!signal.aborted && servers.length > 0) {
        changed = Promise.withResolvers();
        await check(signal).catch((error: unknown) => signal.aborted || log.error({ error }, 'cannot check the channels of the rules'));
        await pause(INTERVAL_MS, signal);
        if (!signal.aborted) await clock.sleep(RELOAD_DELAY_MS, signal).catch(() => undefined);
      }
    },

    diagnosticsOf(rule) {
      const found = new Map<string, ChannelPosition>();
      for (const requirement of requirementsOf(rule)) {
        const message = known.get(keyOf(requirement))?.message;
        if (message !== undefined && !found.has(message)) found.set(message, requirement.at ?? START_OF_FILE);
      }
      return [...found].map(([message, { line, column }]) => ({
        severity: 'warning',
        code: 'channel',
        file: rule.file,
        line,
        column,
        path: '',
        message,
        excerpt: '',
      }));
    },
  };
}

/** The ids of the affected rules by message, because several requirements may have the same message. */
function rulesByMessage(problems: ReadonlyMap<string, Problem>): ReadonlyMap<string, readonly string[]> {
  const groups = Map.groupBy(problems.values(), ({ message }) => message);
  return new Map([...groups].map(([message, all]) => [message, [...new Set(all.flatMap(({ rules }) => rules))]]));
}

function keyOf({ account, channel, thread, needs, tags, mentions, writes, question }: ChannelRequirement): string {
  return JSON.stringify([account, channel, thread, needs, tags, mentions, writes, question]);
}
