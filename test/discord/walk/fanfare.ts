import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as parts from '#src/app/app-parts.ts';
import { partsWith } from '#src/app/parts.ts';
import { settings } from '#src/app/settings.ts';
import { createClients, type Clients } from '#src/clients/clients.ts';
import type { StreamingPlatform } from '#src/clients/streaming/bot.ts';
import type { DeliveryEngine } from '#src/engine/delivery/delivery-engine.ts';
import { createReloads, type Reloads } from '#src/engine/rule-sets/reloads.ts';
import type { Scheduler } from '#src/engine/scheduler/scheduler.ts';
import type { Store } from '#src/store/store.ts';
import type { DiscordSandbox } from '../../support/discord-sandbox.ts';
import type { ManualClock } from '../../support/manual-clock.ts';

export interface FanfareOptions {
  readonly discord: DiscordSandbox;
  readonly twitch: StreamingPlatform;
  readonly clock: ManualClock;
  /** The folder of the state and of the rules. */
  readonly folder: string;
  readonly lines: string[];
  /** Replaces the clients, for example to lose answers. */
  readonly through?: (clients: Clients) => Clients;
}

/** The parts of Fanfare without the page. Its rules and deliveries run when a test lets them. */
export interface Fanfare extends AsyncDisposable {
  readonly store: Store;
  readonly scheduler: Scheduler;
  readonly engine: DeliveryEngine;
  readonly reloads: Reloads;
}

/** Starts Fanfare, and waits for the connection to Discord. */
export async function startFanfare({
  discord,
  twitch,
  clock,
  folder,
  lines,
  through = (clients) => clients,
}: FanfareOptions): Promise<Fanfare> {
  mkdirSync(join(folder, 'rules'), { recursive: true });
  writeFileSync(join(folder, 'fanfare.yaml'), 'discord: { servers: any }\n');
  const environment = {
    ...discord.sandbox.environment,
    TWITCH_CLIENT_ID: 'id',
    TWITCH_CLIENT_SECRET: 'secret',
    FANFARE_DATA: join(folder, 'data'),
    FANFARE_RULES: join(folder, 'rules'),
  };
  const connected = Promise.withResolvers<void>();
  const write = (line: string): void => {
    lines.push(line);
    if (line.includes('Discord is connected')) connected.resolve();
  };
  const first = settings({ environment, write, color: false });
  const started = await partsWith(first, first.stopping)
    .with(async ({ configured }) => ({ config: configured, sandboxClock: clock, [Symbol.asyncDispose]: async () => undefined }))
    .with(parts.state)
    .with(parts.observation)
    .with(parts.accounts)
    .with(({ platforms }) => {
      const faked = { ...platforms, streaming: [twitch] };
      return { platforms: faked, clients: through(createClients(faked, clock)) };
    })
    .with(parts.rules)
    .with(parts.engine)
    .with(parts.operators)
    .with(parts.bot)
    .start();
  const { registry, scheduler, store, deliveryEngine: engine, firstPolls, log } = started.given;
  const reloads = createReloads({ registry, scheduler, store, onRetired: engine.stored, onChange: () => undefined, clock, log });
  await reloads.begin();
  firstPolls.ended();
  await connected.promise;
  return { store, scheduler, engine, reloads, [Symbol.asyncDispose]: () => started[Symbol.asyncDispose]() };
}
