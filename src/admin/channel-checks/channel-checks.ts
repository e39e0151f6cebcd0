import { isDeepStrictEqual } from 'node:util';
import type { Clock } from '#src/clock.ts';
import { Alarm } from '#src/engine/alarm.ts';
import { PlatformError, type Fault } from '#src/errors.ts';
import type { Log } from '#src/log.ts';
import { CHANNEL_CODE, type Diagnostic } from '#src/rules/diagnostic.ts';
import { NO_LISTS, type Lists, type ListSource } from '#src/rules/lists.ts';
import type { ChannelPosition, Rule } from '#src/rules/rule.ts';
import { requirementsOf, type Requirement } from './required-permissions.ts';

/** Discord does not report changed permissions, so Fanfare checks them at this interval. */
const INTERVAL_MS = 30 * 60_000;
/** The delay after a reload, because several edits often follow each other. */
const RELOAD_DELAY_MS = 2_000;
/** The shortest time between two checks because of deliveries or lists. */
const EVENT_PAUSE_MS = 60_000;
/** The delay until a server that could not be read is read again: until then, its account counts as failed. */
const RETRY_DELAY_MS = 60_000;
/** Faults of deliveries that a changed channel, role or permission explains. */
const OF_TARGETS: ReadonlySet<string> = new Set<Fault>(['forbidden', 'missing', 'rejected']);

const START_OF_FILE: ChannelPosition = { line: 1, column: 1 };

/** A Discord server whose permissions can be checked. */
interface CheckedServer {
  readonly account: string;
  /** What is missing, as a sentence; undefined if nothing is missing. */
  readonly examine: (requirement: Requirement, signal?: AbortSignal) => Promise<string | undefined>;
  /** Throws if the bot is not in the server. */
  readonly findServer: (signal?: AbortSignal) => Promise<void>;
}

/** A delivery of a rule in a new state. */
interface EndedDelivery {
  readonly rule: string;
  /** The verb, for example `discord.send`. */
  readonly do: string;
  readonly state: string;
  readonly error?: { readonly fault: string } | undefined;
}

export interface ChannelChecksOptions {
  readonly servers: readonly CheckedServer[];
  /** The running rules. */
  readonly rules: () => readonly Rule[];
  /** The lists whose entries can name channels. */
  readonly lists: ListSource;
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
  /** Checks soon, at most once a minute, if a change of the lists names other channels. Members of many servers change entries that are not checked. */
  readonly changed: (event: { readonly kind: string }) => void;
  /** Checks soon if the outcome of a delivery contradicts the last check. */
  readonly deliveryEnded: (delivery: EndedDelivery) => void;
  /** The warnings of a rule from the last check. */
  readonly diagnosticsOf: (rule: Rule) => readonly Diagnostic[];
}

/** The missing permissions for a requirement, and the rules with this requirement. */
interface Problem {
  readonly message: string;
  readonly rules: readonly string[];
}

