import { vi } from 'vitest';
import { z } from 'zod';
import { twitch } from '#adapters/twitch/index.ts';
import type { NotifierStore } from '#src/clients/operation/notifier.ts';
import { createCoverage } from '#src/engine/coverage.ts';
import { createEventBus } from '#src/engine/event-bus.ts';
import { followNotifications } from '#src/engine/follow-notifications.ts';
import type { Hint } from '#src/engine/hints.ts';
import { createWatchedNames } from '#src/engine/watched-names.ts';
import type { ListSource } from '#src/rules/lists.ts';
import type { Rule } from '#src/rules/rule.ts';
import { createLog } from '#src/log.ts';
import type { openEventSub } from '../../../sandbox/test/twitch/eventsub-client.ts';
import { makeRule, makeWatched } from '../../support/rules.ts';

const State = z.object({
  subscriptions: z.object({ total: z.number(), enabled: z.number() }),
  sessions: z.array(z.object({ id: z.string() })),
  conduits: z.array(z.object({ id: z.string(), shards: z.array(z.object({ id: z.number(), status: z.string() })) })),
});
export type EventSubState = z.output<typeof State>;

export type EventSubSandbox = Awaited<ReturnType<typeof openEventSub>>;

/** A rule that watches channels. */
export function watching(id: string, users: readonly string[]): Rule {
  return makeRule({ id, schedule: { everyMs: 3_600_000 }, watched: makeWatched({ with: { users: [...users] } }) });
}

interface InstallationOptions {
  readonly twitch: EventSubSandbox;
  readonly store: NotifierStore;
  readonly rules: readonly Rule[];
  readonly lists?: ListSource | undefined;
}

/** What an installation does with the EventSub of a sandbox. */
export function installation({ twitch: sandboxed, store, rules: first, lists }: InstallationOptions) {
  const { clock, sandbox, order } = sandboxed;
  const { environment } = sandbox;
  const lines: string[] = [];
  const hints: Hint[] = [];
  const times: { readonly atMs: number; readonly hint: Hint }[] = [];
  const notifications: string[] = [];
  const stopping = new AbortController();
  const eventBus = createEventBus();
  const log = createLog({ level: 'debug', secrets: [], write: (line) => void lines.push(line), color: false });
  const coverage = createCoverage();
  let rules = first;
  const platform = twitch({
    clientId: environment['TWITCH_CLIENT_ID'] ?? '',
    clientSecret: environment['TWITCH_CLIENT_SECRET'] ?? '',
    apiUrl: environment['TWITCH_API_URL'],
    authUrl: environment['TWITCH_AUTH_URL'],
    eventSubUrl: environment['TWITCH_EVENTSUB_URL'],
    clock,
    log,
  });
  const { notifier } = platform;
  if (!notifier) throw new Error('the adapter has no notifier');
  const names = createWatchedNames({ account: 'twitch', client: 'streaming', about: notifier, rules: () => rules, lists, eventBus, clock });
  const ended = followNotifications({
    account: 'twitch',
    client: 'streaming',
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
  const state = async () => State.parse(await order('/twitch/eventsub'));

  return {
    hints,
    notifications,
    /** Whether Twitch notifies about a channel. */
    covers: (name: string) => coverage.covers({ account: 'twitch', verb: 'streaming.getStreams', name }),
    coversChanges: (name: string) => coverage.coversChanges({ account: 'twitch', verb: 'streaming.getStreams', name }),
    lines,
    eventBus,
    report: () => store.report('twitch'),
    state,
    /** Waits until the subscriptions are complete. */
    subscribed: async (count: number): Promise<EventSubState> => {
      await vi.waitUntil(
        async () => (await state()).subscriptions.enabled === count && (await store.report('twitch'))?.subscriptions === count,
        {
          timeout: 20_000,
          interval: 10,
        },
      );
      return state();
    },
    /** When hints brought polls of a name, in milliseconds since 1970. */
    hintTimes: (name: string) => times.filter(({ hint: { named } }) => !named || named.values.includes(name)).map(({ atMs }) => atMs),
    /** The hints since the last call: the named texts, or `all`. */
    taken: () => hints.splice(0).map(({ named }) => named?.values ?? 'all'),
    changeRules: (next: readonly Rule[]) => {
      rules = next;
      eventBus.publish({ kind: 'rules' });
    },
    /** Lets time pass. Twitch and its client exchange messages in between. */
    pass: async (ms: number, stepMs = 2_000): Promise<void> => {
      for (let left = ms; left > 0; left -= stepMs) {
        await clock.advance(Math.min(stepMs, left));
        await state();
      }
    },
    /** Polls channels as a rule does. */
    poll: async (...users: readonly string[]) => {
      await platform.operations.getStreams?.(
        { users: [...users], games: undefined, languages: undefined },
        { cursor: undefined, signal: undefined },
      );
    },
    async [Symbol.asyncDispose]() {
      stopping.abort();
      await ended;
      names[Symbol.dispose]();
      await platform[Symbol.asyncDispose]();
    },
  };
}
