import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { fetch } from 'undici';

export interface LosingProxy extends AsyncDisposable {
  readonly url: string;
  /** The number of requests. */
  readonly count: number;
}

export interface LosingProxyOptions {
  readonly origin: string;
  /** The number of the lost request, from 1. */
  readonly lose: number;
  /** Whether the request or its answer is lost. */
  readonly what: 'request' | 'answer';
}

/** Forwards POST requests to `origin` and loses one of them. */
export async function losingProxy({ origin, lose, what }: LosingProxyOptions): Promise<LosingProxy> {
  let count = 0;

  async function pass(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const lost = ++count === lose;
    const body = await buffer(request);
    if (lost && what === 'request') {
      response.destroy();
      return;
    }
    const { authorization = '' } = request.headers;
    const answer = await fetch(`${origin}${request.url}`, { method: 'POST', headers: { authorization }, body });
    const text = await answer.text();
    if (lost) response.destroy();
    else response.writeHead(answer.status, { 'content-type': 'application/json' }).end(text);
  }

  const server = createServer((request, response) => void pass(request, response));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo; // it listens on a port
  return {
    url: `http://127.0.0.1:${port}`,
    get count() {
      return count;
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
