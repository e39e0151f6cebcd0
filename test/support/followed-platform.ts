import { vi } from 'vitest';
import type { JsonObject } from '#src/clients/operation/json.ts';
import type { Notifier, NotifierStore } from '#src/clients/operation/notifier.ts';
import { createCoverage } from '#src/engine/coverage.ts';
import { createEventBus } from '#src/engine/event-bus.ts';
import { followNotifications } from '#src/engine/follow-notifications.ts';
import type { Hint } from '#src/engine/hints.ts';
import { createWatchedNames } from '#src/engine/watched-names.ts';
import { createLog, type Log } from '#src/log.ts';
import type { Rule } from '#src/rules/rule.ts';
import type { ManualClock } from './manual-clock.ts';
import { makeRule, makeWatched } from './rules.ts';

/** The faults of notifications, without a silent connection. */
export const NOTIFICATION_FAULTS = [
  'lostNotification',
  'repeatedNotification',
  'lateNotification',
  'swappedNotification',
  'forgedNotification',
  'foreignNotification',
] as const;

/** Rules of a social account that poll each hour. */
export function hourlyRules(account: string) {
  return (id: string, operation: string, params: JsonObject = {}): Rule =>
    makeRule({
      id,
      schedule: { everyMs: 3_600_000 },
      watched: makeWatched({ verb: `social.${operation}`, accounts: [account], with: params }),
    });
}

type FollowedAdapter = { readonly account: string; readonly notifier?: Notifier | undefined } & AsyncDisposable;

interface FollowedPlatformOptions<P extends FollowedAdapter> {
  readonly clock: ManualClock;
  readonly store: NotifierStore;
  readonly client: 'streaming' | 'social';
  readonly rules: readonly Rule[];
  /** Opens the adapter with this log. */
  readonly open: (log: Log) => P;
  /** A request to the platform, in which its messages arrive. */
  readonly exchange: () => Promise<unknown>;
}

/** What Fanfare does with the notifications of a platform. */
export function followedPlatform<P extends FollowedAdapter>({
  clock,
  store,
  client,
  rules: first,
  open,
  exchange,
}: FollowedPlatformOptions<P>) {
  const lines: string[] = [];
  const hints: Hint[] = [];
  const times: { readonly atMs: number; readonly hint: Hint }[] = [];
  const notifications: string[] = [];
  const stopping = new AbortController();
  const eventBus = createEventBus();
  const coverage = createCoverage();
  const log = createLog({ level: 'debug', secrets: [], write: (line) => void lines.push(line), color: false });
  let rules = first;
  const platform = open(log);
  const { account, notifier } = platform;
  if (!notifier) throw new Error('the adapter has no notifier');
  const names = createWatchedNames({ account, client, about: notifier, rules: () => rules, eventBus, clock });
  const ended = followNotifications({
    account,
    client,
    notifier,
    names,
    store,
    coverage,
    onHint(hint) {
      hints.push(hint);
      times.push({ atMs: clock.nowMs(), hint });
    },
    onNotification: (_account, kind) => void notifications.push(kind),
    clock,
    log,
    signal: stopping.signal,
  });

  /** Lets time pass. The platform and its client exchange messages in between. */
  async function pass(ms: number): Promise<void> {
    for (let left = ms; left > 0; left -= 2_000) {
      await clock.advance(Math.min(2_000, left));
      await exchange();
      await exchange();
    }
  }

  return {
    platform,
    coverage,
    hints,
    notifications,
    lines,
    pass,
    report: () => store.report(account),
    covers: (verb: string, name: string) => coverage.covers({ account, verb, name }),
    /** When hints brought polls of a name, in milliseconds since 1970. */
    hintTimes: (name: string) => times.filter(({ hint: { named } }) => !named || named.values.includes(name)).map(({ atMs }) => atMs),
    /** The hints since the last call: verb and named texts, or `all`. */
    taken: () => [...new Set(hints.splice(0).map(({ verb, named }) => `${verb.split('.')[1]} ${named?.values.join() ?? 'all'}`))],
    /** Lets time pass until a condition is true. */
    until: async (condition: () => unknown): Promise<void> => {
      await vi.waitUntil(
        async () => {
          if (await condition()) return true;
          await pass(2_000);
          return condition();
        },
        { timeout: 240_000, interval: 5 },
      );
    },
    changeRules: (next: readonly Rule[]) => {
      rules = next;
      eventBus.publish({ kind: 'rules' });
    },
    async [Symbol.asyncDispose]() {
      if (stopping.signal.aborted) return;
      stopping.abort();
      await ended;
      names[Symbol.dispose]();
      await platform[Symbol.asyncDispose]();
    },
  };
}
