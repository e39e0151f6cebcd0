import { expect, test } from 'vitest';
import { openSite } from '../open-site.ts';

test('/healthz answers while the process lives, ready or not', async () => {
  const { routes, apiQueries } = await openSite();
  apiQueries.readiness = { ready: false, message: 'the store is locked' };

  const answer = await routes.request('/healthz');

  expect(answer.status).toBe(200);
  expect(await answer.json()).toEqual({ ok: true });
});

test('/readyz answers 200 if Fanfare is ready', async () => {
  const { routes } = await openSite();

  const answer = await routes.request('/readyz');

  expect(answer.status).toBe(200);
  expect(await answer.json()).toEqual({ ready: true });
});

test('/readyz answers 503 with the reason if Fanfare is not ready', async () => {
  const { routes, apiQueries } = await openSite();
  apiQueries.readiness = { ready: false, message: 'discord has not connected yet' };

  const answer = await routes.request('/readyz');

  expect(answer.status).toBe(503);
  expect(await answer.json()).toEqual({ ready: false, message: 'discord has not connected yet' });
});

test('/metrics has the text format of Prometheus', async () => {
  const { routes, apiQueries } = await openSite();
  apiQueries.metricList = [
    { name: 'fanfare_deliveries_total', type: 'counter', help: 'By state.', samples: [{ labels: { state: 'sent' }, value: 7 }] },
  ];

  const answer = await routes.request('/metrics');

  expect(answer.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8');
  expect(await answer.text()).toContain('\nfanfare_deliveries_total{state="sent"} 7\n');
});
