import { request } from 'undici';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { twitch } from '#adapters/twitch/index.ts';
import { startSandbox } from '#sandbox/server.ts';
import { twitchServer } from '#sandbox/twitch/server.ts';
import { systemClock } from '#src/clock.ts';
import type { RateBudgets } from '#src/http/rate-budgets.ts';
import { openPostgresStore } from '#src/store/postgres/open.ts';
import { Bot } from '#src/clients/streaming/bot.ts';
import { startPostgres } from '../../support/postgres.ts';

const Counts = z.object({ items: z.array(z.object({ route: z.string(), count: z.int() })) });
const WORKERS = 4;
const IN_PARALLEL = 4;
/** Points per minute of an app. */
const LIMIT = 800;

test('workers share the points of an app, and each has a token that stays valid', async () => {
  await using server = await startPostgres();
  await using sandbox = await startSandbox({ clock: systemClock, platforms: [twitchServer] });
  const {
    TWITCH_CLIENT_ID: clientId = '',
    TWITCH_CLIENT_SECRET: clientSecret = '',
    TWITCH_API_URL: apiUrl,
    TWITCH_AUTH_URL: authUrl,
  } = sandbox.environment;
  const schema = server.newSchema();
  let done = 0;

  /** Sends requests until the points are used up. */
  async function work(): Promise<void> {
    await using store = await openPostgresStore({ url: server.url, schema, maxConnections: IN_PARALLEL });
    const usedUp = new AbortController();
    const shared = store.rateBudgetsOf?.('twitch');
    if (!shared) throw new Error('a store in PostgreSQL has shared limits');
    const rateBudgets: RateBudgets = {
      settle: (pass, notice) => shared.settle(pass, notice),
      async take(charge) {
        const taken = await shared.take(charge);
        if ('waitMs' in taken) usedUp.abort(new Error('used up'));
        return taken;
      },
    };
    await using platform = twitch({ clientId, clientSecret, apiUrl, authUrl, rateBudgets });
    const bot = new Bot({ platform });
    const loop = async () => {
      for (;;) {
        try {
          await bot.getTopStreams({ signal: usedUp.signal });
          done += 1;
        } catch (error) {
          if (usedUp.signal.aborted) return;
          throw error;
        }
      }
    };
    await Promise.all(Array.from({ length: IN_PARALLEL }, loop));
  }

  const startMs = performance.now();
  await Promise.all(Array.from({ length: WORKERS }, work));

  const refilled = ((performance.now() - startMs) * LIMIT) / 60_000;
  const { body } = await request(`${sandbox.url}/control/requests?platform=twitch`);
  const { items } = Counts.parse(await body.json());
  const countOf = (part: string) => items.filter(({ route }) => route.includes(part)).reduce((sum, { count }) => sum + count, 0);
  expect(countOf('/token')).toBe(WORKERS);
  // A refused request would be sent again.
  expect(countOf('/helix/') - done).toBeLessThanOrEqual(WORKERS * IN_PARALLEL);
  expect(done).toBeGreaterThan(0.8 * LIMIT);
  expect(countOf('/helix/')).toBeLessThanOrEqual(LIMIT + refilled);
});
