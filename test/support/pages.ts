import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';

/** The content of a path: HTML, or a function that answers. */
type Reply = string | RequestListener;

/** A local web server. */
export interface Pages extends AsyncDisposable {
  /** Without a trailing slash. */
  readonly url: string;
  /** The requested paths, in order. */
  readonly asked: readonly string[];
}

/** Starts a local server with these pages, by path. */
export async function servePages(pages: Readonly<Record<string, Reply>>): Promise<Pages> {
  const asked: string[] = [];
  const server = createServer((request, answer) => {
    const path = request.url ?? '';
    asked.push(path);
    const reply = pages[path];
    if (typeof reply === 'function') reply(request, answer);
    else if (reply === undefined) answer.writeHead(404).end();
    else answer.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(reply);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo; // it listens on a port
  return {
    url: `http://127.0.0.1:${port}`,
    asked,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

/** Answers with bytes of a type. */
export function bytes(content: Uint8Array, headers: Readonly<Record<string, string>>): RequestListener {
  return (_, answer) => void answer.writeHead(200, headers).end(content);
}

/** Redirects to another address. */
export function redirect(location: string): RequestListener {
  return (_, answer) => void answer.writeHead(302, { location }).end();
}
