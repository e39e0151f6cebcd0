import { getEventListeners } from 'node:events';
import { expect, test } from 'vitest';
import { restOnlyStrategy } from '#src/discord/gateway/rest-only.ts';
import { Transport } from '#src/discord/gateway/transport.ts';
import { ManualClock } from '../../support/manual-clock.ts';

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
  const manager = { options: { rest, retrieveSessionInfo: () => undefined }, emit: () => true };
  transport.buildStrategy(manager as never); // the parts of the manager that the transport uses
  await restOnlyStrategy(transport, { servers: ['1'], clock, signal: life.signal }).connect();

  await clock.advance(HOUR);

  expect(routes.filter((route) => route === '/guilds/1')).toHaveLength(7);
  // The next refresh waits.
  expect(getEventListeners(life.signal, 'abort')).toHaveLength(1);
  life.abort();
});
