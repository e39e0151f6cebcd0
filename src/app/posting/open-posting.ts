import type { Clock } from '#src/clock.ts';
import { accountsOn } from '#src/config/accounts.ts';
import type { Config } from '#src/config/config.ts';
import type { Log } from '#src/log.ts';
import type { Outbox } from '#src/outbox/outbox.ts';
import type { Store } from '#src/store/store.ts';
import { accountsOf } from '../accounts.ts';
import type { Clients } from '../clients.ts';
import type { Feed } from '../feed.ts';
import { createPosting, type RunningPosting } from './posting.ts';

/** Where Discord keeps what people attach. */
const DISCORD_HOSTS = ['cdn.discordapp.com', 'media.discordapp.net'];

export interface OpenPostingOptions {
  readonly config: Config;
  readonly clients: Clients;
  readonly store: Store;
  readonly outbox: Outbox;
  readonly feed: Feed;
  readonly clock: Clock;
  readonly log: Log;
}

/** Posting as it is configured. */
export function openPosting({ config, clients, store, outbox, feed, clock, log }: OpenPostingOptions): RunningPosting {
  const { dataDirectory, discord, accounts } = config;
  // A Discord that is played keeps its files where it is.
  const hosts = accountsOn('discord', accounts).map(({ apiUrl }) => new URL(apiUrl).host);
  return createPosting({
    accounts: accountsOf(config),
    clients,
    store,
    feed,
    wake: () => outbox.wake(),
    dataDirectory,
    queueTimes: discord.queueTimes,
    pictureHosts: new Set([...DISCORD_HOSTS, ...hosts]),
    clock,
    log,
  });
}
