import type { Context } from 'hono';
import { html } from 'hono/html';
import { CursorError, PlatformError } from '#src/errors.ts';
import type { Log } from '#src/log.ts';
import { messagePage } from './page/document.ts';
import { QueryError } from './api/query.ts';

/** There is nothing at this address. */
export function answerNotFound(c: Context): Response | Promise<Response> {
  if (isApi(c)) return c.json({ error: `There is no ${c.req.method} ${c.req.path}.` }, 404);
  return c.html(
    messagePage({ title: 'Nothing here', body: html`There is no page at this address. <a href="/">To the page of Fanfare</a>` }),
    404,
  );
}

/** Something went wrong while a request was answered: the asker learns what they can cure, the log the rest. */
export function answerError(error: Error, c: Context, log: Log): Response | Promise<Response> {
  if (error instanceof QueryError) return c.json({ error: error.message, parameter: error.parameter }, 400);
  if (error instanceof CursorError) return c.json({ error: error.message, parameter: 'cursor' }, 400);
  if (error instanceof PlatformError && isApi(c)) return c.json({ error: error.message }, 503);
  if (error.name === 'AbortError') return c.json({ error: 'Fanfare is being stopped.' }, 503);
  log.error({ error, method: c.req.method, path: c.req.path }, 'a request could not be answered');
  if (isApi(c)) return c.json({ error: 'This could not be answered. The log of Fanfare says why.' }, 500);
  return c.html(messagePage({ title: 'That did not work', body: html`The log of Fanfare says why. <a href="/">Try again</a>` }), 500);
}

function isApi(c: Context): boolean {
  return c.req.path.startsWith('/api/');
}
