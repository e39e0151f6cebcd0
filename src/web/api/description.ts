import { Hono } from 'hono';
import { lateModule } from '#src/late-module.ts';

const loadOpenApi = lateModule('the description of the API', () => import('./openapi.ts'));

/** `/api/openapi.json`. The description is built at the first request, because few installations read it. */
export function description(): Hono {
  let text: string | undefined;
  return new Hono().get('/api/openapi.json', async (c) => {
    text ??= JSON.stringify((await loadOpenApi()).openApi());
    return c.body(text, 200, { 'Content-Type': 'application/json' });
  });
}
