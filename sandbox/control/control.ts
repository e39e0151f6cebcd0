import { Hono } from 'hono';
import { HTTPException } from 'hono/http-exception';
import type { z } from 'zod';
import type { PlatformServer, SandboxContext } from '../context.ts';
import type { Requests } from '../requests.ts';
import { eventsPage } from './events.ts';
import { FaultForm, WorldForm } from './orders.ts';

interface ControlOptions {
  readonly context: SandboxContext;
  readonly platforms: readonly PlatformServer[];
  readonly requests: Requests;
  readonly speed: number;
}

/** The control API: it reads the world and changes it. */
export function controlRoutes({ context, platforms, requests, speed }: ControlOptions): Hono {
  const { world, clock, faults } = context;
  const known = new Set(platforms.map(({ name }) => name));
  const routes = new Hono();

  routes.onError((error, c) => {
    if (error instanceof HTTPException) return c.json({ error: error.message }, error.status);
    throw error;
  });

  routes.get('/now', (c) => c.json({ now: new Date(clock.nowMs()).toISOString(), speed }));
  routes.get('/events', (c) => c.json(eventsPage(world, c.req.query(), clock.nowMs())));
  routes.get('/requests', (c) => {
    const platform = c.req.query('platform');
    return c.json({ items: requests.all().filter((each) => platform === undefined || each.platform === platform) });
  });

  routes.post('/world', async (c) => {
    const order = read(WorldForm, await c.req.json().catch(() => undefined));
    try {
      const broadcast = world.order(order, clock.nowMs());
      return c.json({ at: new Date(clock.nowMs()).toISOString(), broadcastId: broadcast?.id });
    } catch (error) {
      if (error instanceof RangeError) throw badRequest(error.message);
      throw error;
    }
  });

  routes.get('/faults', (c) => c.json({ items: faults.all() }));
  routes.post('/faults', async (c) => {
    const order = read(FaultForm, await c.req.json().catch(() => undefined));
    if (!known.has(order.platform)) throw badRequest(`platform: there is no ${order.platform}; there is ${[...known].join(', ')}`);
    faults.add(order);
    return c.json({ items: faults.all() });
  });
  routes.delete('/faults', (c) => {
    faults.clear(c.req.query('platform'));
    return c.json({ items: faults.all() });
  });

  for (const { control } of platforms) if (control) routes.route('/', control);
  return routes;
}

/** The body of an order. An invalid body is a 400 that names each error. */
function read<T>(form: z.ZodType<T>, body: unknown): T {
  if (body === undefined) throw badRequest('the body is not JSON');
  const parsed = form.safeParse(body);
  if (parsed.success) return parsed.data;
  throw badRequest(parsed.error.issues.map(({ path, message }) => `${path.length > 0 ? `${path.join('.')}: ` : ''}${message}`).join('; '));
}

function badRequest(message: string): HTTPException {
  return new HTTPException(400, { message });
}
