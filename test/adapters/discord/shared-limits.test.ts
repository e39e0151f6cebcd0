import { expect, test } from 'vitest';
import { z } from 'zod';
import { discordApi } from '#adapters/discord/client.ts';
import { rateBudgetsInMemory } from '#src/http/memory-rate-budgets.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { scriptHttp, type Exchange } from '../../support/script-http.ts';
import { expectSettled } from '../../support/settled.ts';
import { whileSleeping } from '../../support/while-sleeping.ts';

const answer = z.object({ id: z.string() });

/** Two processes with one bot. */
function open(apiUrl: string, clock: ManualClock) {
  const rateBudgets = rateBudgetsInMemory(clock);
  const [one, other] = [1, 2].map(() => discordApi({ token: 'a-token', apiUrl, clock, rateBudgets }));
  if (!one || !other) throw new Error('two processes');
  return { one, other };
}

test('after a global rate limit in one process, the other processes send nothing until it ends', async () => {
  const clock = new ManualClock();
  const limited: Exchange = [
    'GET /v10/channels/1',
    {
      status: 429,
      headers: { 'x-ratelimit-global': 'true', 'x-ratelimit-scope': 'global', 'retry-after': '30', via: '1.1 google' },
      json: { message: 'You are being rate limited.', retry_after: 30, global: true },
    },
  ];
  await using http = await scriptHttp([limited, ['GET /v10/channels/2', { json: { id: '2' } }]]);
  const { one, other } = open(http.url, clock);
  await expect(one({ method: 'GET', path: '/channels/1', answer })).rejects.toMatchObject({ fault: 'rateLimited' });

  const early = other({ method: 'GET', path: '/channels/2', answer });

  await expect(early).rejects.toMatchObject({ fault: 'rateLimited', retryAt: expect.any(Date) });
  await clock.advance(31_000);
  expect(await other({ method: 'GET', path: '/channels/2', answer })).toEqual({ id: '2' });
});

test('all processes together send at most 50 requests per second', async () => {
  const clock = new ManualClock();
  const paths = Array.from({ length: 60 }, (_, index) => `/channels/${index}` as const);
  await using http = await scriptHttp([{ together: paths.map((path): Exchange => [`GET /v10${path}`, { json: { id: '1' } }]) }]);
  const { one, other } = open(http.url, clock);
  const startMs = clock.nowMs();

  const all = Promise.all(paths.map((path, index) => (index % 2 === 0 ? one : other)({ method: 'GET', path, answer })));
  await expectSettled(
    () => http.seen.length,
    10,
    () => clock.advance(0),
  );
  await clock.advance(1000);
  await expectSettled(
    () => http.seen.length,
    50,
    () => clock.advance(0),
  );
  await whileSleeping(clock, all);

  expect(clock.nowMs() - startMs).toBeLessThan(2_000);
});
