import { expect, test } from 'vitest';
import type { StatusStore, WantedStatus } from '#src/clients/chat/wanted-status.ts';
import { createBotStatus } from '#src/discord/bot-status.ts';
import { silentLog } from '#src/log.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { openBotConnection } from './connection-fixture.ts';

const INTERVAL_MS = 5_000;

/** A bot with a stored status, which it reads when `clock` advances. */
async function openBot(first?: WantedStatus) {
  const clock = new ManualClock();
  const stopping = new AbortController();
  let wanted = first;
  let isDown = false;
  const statuses: StatusStore = {
    find: () => (isDown ? Promise.reject(new Error('the database is down')) : Promise.resolve(wanted)),
    keep: (status) => Promise.resolve(void (wanted = status)),
  };
  const feature = createBotStatus({ statuses, clock, log: silentLog, signal: stopping.signal });
  const bot = await openBotConnection({ prepare: (client) => feature.attach(client, { work: () => undefined }) });
  await bot.online.client;
  const presences = async () => (await bot.discord.order<{ presences: readonly object[] }>('/discord', undefined)).presences;
  return {
    bot,
    statuses,
    presences,
    next: () => clock.advance(INTERVAL_MS),
    setDown: (down: boolean) => (isDown = down),
    async [Symbol.asyncDispose]() {
      stopping.abort();
      await bot[Symbol.asyncDispose]();
    },
  };
}

const WATCHING: WantedStatus = { text: '3 streams', activity: 'watching', presence: 'online' };

test('the bot shows the stored status when it connects, and the last one of later statuses', async () => {
  await using opened = await openBot(WATCHING);
  await expect.poll(opened.presences).toMatchObject([{ activities: [{ name: '3 streams', type: 3 }], status: 'online' }]);

  await opened.statuses.keep({ text: 'One', activity: 'playing', presence: 'online' });
  await opened.statuses.keep({ text: ` ${'a'.repeat(126)}😀😀`, activity: 'custom', presence: 'dnd' });
  await opened.next();
  await expect.poll(opened.presences).toMatchObject([{ activities: [{ type: 4, state: `${'a'.repeat(126)}…` }], status: 'dnd' }]);

  await opened.statuses.keep({ text: '', activity: 'custom', presence: 'idle' });
  await opened.next();
  await expect.poll(opened.presences).toMatchObject([{ activities: [], status: 'idle' }]);
});

test('a new session shows the status again', async () => {
  await using opened = await openBot(WATCHING);
  await expect.poll(opened.presences).toMatchObject([{ status: 'online' }]);

  await opened.bot.disturb({ do: 'invalidSession', resumable: false });
  await expect.poll(opened.presences).toEqual([]);
  await expect
    .poll(async () => {
      await opened.next();
      return opened.presences();
    })
    .toMatchObject([{ activities: [{ name: '3 streams' }] }]);
});

test('an outage of the database is over with the next attempt', async () => {
  await using opened = await openBot();
  opened.setDown(true);
  await opened.next();
  opened.setDown(false);
  await opened.statuses.keep(WATCHING);
  await opened.next();

  await expect.poll(opened.presences).toMatchObject([{ activities: [{ name: '3 streams' }] }]);
});
