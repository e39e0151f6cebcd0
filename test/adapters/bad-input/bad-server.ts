import { createServer as createHttpServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { makeCertificate } from '../../support/certificate.ts';
import { freePort } from '../../support/fanfare-process.ts';

/** A wrong response of a server. */
export interface BadAnswer {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly json?: unknown;
  readonly text?: string;
  /** Responds in a way that a status and a body cannot describe. */
  readonly by?: (response: ServerResponse, request: IncomingMessage) => void;
}

export interface BadServer extends AsyncDisposable {
  readonly url: string;
  /** The request lines in order, for example `GET /2/users/me`. */
  readonly lines: readonly string[];
  /** The headers and bodies of the requests. */
  readonly headers: readonly IncomingMessage['headers'][];
}

/** A server that responds with `answerTo` to every request. */
export async function badServer(answerTo: (line: string) => BadAnswer): Promise<BadServer> {
  return serve((listener) => createHttpServer(listener), 'http', answerTo);
}

/** A server with a self-signed certificate. */
export async function selfSigned(answerTo: (line: string) => BadAnswer): Promise<BadServer & { readonly certificate: string }> {
  const identity = makeCertificate();
  const server = await serve((listener) => createHttpsServer(identity, listener), 'https', answerTo);
  return { ...server, certificate: identity.cert };
}

/** A local address without a server. */
export async function nobodysAddress(): Promise<string> {
  return `http://127.0.0.1:${await freePort()}`;
}

async function serve(
  create: (listener: RequestListener) => Server,
  scheme: string,
  answerTo: (line: string) => BadAnswer,
): Promise<BadServer> {
  const lines: string[] = [];
  const headers: IncomingMessage['headers'][] = [];
  const server = create((request, response) => {
    const line = `${request.method} ${request.url}`;
    lines.push(line);
    headers.push(request.headers);
    request.resume();
    request.once('end', () => give(response, request, answerTo(line)));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `${scheme}://127.0.0.1:${(server.address() as AddressInfo).port}`, // it listens on a port
    lines,
    headers,
    async [Symbol.asyncDispose]() {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };
}

function give(response: ServerResponse, request: IncomingMessage, { status = 200, headers = {}, json, text = '', by }: BadAnswer): void {
  if (by) {
    by(response, request);
    return;
  }
  const type = json === undefined ? 'text/html' : 'application/json';
  response.writeHead(status, { 'content-type': type, ...headers }).end(json === undefined ? text : JSON.stringify(json));
}
