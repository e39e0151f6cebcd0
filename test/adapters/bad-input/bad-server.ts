import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createServer as createHttpServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { freePort } from '../../support/fanfare-process.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

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

let made: { readonly key: string; readonly cert: string } | undefined;

/** A self-signed certificate for 127.0.0.1. */
function makeCertificate(): { readonly key: string; readonly cert: string } {
  using folder = temporaryFolder();
  const [key, cert] = ['key.pem', 'cert.pem'].map((name) => join(folder.path, name)) as [string, string]; // two names, two paths
  const subject = ['-subj', '/CN=127.0.0.1', '-addext', 'subjectAltName=IP:127.0.0.1'];
  const options = ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '2', ...subject];
  made ??=
    (execFileSync('openssl', [...options, '-keyout', key, '-out', cert], { stdio: 'ignore' }),
    {
      key: readFileSync(key, 'utf8'),
      cert: readFileSync(cert, 'utf8'),
    });
  return made;
}
