import type { Context } from 'hono';
import { html } from 'hono/html';
import { CursorError, isDatabaseUnavailable, PlatformError } from '#src/errors.ts';
import type { Log } from '#src/log.ts';
import { messagePage } from './page/document.ts';
import { QueryError } from './api/query.ts';

/** Answers a request for an unknown path. */
export function answerNotFound(c: Context): Response | Promise<Response> {
  if (isApi(c)) return c.json({ error: `There is no ${c.req.method} ${c.req.path}.` }, 404);
  return c.html(messagePage({ title: 'Page not found', body: html`There is no page at this address. <a href="/">Go to Fanfare</a>` }), 404);
}

/** Answers a failed request. Errors that the caller can fix keep their message; the log gets all other errors. */
export function answerError(error: Error, c: Context, log: Log): Response | Promise<Response> {
  if (error instanceof QueryError) return c.json({ error: error.message, parameter: error.parameter }, 400);
  if (error instanceof CursorError) return c.json({ error: error.message, parameter: 'cursor' }, 400);
  if (error instanceof PlatformError && isApi(c)) return c.json({ error: error.message }, 503);
  if (isDatabaseUnavailable(error) && isApi(c)) return c.json({ error: 'The database does not answer. See /readyz.' }, 503);
  if (error.name === 'AbortError') return c.json({ error: 'Fanfare is shutting down.' }, 503);
  if (isUnfinished(error)) return c.json({ error: 'The request ended early, or took too long.' }, 408);
  log.error({ error, method: c.req.method, path: c.req.path }, 'a request failed');
  if (isApi(c)) return c.json({ error: 'The request failed. See the Fanfare log for the reason.' }, 500);
  return c.html(
    messagePage({ title: 'Something went wrong', body: html`See the Fanfare log for the reason. <a href="/">Try again</a>` }),
    500,
  );
}

/** Whether the connection was closed before the whole request came. */
function isUnfinished(error: Error): boolean {
  return error.message === 'aborted' && 'code' in error && error.code === 'ECONNRESET';
}

function isApi(c: Context): boolean {
  return c.req.path.startsWith('/api/');
}
