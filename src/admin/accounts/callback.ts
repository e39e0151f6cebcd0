import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { UserError } from '#src/errors.ts';
import type { SentBack } from '#src/http/secrets/sign-in.ts';
import { hasState, readSentBack } from './redirect-parameters.ts';

const PATH = '/callback';

/** The address to which the platform redirects the browser. */
export const redirectUriOf = (port: number): string => `http://127.0.0.1:${port}${PATH}`;

/** A server on the loopback that waits for the browser. */
export interface Callback extends AsyncDisposable {
  /** The first answer to this sign-in; rejects if the platform refused. Never settles if the browser does not come back. */
  readonly answer: Promise<SentBack>;
  /** False if the port is in use. Then a person has to paste the address. */
  readonly isListening: boolean;
}

/** Listens at `redirectUriOf(port)` for the answer to the sign-in with this state. */
export async function openCallback(port: number, state: string): Promise<Callback> {
  const answer = Promise.withResolvers<SentBack>();
  answer.promise.catch(() => undefined);
  const server = createServer((request, response) => {
    response.setHeader('connection', 'close');
    const { pathname, search } = URL.parse(request.url ?? '/', redirectUriOf(port)) ?? {};
    // With DNS rebinding, a foreign page could read the response.
    if (!isHere(request.headers.host, port)) {
      response.writeHead(403).end();
      return;
    }
    if (pathname !== PATH || search === undefined) {
      response.writeHead(404).end();
      return;
    }
    // Any page can redirect a browser here. Without the state, the request must not end the sign-in.
    if (!hasState(search, state)) {
      respond(400, 'This answer does not belong to the sign-in that Fanfare waits for. Open the newest address in the terminal.');
      return;
    }
    try {
      answer.resolve(readSentBack(`${PATH}${search}`, state));
      respond(200, 'The sign-in is complete. You can close this window and go back to the terminal.');
    } catch (error) {
      const message = error instanceof UserError ? error.message : 'The sign-in failed.';
      answer.reject(error);
      respond(400, message);
    }

    function respond(status: number, text: string): void {
      const headers = {
        'content-type': 'text/html; charset=utf-8',
        'cache-control': 'no-store',
        'referrer-policy': 'no-referrer',
      };
      response.writeHead(status, headers).end(page(text));
    }
  });
  const isListening = await listen(server, port);
  return {
    answer: answer.promise,
    isListening,
    async [Symbol.asyncDispose]() {
      if (!isListening) return;
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

function isHere(host: string | undefined, port: number): boolean {
  const here = new URL(redirectUriOf(port));
  const asked = URL.parse(`http://${host}`);
  return asked?.port === here.port && ['localhost', here.hostname].includes(asked.hostname);
}

async function listen(server: Server, port: number): Promise<boolean> {
  server.listen(port, '127.0.0.1');
  try {
    await once(server, 'listening');
    return true;
  } catch {
    return false;
  }
}

/** The page with a text of Fanfare. Foreign parts of the text contain only letters and dots. */
function page(text: string): string {
  const style = 'font: 1.1rem/1.5 system-ui, sans-serif; max-width: 34rem; margin: 20vh auto; padding: 0 1rem; color-scheme: light dark';
  return `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Fanfare</title>
<body style="${style}"><h1 style="font-size: 1.3rem">Fanfare</h1><p>${text}</p>`;
}
