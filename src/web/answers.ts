import type { Context } from 'hono';
import { html } from './page/inline/html.ts';
import { HTTPException } from 'hono/http-exception';
import { lateModule } from '#src/errors.ts';
import type { Log } from '#src/log.ts';
import { messagePage } from '#src/web/page/document.ts';
import { languageOf } from './reader-language.ts';
import { linkAbove } from './page/navigation-bar.ts';
import { ACCESS_TEXTS } from './page/access-texts.ts';
import { answerProblem, isForPrograms, Problem, problemOf } from './problem.ts';

/** Answers a request for an unknown path. */
export function answerNotFound(c: Context): Response | Promise<Response> {
  if (isForPrograms(c))
    return answerProblem(c, new Problem({ status: 404, code: 'notFound', detail: `There is no ${c.req.method} ${c.req.path}.` }));
  const language = languageOf(c);
  const t = ACCESS_TEXTS[language];
  return c.html(
    messagePage({ title: t.notFound, language, body: html`${t.notFoundHow}`, links: [{ href: '/', text: t.goToFanfare }] }),
    404,
  );
}

/** Answers a failed request. Errors that the caller can fix keep their message; the log gets all other errors. */
export function answerError(error: Error, c: Context, log: Log): Response | Promise<Response> {
  const problem = problemOf(error);
  const language = languageOf(c);
  const t = ACCESS_TEXTS[language];
  if (problem && (isForPrograms(c) || ALWAYS_JSON.has(problem.details.code))) return answerProblem(c, problem);
  if (problem && (error instanceof HTTPException || error instanceof Problem)) {
    return answerWithPage(problem, c);
  }
  log.error({ error, method: c.req.method, path: c.req.path }, 'a request failed');
  if (isForPrograms(c)) return answerProblem(c, FAILED);
  return c.html(messagePage({ title: t.failed, language, body: html`${t.failedHow}`, links: [{ href: '/', text: t.tryAgain }] }), 500);
}

/** Few requests need the texts of problems, so they are not loaded at the start. */
const loadTexts = lateModule('the texts of problems', () => import('./views/texts/problems.ts'));

async function answerWithPage({ details, headers }: Problem, c: Context): Promise<Response> {
  const language = languageOf(c);
  const t = ACCESS_TEXTS[language];
  const { problemText } = await loadTexts();
  for (const [name, value] of Object.entries(headers)) c.header(name, value);
  const { text, lang = language } = problemText(details, language);
  const title = details.status === 404 ? t.notFound : t.notPossible;
  const above = details.status === 404 ? linkAbove(c.req.path, language) : [];
  const first = details.parameter === 'cursor' ? [{ href: withoutCursors(c.req.url), text: t.firstPage }] : [];
  const body = html`<span lang="${lang}">${text}</span>`;
  return c.html(messagePage({ title, language, body, links: [...first, ...above, { href: '/', text: t.goToFanfare }] }), details.status);
}

/** The query parameters of pages with the cursor of a list. */
const CURSORS = ['cursor', 'episodes'] as const;

/** The address of the first page of a list, with the filters of this page. */
function withoutCursors(url: string): string {
  const { pathname, searchParams } = new URL(url);
  for (const name of CURSORS) searchParams.delete(name);
  return searchParams.size === 0 ? pathname : `${pathname}?${searchParams.toString()}`;
}

/** Pages answer these problems without HTML. */
const ALWAYS_JSON: ReadonlySet<string> = new Set(['shuttingDown', 'timeout']);

const FAILED = new Problem({ status: 500, code: 'failed', detail: 'The request failed. See the Fanfare log for the reason.' });
