import { Hono, type Context } from 'hono';
import { z } from 'zod';
import { catalogueOf, type Declared } from '#src/clients/operation/declared.ts';
import { platformTopics } from '#src/clients/social/social.ts';
import type { SocialRequest } from './request.ts';
import { findByKey, socialOperations } from './operations/operations.ts';
import type { Page } from './paging.ts';
import { notFound, Refusal } from './refusal.ts';
import type { Sessions } from './sessions.ts';
import type { WorldPerson } from '../world/world.ts';

interface ApiOptions {
  readonly sessions: Sessions;
  readonly startRequest: (path: string, viewer: WorldPerson) => SocialRequest;
}

const Body = z.strictObject({
  params: z.record(z.string(), z.unknown()).default({}),
  cursor: z.string().optional(),
  key: z.string().optional(),
  since: z.iso.datetime().optional(),
});

type Primitive = (params: object, options: object) => Promise<unknown>;

/** `POST /<operation>` for every declared operation of a platform, and `POST /<operation>/recover` for those that create something. */
export function socialApi({ sessions, startRequest }: ApiOptions): Hono {
  const declared = new Map([...catalogueOf({ social: platformTopics }).values()].map((operation) => [operation.name, operation]));

  function requireDeclared(name: string): Declared {
    const operation = declared.get(name);
    if (!operation) throw notFound(`operation ${name}`);
    return operation;
  }

  function viewerOf(c: Context): WorldPerson {
    const viewer = sessions.find(c.req.header('authorization')?.replace(/^Bearer /, ''));
    if (!viewer) throw new Refusal(401, 'unauthorized', 'The token is not valid.');
    return viewer;
  }

  const api = new Hono();
  api.onError((error, c) => {
    if (!(error instanceof Refusal)) throw error;
    return c.json({ error: error.error, message: error.message }, error.status);
  });

  api.use(async (c, next) => {
    viewerOf(c);
    await next();
  });

  api.post('/:operation', async (c) => {
    const operation = requireDeclared(c.req.param('operation'));
    const { params, cursor, key, since } = await bodyOf(c);
    const request = startRequest(c.req.path, viewerOf(c));
    const args = argumentsOf(operation, params);
    const find = findByKey[operation.name];
    const earlier = find && key !== undefined && !request.fault('ignoreKey') ? find(key, request) : undefined;
    if (earlier) return c.json(earlier);
    const operations = socialOperations(request);
    const primitive = operations[operation.name as keyof typeof operations] as Primitive; // there is one for each declaration
    const answer = await primitive(args, { cursor, key, since: since && new Date(since) });
    return c.json(operation.kind === 'list' ? withFaults(answer as Page<unknown>, cursor, request) : answer); // a list's primitive answers a page
  });

  api.post('/:operation/recover', async (c) => {
    const operation = requireDeclared(c.req.param('operation'));
    const { params, key } = await bodyOf(c);
    const find = findByKey[operation.name];
    if (!find) throw notFound(`way to recover ${operation.name}`);
    argumentsOf(operation, params);
    const found = key === undefined ? undefined : find(key, startRequest(c.req.path, viewerOf(c)));
    return c.json(found ? { found } : {});
  });

  return api;
}

async function bodyOf(c: Context): Promise<z.output<typeof Body>> {
  const body = Body.safeParse(await c.req.json().catch(() => undefined));
  if (!body.success) throw new Refusal(400, 'invalid_body', z.prettifyError(body.error));
  return body.data;
}

/** The parameters for the primitive. Only the client uses `pages`, `waitTime` and `cursor`. */
function argumentsOf({ params: schema }: Declared, input: object): object {
  const parsed = schema.safeParse(input);
  if (!parsed.success) throw new Refusal(400, 'invalid_params', z.prettifyError(parsed.error));
  const { pages: _pages, waitTime: _waitTime, cursor: _cursor, ...params } = parsed.data as Readonly<Record<string, unknown>>; // every `params` is an object
  return params;
}

/** A page with the effects of the ordered faults. */
function withFaults(page: Page<unknown>, cursor: string | undefined, { fault }: SocialRequest): Page<unknown> {
  if (fault('emptyList')) return { items: [] };
  if (fault('shortList')) return { ...page, items: page.items.slice(0, Math.ceil(page.items.length / 2)) };
  if (fault('endlessCursor')) return { ...page, cursor: cursor ?? page.cursor ?? '0.start' };
  return page;
}
