import { join } from 'node:path';
import type { Clock } from '#src/clock.ts';
import { accountsOn } from '#src/config/accounts.ts';
import type { Config } from '#src/config/config.ts';
import type { Log } from '#src/log.ts';
import type { DeliveryEngine } from '#src/engine/delivery/delivery-engine.ts';
import type { Store } from '#src/store/store.ts';
import { accountsOf } from './accounts.ts';
import type { Clients } from '#src/clients/clients.ts';
import type { EventBus } from '#src/engine/event-bus.ts';
import type { JsonObject } from '#src/clients/operation/json.ts';
import { localPicturesOf } from '#src/engine/posting/pictures.ts';
import { createPosting, type RunningPosting } from '#src/engine/posting/create-posting.ts';

/** The hosts of attachments in Discord. */
const DISCORD_HOSTS = ['cdn.discordapp.com', 'media.discordapp.net'];

export interface OpenPostingOptions {
  readonly config: Config;
  readonly clients: Clients;
  readonly store: Store;
  readonly deliveryEngine: DeliveryEngine;
  readonly eventBus: EventBus;
  readonly clock: Clock;
  readonly log: Log;
}

/** Opens posting with the settings of the configuration. */
export function openPosting({ config, clients, store, deliveryEngine: engine, eventBus, clock, log }: OpenPostingOptions): RunningPosting {
  const { dataDirectory, discord, accounts } = config;
  // A simulated Discord serves attachments itself.
  const hosts = accountsOn('discord', accounts).map(({ apiUrl }) => new URL(apiUrl).host);
  return createPosting({
    accounts: accountsOf(config),
    clients,
    store,
    eventBus,
    wake: engine.stored,
    dataDirectory,
    queueTimes: discord.queueTimes,
    pictureHosts: new Set([...DISCORD_HOSTS, ...hosts]),
    clock,
    log,
  });
}

/** Finds the pictures of posts, see `localPicturesOf`. */
export function picturesOfPosts({
  config,
  store: { pictures: shared },
}: Pick<OpenPostingOptions, 'config' | 'store'>): (params: JsonObject) => Promise<JsonObject> {
  return localPicturesOf({ folder: join(config.dataDirectory, 'pictures'), shared });
}
