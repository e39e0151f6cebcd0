import { Hono } from 'hono';
import { EXPOSITION_TYPE, exposition } from '../exposition.ts';
import type { Views } from '#src/queries/views.ts';

/** What supervisors and Prometheus ask. */
export function health(views: Views): Hono {
  const routes = new Hono();

  routes.get('/healthz', (c) => c.json({ ok: true }));

  routes.get('/readyz', (c) => {
    const { ready, why } = views.ready();
    return c.json({ ready, why }, ready ? 200 : 503);
  });

  routes.get('/metrics', async (c) => c.body(exposition(await views.metrics()), 200, { 'Content-Type': EXPOSITION_TYPE }));

  return routes;
}
