import { Hono } from 'hono';
import { mainPage, type PartName } from './document.ts';
import { partsOf, type PartsOptions } from './parts.ts';

/** The page at `/`, and each of its parts at `/fragments/<part>`. */
export function pages(options: PartsOptions): Hono {
  const routes = new Hono();
  const parts = partsOf(options);
  const names = Object.keys(parts) as PartName[]; // a record's keys are its names

  routes.get('/', (c) => c.html(mainPage({ parts, nowMs: options.clock.nowMs() })));

  for (const name of names) routes.get(`/fragments/${name}`, async (c) => c.html(await parts[name]()));

  return routes;
}
