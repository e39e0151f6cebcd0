import { Hono } from 'hono';
import type { Views } from '#src/queries/views.ts';
import { DecisionParams, DeliveryParams, NoParams, parseQuery } from './query.ts';
import { toDecision, toDelivery, toRule } from './wire.ts';

/** The lists of the JSON API. Each answers `{ items, cursor? }`. */
export function lists(views: Views): Hono {
  const routes = new Hono();

  routes.get('/api/decisions', async (c) => {
    const { items, cursor } = await views.decisions(parseQuery(DecisionParams, c.req.query()));
    return c.json({ items: items.map(toDecision), cursor });
  });

  routes.get('/api/deliveries', async (c) => {
    const { items, cursor } = await views.deliveries(parseQuery(DeliveryParams, c.req.query()));
    return c.json({ items: items.map(toDelivery), cursor });
  });

  routes.get('/api/rules', async (c) => {
    parseQuery(NoParams, c.req.query());
    return c.json({ items: (await views.rules()).map(toRule), version: views.rulesVersion() });
  });

  const whole: Readonly<Record<string, () => Promise<readonly unknown[]>>> = {
    live: () => views.live(),
    posts: () => views.posts(),
    messages: () => views.messages(),
  };
  for (const [name, read] of Object.entries(whole)) {
    routes.get(`/api/${name}`, async (c) => {
      parseQuery(NoParams, c.req.query());
      return c.json({ items: await read() });
    });
  }

  return routes;
}
