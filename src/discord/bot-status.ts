import { ActivityType, type Client, Events, type PresenceData } from 'discord.js';
import { isDeepStrictEqual } from 'node:util';
import type { StatusStore, WantedStatus } from '#src/clients/chat/wanted-status.ts';
import { cutLabel } from '#src/clients/operation/text/characters.ts';
import type { Clock } from '#src/clock.ts';
import type { Log } from '#src/log.ts';
import type { ClientSetup } from '#src/discord/connection.ts';

/** Discord accepts five changes in 20 seconds on a connection. */
const INTERVAL_MS = 5_000;
/** The longest text of Discord. */
const MOST_CHARACTERS = 128;

const TYPES = {
  custom: ActivityType.Custom,
  watching: ActivityType.Watching,
  playing: ActivityType.Playing,
  listening: ActivityType.Listening,
  competing: ActivityType.Competing,
} as const satisfies Record<WantedStatus['activity'], ActivityType>;

interface BotStatusOptions {
  readonly statuses: StatusStore;
  readonly clock: Clock;
  readonly log: Log;
  readonly signal: AbortSignal;
}

/** Shows the stored status on the gateway connections of this process. */
export interface BotStatusFeature {
  /** Adds the listeners to a client. Call it before the client connects. */
  readonly attach: (client: Client, setup: Pick<ClientSetup, 'work'>) => void;
}

export function createBotStatus({ statuses, clock, log, signal }: BotStatusOptions): BotStatusFeature {
  /** What each client has shown since its session began. A resumed session keeps its status. */
  const shown = new Map<Client, WantedStatus | undefined>();
  let loop: Promise<void> | undefined;

  async function show(): Promise<void> {
    const wanted = await statuses.find();
    if (!wanted) return;
    for (const [client, last] of shown) {
      // A client that is closed has no token.
      if (!client.token) shown.delete(client);
      else if (client.isReady() && !isDeepStrictEqual(last, wanted)) {
        client.user.setPresence(toPresence(wanted));
        shown.set(client, wanted);
      }
    }
  }

  async function keepShowing(): Promise<void> {
    while (!signal.aborted) {
      try {
        await show();
      } catch (error) {
        log.debug({ error }, 'the status of the bot could not be shown');
      }
      await clock.sleep(INTERVAL_MS, signal).catch(() => undefined);
    }
  }

  return {
    attach(client, { work }) {
      client.on(Events.ShardReady, () => {
        shown.set(client, undefined);
        if (!loop) work((loop = keepShowing()));
      });
    },
  };
}

function toPresence({ text, activity, presence: status }: WantedStatus): PresenceData {
  const shown = cutLabel(text.trim(), MOST_CHARACTERS);
  if (shown === '') return { activities: [], status };
  const type = TYPES[activity];
  return { activities: [type === ActivityType.Custom ? { name: 'Status', state: shown, type } : { name: shown, type }], status };
}
