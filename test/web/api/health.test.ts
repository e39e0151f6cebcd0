import { expect, test } from 'vitest';
import { openSite } from '../open-site.ts';

test('/healthz answers while the process lives, ready or not', async () => {
  const { routes, views } = await openSite();
  views.readiness = { ready: false, why: 'the store is locked' };

  const answer = await routes.request('/healthz');

  expect(answer.status).toBe(200);
  expect(await answer.json()).toEqual({ ok: true });
});

test('/readyz says 200 when all is well', async () => {
  const { routes } = await openSite();

  const answer = await routes.request('/readyz');

  expect(answer.status).toBe(200);
  expect(await answer.json()).toEqual({ ready: true });
});

test('/readyz says 503 and why while something is missing', async () => {
  const { routes, views } = await openSite();
  views.readiness = { ready: false, why: 'discord has not connected yet' };

  const answer = await routes.request('/readyz');

  expect(answer.status).toBe(503);
  expect(await answer.json()).toEqual({ ready: false, why: 'discord has not connected yet' });
});

test('/metrics is what Prometheus reads', async () => {
  const { routes, views } = await openSite();
  views.metricList = [
    { name: 'fanfare_deliveries_total', type: 'counter', help: 'By state.', samples: [{ labels: { state: 'sent' }, value: 7 }] },
  ];

  const answer = await routes.request('/metrics');

  expect(answer.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8');
  expect(await answer.text()).toContain('\nfanfare_deliveries_total{state="sent"} 7\n');
});
