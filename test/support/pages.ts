import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What stands at a path: a page of HTML, or whatever answers there. */
type Standing = string | RequestListener;

/** A web server of this machine. */
export interface Pages extends AsyncDisposable {
  /** Without a slash at its end. */
  readonly url: string;
  /** What was asked for, in order. */
  readonly asked: readonly string[];
}

/** A server of this machine with these pages, by their paths, and nothing else. */
export async function servePages(pages: Readonly<Record<string, Standing>>): Promise<Pages> {
  const asked: string[] = [];
  const server = createServer((request, answer) => {
    const path = request.url ?? '';
    asked.push(path);
    const standing = pages[path];
    if (typeof standing === 'function') standing(request, answer);
    else if (standing === undefined) answer.writeHead(404).end();
    else answer.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(standing);
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

/** Leads elsewhere. */
export function redirect(location: string): RequestListener {
  return (_, answer) => void answer.writeHead(302, { location }).end();
}
