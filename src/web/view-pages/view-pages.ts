import type { Context } from 'hono';
import { h } from '../views/preact.mjs';
import { renderToString } from './render-to-string.mjs';
import { includesRole } from '#src/admin/actions/actor.ts';
import type { ApiQueries } from '#src/admin/queries/api-queries.ts';
import type { Clock } from '#src/clock.ts';
import { actorOf } from '../actor.ts';
import { ApiProblem, createApiClient } from '../client/client.ts';
import { signOutForm } from '../page/sign-out-form.ts';
import { languageOf } from '../reader-language.ts';
import { databaseLost, problemOfAnswer } from '../problem.ts';
import { LanguageContext } from '../views/language.ts';
import { VIEW_LOADERS } from '../views/registry.ts';
import type { Address, ShownView, View } from '../views/view.ts';
import { viewDocument } from './view-document.ts';

export interface ViewPagesOptions {
  /** Answers a request of the HTTP API, in this process, for the actor of the page. */
  readonly answerApi: (request: Request, c: Context) => Promise<Response>;
  /** The id of the last event that is in all answers of the API from now on. */
  readonly lastEventId: () => Promise<string>;
  readonly apiQueries: Pick<ApiQueries, 'database'>;
  readonly clock: Clock;
  /** The origin of the sandbox; absent with real accounts. */
  readonly sandboxOrigin?: string | undefined;
}

/** Answers with the view of a path. Its data comes from the HTTP API with the rights of the reader. */
export async function answerView(
  path: string,
  c: Context,
  { answerApi, lastEventId, apiQueries, clock, sandboxOrigin }: ViewPagesOptions,
): Promise<Response> {
  const view = await VIEW_LOADERS[path]?.();
  if (!view) throw new Error(`no view has the path ${path}`);
  // A read would wait until the database answers.
  if (!view.worksWithoutDatabase && apiQueries.database().lostAtMs !== undefined) throw databaseLost();
  const address: Address = { parameters: c.req.param(), query: c.req.query() };
  const client = createApiClient({ url: new URL(c.req.url).origin, fetch: (input, init) => answerApi(new Request(input, init), c) });
  const actor = actorOf(c);
  const reader = {
    canAct: includesRole(actor.role, 'editor'),
    isAdmin: includesRole(actor.role, 'admin'),
    language: languageOf(c),
    sandboxOrigin,
  };
  const eventId = await lastEventId();
  const shown: ShownView = { path, address, reader, data: await load(view, address), eventId, nowMs: clock.nowMs() };
  const formToken = c.get('formToken');
  return c.html(
    await viewDocument({
      title: view.title(shown, reader.language),
      rendered: renderToString(h(LanguageContext.Provider, { value: reader.language }, h(view.Body, shown))),
      shown,
      formToken,
      person: formToken === undefined ? undefined : signOutForm(actor.name, formToken, reader.language),
    }),
  );

  async function load(of: View, at: Address): Promise<unknown> {
    try {
      return await of.load(client, at, reader.language);
    } catch (error) {
      throw error instanceof ApiProblem ? problemOfAnswer(error.problem) : error;
    }
  }
}
