import { expect, test } from 'vitest';
import { openPostgresStore } from '#src/store/postgres/open.ts';
import { startPostgres } from '../../support/postgres.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { NOW } from '../../support/view-records.ts';
import { openApi } from './open-api.ts';

const REQUESTS = 40;

test('of simultaneous requests with one key to two processes on PostgreSQL, one runs the action', async () => {
  await using postgres = await startPostgres();
  const schema = postgres.newSchema();
  const clock = new ManualClock(NOW);
  await using here = await openPostgresStore({ url: postgres.url, schema, clock });
  await using there = await openPostgresStore({ url: postgres.url, schema, clock });
  let runs = 0;
  const run = async () => {
    runs++;
    await new Promise((resolve) => setImmediate(resolve));
    return { decisions: [], firings: [] };
  };
  const processes = [await openApi({ store: here, run }), await openApi({ store: there, run })];
  const path = `/api/rules/${encodeURIComponent('games/Go')}/run`;
  const send = (key: string) => processes.map(({ post }) => post(path, { headers: { 'idempotency-key': key } }));

  for (let request = 0; request < REQUESTS; request++) {
    const key = `k${request}`;
    const first = await Promise.all([...send(key), ...send(key)]);
    const later = await Promise.all(send(key));

    const statuses = first.map(({ status }) => status);
    expect(statuses).toContain(200);
    expect(new Set([...statuses, 200, 409])).toEqual(new Set([200, 409]));
    expect(later.map(({ status, body }) => [status, body])).toEqual(Array(2).fill([200, '{"decisions":[],"firings":0}']));
    expect(runs).toBe(request + 1);
  }
});

test('of simultaneous actions on one state of a rule in two processes on PostgreSQL, one is run', async () => {
  await using postgres = await startPostgres();
  const schema = postgres.newSchema();
  const clock = new ManualClock(NOW);
  await using here = await openPostgresStore({ url: postgres.url, schema, clock });
  await using there = await openPostgresStore({ url: postgres.url, schema, clock });
  // Both have compared the revision before one of them acts.
  let waiting = 0;
  const { promise: both, resolve } = Promise.withResolvers<void>();
  let gate = both;
  let open = resolve;
  const beforePause = () => {
    waiting++;
    if (waiting === 2) open();
    return gate;
  };
  const processes = [await openApi({ store: here, beforePause }), await openApi({ store: there, beforePause })];
  const [first] = processes;

  for (let round = 1; round <= 20; round++) {
    waiting = 0;
    ({ promise: gate, resolve: open } = Promise.withResolvers<void>());
    const { headers } = (await first?.get('/api/rules/games')) ?? {};
    const until = (minutes: number) => new Date(NOW.getTime() + (round * 10 + minutes) * 60_000).toISOString();
    const answers = await Promise.all(
      processes.map(({ post }, index) =>
        post('/api/rules/games/pause', { headers: { 'if-match': String(headers?.['etag']) }, body: { until: until(index + 1) } }),
      ),
    );

    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 412]));
    const winner = answers.findIndex(({ status }) => status === 200);
    const pauses = [...(await here.ruleStates.paused()).values()].map(({ person }) => person?.untilMs);
    expect(pauses).toEqual(Array(2).fill(Date.parse(until(winner + 1))));
  }
});
