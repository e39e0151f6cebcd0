import { Hono, type Context } from 'hono';
import { withSandboxPictures } from '#src/web/sandbox-pictures.ts';
import { actorOf } from '#src/web/actor.ts';
import { includesRole } from '#src/admin/actions/actor.ts';
import { signOutForm } from './sign-out-form.ts';
import { mainPage, type PartName, type Parts } from './document.ts';
import { readPageQuery, type PageView } from './page-query.ts';
import { partsOf, type PartsOptions } from './load-parts.ts';

export interface PagesOptions extends PartsOptions {
  /** The origin of the sandbox; absent with real accounts. */
  readonly sandboxOrigin?: string | undefined;
}

/** The page at `/`, and each of its parts at `/fragments/<part>`. */
export function pages({ sandboxOrigin, ...options }: PagesOptions): Hono {
  const routes = new Hono();
  const made = partsOf(options);
  const names = Object.keys(made) as PartName[]; // the keys of a record are its names
  const shown = names.map((name) => [name, (view: PageView) => withSandboxPictures(made[name](view), sandboxOrigin)] as const);
  const parts = Object.fromEntries(shown) as unknown as Parts; // with the same names

  routes.get('/', async (c) => {
    const formToken = c.get('formToken');
    const person = formToken === undefined ? undefined : signOutForm(actorOf(c).name, formToken);
    return c.html(await mainPage({ parts, view: viewOf(c), clock: options.clock, formToken, person }));
  });

  for (const name of names) routes.get(`/fragments/${name}`, async (c) => c.html(await parts[name](viewOf(c))));

  return routes;
}

function viewOf(c: Context): PageView {
  return { query: readPageQuery(c.req.query()), canAct: includesRole(actorOf(c).role, 'editor') };
}