/** Creates the checks. The first result exists after the first check. */
export function createChannelChecks({ servers, rules, lists, onChange, clock, log }: ChannelChecksOptions): ChannelChecks {
  let known: ReadonlyMap<string, Problem> = new Map();
  let entries = NO_LISTS;
  let [lastMs, dueMs, retryMs] = [-Infinity, -Infinity, Infinity];
  /** The accounts whose servers could not be read. */
  let unread: ReadonlySet<string> = new Set();
  const changed = new Alarm();

  /** The keys of what the rules need with these lists. */
  function needsWith(named: Lists): ReadonlySet<string> {
    return new Set(rules().flatMap((rule) => requirementsOf(rule, named).map(keyOf)));
  }

  /** What is missing; after a failed request, the result of the last check. */
  async function examine(requirement: Requirement, signal: AbortSignal | undefined): Promise<string | undefined> {
    const server = servers.find(({ account }) => account === requirement.account);
    try {
      const found = await server?.examine(requirement, signal);
      return found !== undefined && 'entry' in requirement ? `${requirement.entry}: ${found}` : found;
    } catch (error) {
      signal?.throwIfAborted();
      log.debug({ ...requirement, error }, 'cannot check the permissions in a channel');
      return known.get(keyOf(requirement))?.message;
    }
  }

  /** Reads servers. Those that do not admit the bot, with the reason, and those that cannot be read. */
  async function findServers(read: ChannelChecksOptions['servers'], signal: AbortSignal | undefined) {
    const closed = new Map<string, string>();
    const failed = new Set<string>();
    for (const { account, findServer } of read) {
      try {
        await findServer(signal);
      } catch (error) {
        signal?.throwIfAborted();
        if (error instanceof PlatformError && error.refusesAccount) closed.set(account, error.message);
        else {
          log.debug({ account, error }, 'cannot check the server of an account');
          failed.add(account);
        }
      }
    }
    return { closed, failed };
  }

  /** Checks all servers, or those of `again` that can be read now. The last result of other servers stays. */
  async function check(signal?: AbortSignal, again?: ReadonlySet<string>): Promise<void> {
    const read = servers.filter(({ account }) => !again || again.has(account));
    const { closed, failed } = await findServers(read, signal);
    unread = failed;
    retryMs = failed.size === 0 ? Infinity : clock.nowMs() + RETRY_DELAY_MS;
    const isRead = (account: string): boolean => !failed.has(account) && read.some((one) => one.account === account);
    entries = await lists.current().catch(() => entries);
    const uses = rules().flatMap((rule) => requirementsOf(rule, entries).map((requirement) => ({ requirement, rule: rule.id })));
    const found = new Map<string, Problem>();
    for (const { account } of servers) {
      const message = closed.get(account) ?? (isRead(account) ? undefined : known.get(account)?.message);
      if (message !== undefined) found.set(account, { message, rules: [] });
    }
    for (const [key, all] of Map.groupBy(uses, ({ requirement }) => keyOf(requirement))) {
      const [{ requirement } = { requirement: undefined }] = all;
      if (!requirement) continue;
      const { account } = requirement;
      const isExamined = !again || isRead(account);
      const message = closed.get(account) ?? (isExamined ? await examine(requirement, signal) : known.get(key)?.message);
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

  /** Waits until the next check is due, which may become earlier. */
  async function pause(signal: AbortSignal): Promise<void> {
    for (;;) {
      const leftMs = Math.min(dueMs, retryMs) - clock.nowMs();
      if (signal.aborted || leftMs <= 0) return;
      await changed.wait(leftMs, { clock, signal });
    }
  }

  function checkAfterEvent(): void {
    checkAt(Math.max(clock.nowMs() + RELOAD_DELAY_MS, lastMs + EVENT_PAUSE_MS));
  }

  function checkAt(atMs: number): void {
    dueMs = Math.min(dueMs, atMs);
    changed.ring();
  }

  async function checkOtherChannels(): Promise<void> {
    const now = await lists.current().catch(() => entries);
    if (!isDeepStrictEqual(needsWith(now), needsWith(entries))) checkAfterEvent();
  }

  return {
    check: (signal) => check(signal),
    rulesChanged: () => checkAt(clock.nowMs() + RELOAD_DELAY_MS),

    changed({ kind }) {
      if (kind === 'lists') void checkOtherChannels();
    },

    deliveryEnded({ rule, do: verb, state, error }) {
      if (!verb.startsWith('discord.')) return;
      const hasProblem = [...known.values()].some(({ rules: affected }) => affected.includes(rule));
      const isSurprise = state === 'sent' ? hasProblem : state === 'failed' && error && OF_TARGETS.has(error.fault) && !hasProblem;
      if (isSurprise) checkAfterEvent();
    },

    async run(signal) {
      while (!signal.aborted && servers.length > 0) {
        const again = clock.nowMs() < dueMs ? unread : undefined;
        if (!again) {
          lastMs = clock.nowMs();
          dueMs = lastMs + INTERVAL_MS;
        }
        retryMs = Infinity;
        await check(signal, again).catch(
          (error: unknown) => signal.aborted || log.error({ error }, 'cannot check the channels of the rules'),
        );
        await pause(signal);
      }
    },

    diagnosticsOf(rule) {
      if (known.size === 0) return [];
      const found = new Map<string, ChannelPosition>();
      for (const requirement of requirementsOf(rule, entries)) {
        const message = known.get(keyOf(requirement))?.message;
        if (message !== undefined && !found.has(message)) found.set(message, requirement.at ?? START_OF_FILE);
      }
      return [...found].map(([message, { line, column }]) => ({
        severity: 'warning',
        code: CHANNEL_CODE,
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

function keyOf(requirement: Requirement): string {
  if ('role' in requirement) return JSON.stringify([requirement.account, 'role', requirement.role]);
  if ('membersOf' in requirement) return JSON.stringify([requirement.account, 'members', requirement.membersOf, requirement.readsStatus]);
  // The problem of an entry names the entry, so a rule that names the same channel has another problem.
  const { account, channel, entry, thread, needs, tags, mentions, writes, question } = requirement;
  return JSON.stringify([account, channel, entry, thread, needs, tags, mentions, writes, question]);
}
