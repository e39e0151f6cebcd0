import { vi } from 'vitest';
import { z } from 'zod';
import { twitch, type TwitchOptions } from '#adapters/twitch/index.ts';
import type { Sandbox } from '#sandbox/index.ts';
import type { NotifierStore } from '#src/clients/operation/notifier.ts';
import type { Rule } from '#src/rules/rule.ts';
import type { Log } from '#src/log.ts';
import type { openEventSub } from '../../../sandbox/test/twitch/eventsub-client.ts';
import { followedPlatform } from '../../support/followed-platform.ts';
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

/** The Twitch of a sandbox. */
export function eventSubPlatform({ environment }: Pick<Sandbox, 'environment'>, options: Pick<TwitchOptions, 'clock' | 'log'>) {
  return twitch({
    clientId: environment['TWITCH_CLIENT_ID'] ?? '',
    clientSecret: environment['TWITCH_CLIENT_SECRET'] ?? '',
    apiUrl: environment['TWITCH_API_URL'],
    authUrl: environment['TWITCH_AUTH_URL'],
    eventSubUrl: environment['TWITCH_EVENTSUB_URL'],
    ...options,
  });
}

interface InstallationOptions {
  readonly twitch: EventSubSandbox;
  readonly store: NotifierStore;
  readonly rules: readonly Rule[];
}

/** What an installation does with the EventSub of a sandbox. */
export function installation({ twitch: { clock, sandbox, order }, store, rules }: InstallationOptions) {
  const state = async () => State.parse(await order('/twitch/eventsub'));
  const open = (log: Log) => eventSubPlatform(sandbox, { clock, log });
  const followed = followedPlatform({ clock, store, client: 'streaming', rules, open, exchange: state });
  const { coverage, hints, platform, report } = followed;

  return {
    ...followed,
    /** Whether Twitch notifies about a channel. */
    covers: (name: string) => coverage.covers({ account: 'twitch', verb: 'streaming.getStreams', name }),
    coversChanges: (name: string) => coverage.coversChanges({ account: 'twitch', verb: 'streaming.getStreams', name }),
    state,
    /** Waits until the subscriptions are complete. */
    subscribed: async (count: number): Promise<EventSubState> => {
      await vi.waitUntil(async () => (await state()).subscriptions.enabled === count && (await report())?.subscriptions === count, {
        timeout: 240_000,
        interval: 10,
      });
      return state();
    },
    /** The hints since the last call: the named texts, or `all`. */
    taken: () => hints.splice(0).map(({ named }) => named?.values ?? 'all'),
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
  };
}
