import type { Context } from 'hono';
import { html } from 'hono/html';
import { HTTPException } from 'hono/http-exception';
import type { Log } from '#src/log.ts';
import { messagePage } from '#src/web/page/document.ts';
import { answerProblem, isForPrograms, Problem, problemOf } from './problem.ts';

/** Answers a request for an unknown path. */
export function answerNotFound(c: Context): Response | Promise<Response> {
  if (isForPrograms(c))
    return answerProblem(c, new Problem({ status: 404, code: 'notFound', detail: `There is no ${c.req.method} ${c.req.path}.` }));
  return c.html(messagePage({ title: 'Page not found', body: html`There is no page at this address. <a href="/">Go to Fanfare</a>` }), 404);
}

/** Answers a failed request. Errors that the caller can fix keep their message; the log gets all other errors. */
export function answerError(error: Error, c: Context, log: Log): Response | Promise<Response> {
  const problem = problemOf(error);
  if (problem && (isForPrograms(c) || ALWAYS_JSON.has(problem.details.code))) return answerProblem(c, problem);
  if (problem && (error instanceof HTTPException || error instanceof Problem)) {
    for (const [name, value] of Object.entries(problem.headers)) c.header(name, value);
    return c.html(messagePage({ title: 'Not possible', body: html`${problem.message}` }), problem.details.status);
  }
  log.error({ error, method: c.req.method, path: c.req.path }, 'a request failed');
  if (isForPrograms(c)) return answerProblem(c, FAILED);
  return c.html(
    messagePage({ title: 'Something went wrong', body: html`See the Fanfare log for the reason. <a href="/">Try again</a>` }),
    500,
  );
}

/** Pages answer these problems without HTML. */
const ALWAYS_JSON: ReadonlySet<string> = new Set(['shuttingDown', 'timeout']);

const FAILED = new Problem({ status: 500, code: 'failed', detail: 'The request failed. See the Fanfare log for the reason.' });
