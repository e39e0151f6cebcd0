import { join } from 'node:path';
import type { Clock } from '#src/clock.ts';
import { accountsOn } from '#src/config/accounts.ts';
import type { Config } from '#src/config/config.ts';
import type { Log } from '#src/log.ts';
import type { DeliveryEngine } from '#src/delivery/delivery-engine.ts';
import type { Store } from '#src/store/store.ts';
import { accountsOf } from './accounts.ts';
import type { Clients } from './clients.ts';
import type { EventBus } from '#src/event-bus.ts';
import type { JsonObject } from '#src/operation/json.ts';
import { withLocalPictures } from '#src/posting/pictures.ts';
import { createPosting, type RunningPosting } from '#src/posting/create-posting.ts';

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
    wake: () => engine.wake(),
    dataDirectory,
    queueTimes: discord.queueTimes,
    pictureHosts: new Set([...DISCORD_HOSTS, ...hosts]),
    clock,
    log,
  });
}

/** Finds the pictures of posts that other machines stored; undefined: one machine uses the store. */
export function filesOfAll({
  config,
  store: { pictures: shared },
}: Pick<OpenPostingOptions, 'config' | 'store'>): ((params: JsonObject) => Promise<JsonObject>) | undefined {
  const folder = join(config.dataDirectory, 'pictures');
  return shared && ((params) => withLocalPictures(params, { folder, shared }));
}
