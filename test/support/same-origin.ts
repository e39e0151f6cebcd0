import type { HttpBindings } from '@hono/node-server';
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import { Hono } from 'hono';
import { request } from 'node:http';
import type { PlatformFactory } from '#sandbox/context.ts';

const NAME = 'near';

/** Serves other servers of this machine at the origin of a sandbox, the only one on this machine from which its accounts may read files. */
export const nearServer: PlatformFactory = () => {
  const routes = new Hono();
  routes.get('/:port/*', (c) => {
    const { port } = c.req.param();
    const { incoming, outgoing } = c.env as HttpBindings; // a sandbox is served by Node
    const path = (incoming.url ?? '').slice(`/${NAME}/${port}`.length);
    const asked = request({ host: '127.0.0.1', port: Number(port), path, headers: incoming.headers, agent: false }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(outgoing);
    });
    // If either side closes its connection, the other connection is closed too.
    asked.on('error', () => outgoing.destroy()).end();
    outgoing.on('close', () => asked.destroy());
    return RESPONSE_ALREADY_SENT;
  });
  return { name: NAME, routes, environment: () => ({}) };
};

/** The address of a server of this machine, or of something on it, at the origin of a sandbox that has `nearServer`. */
export function near({ sandbox }: { readonly sandbox: { readonly url: string } }, { url }: { readonly url: string }): string {
  const { port, pathname } = new URL(url);
  return `${sandbox.url}/${NAME}/${port}${pathname === '/' ? '' : pathname}`;
}
