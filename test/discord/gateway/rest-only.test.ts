import { getEventListeners } from 'node:events';
import { type APIInteraction, DiscordAPIError } from 'discord.js';
import { expect, test } from 'vitest';
import { restOnlyStrategy } from '#src/discord/gateway/rest-only.ts';
import { Transport } from '#src/discord/gateway/transport.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { openBotConnection } from '../connection-fixture.ts';

const HOUR = 3_600_000;

test('a signal keeps no listener of the requests that refresh the servers', async () => {
  const clock = new ManualClock();
  const life = new AbortController();
  const transport = new Transport(clock);
  const routes: string[] = [];
  const rest = {
    /** discord.js never removes its listener. */
    async get(route: string, { signal }: { readonly signal: AbortSignal }) {
      signal.addEventListener('abort', () => undefined);
      routes.push(route);
      return route.endsWith('/channels') ? [] : { id: '1', threads: [] };
    },
  };
  const manager = { options: { rest }, emit: () => true };
  transport.buildStrategy(manager as never); // the parts of the manager that the transport uses
  await restOnlyStrategy(transport, { servers: ['1'], clock, signal: life.signal }).connect();

  await clock.advance(HOUR);

  expect(routes.filter((route) => route === '/guilds/1')).toHaveLength(7);
  // The next refresh waits.
  expect(getEventListeners(life.signal, 'abort')).toHaveLength(1);
  life.abort();
});

test('a configured server that invites the bot after the start is loaded with its first interaction', async () => {
  const clock = new ManualClock();
  const life = new AbortController();
  const transport = new Transport(clock);
  let isInvited = false;
  const rest = {
    async get(route: string) {
      if (route.startsWith('/guilds/2') && !isInvited) throw unknownGuild();
      return route.endsWith('/channels') ? [] : { id: route.split('/')[2], threads: [] };
    },
  };
  const created: unknown[] = [];
  const emit = (_: unknown, { data }: { readonly data: { readonly t?: string; readonly d?: { readonly id: string } } }): boolean => {
    if (data.t === 'GUILD_CREATE') created.push(data.d?.id);
    return true;
  };
  transport.buildStrategy({ options: { rest }, emit } as never); // the parts of the manager that the transport uses
  await restOnlyStrategy(transport, { servers: ['1', '2'], clock, signal: life.signal }).connect();

  isInvited = true;
  for (const guild_id of ['1', '2', '3', '2']) await transport.beforeInteraction({ guild_id } as APIInteraction); // the field that it reads

  expect(created).toEqual(['1', '2']);
  life.abort();
});

test('the client knows a new channel of a server after ten minutes', async () => {
  const clock = new ManualClock();
  await using fixture = await openBotConnection({ settings: { gateway: false }, clock });
  const { channels } = await fixture.online.client;
  const before = channels.cache.size;

  await fixture.discord.order('/discord/growth', { channels: 1 });

  await expect
    .poll(async () => {
      await clock.advance(60_000);
      return channels.cache.size;
    })
    .toBe(before + 1);
});

function unknownGuild(): DiscordAPIError {
  return new DiscordAPIError({ code: 10_004, message: 'Unknown Guild' }, 10_004, 404, 'GET', '', {});
}
