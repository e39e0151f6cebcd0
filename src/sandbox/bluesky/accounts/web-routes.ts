import { Hono } from 'hono';
import type { Bluesky } from '../core.ts';
import { didDocument } from './did-document.ts';

/** `https://plc.directory` for the DIDs of this world. */
export function plcRoutes({ directory }: Bluesky): Hono {
  const routes = new Hono();
  routes.get('/:did', (c) => {
    const did = c.req.param('did');
    const person = directory.find(did);
    if (!person) return c.json({ message: `DID not registered: ${did}` }, 404);
    const { origin } = new URL(c.req.url);
    return c.body(JSON.stringify(didDocument({ did, handle: directory.handleOf(person), pds: origin })), 200, {
      'content-type': 'application/did+ld+json',
    });
  });
  return routes;
}

/** `/.well-known/atproto-did`: whose handle the name of this host is. */
export function handleRoutes({ directory }: Bluesky): Hono {
  const routes = new Hono();
  routes.get('/', (c) => {
    const person = directory.find(new URL(c.req.url).hostname);
    return person ? c.text(directory.didOf(person)) : c.text('User not found', 404);
  });
  return routes;
}
