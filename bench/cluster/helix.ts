import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

const POINTS = 100_000;
const ANSWER_MS = 50;
const TOKEN = { access_token: 'token-of-the-benchmark', expires_in: 5_000_000, token_type: 'bearer' };

/** One request for streams. */
interface Seen {
  readonly atMs: number;
  readonly channels: number;
}

/** Twitch with channels that are never live, which answers after 50 ms. */
export interface Helix extends AsyncDisposable {
  readonly environment: Readonly<Record<string, string>>;
  readonly seen: readonly Seen[];
}

/** Starts the server. */
export async function startHelix(): Promise<Helix> {
  const seen: Seen[] = [];
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://localhost');
    const isList = pathname.endsWith('/streams');
    if (isList) seen.push({ atMs: Date.now(), channels: searchParams.getAll('user_login').length });
    const body = pathname.endsWith('/token') ? TOKEN : { data: [], pagination: {} };
    const resetS = Math.ceil(Date.now() / 1000) + 60;
    setTimeout(
      () => {
        response.writeHead(200, {
          'content-type': 'application/json',
          'ratelimit-limit': POINTS,
          'ratelimit-remaining': POINTS - 1,
          'ratelimit-reset': resetS,
        });
        response.end(JSON.stringify(body));
      },
      isList ? ANSWER_MS : 0,
    );
    request.resume();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo; // it listens on a port
  const url = `http://127.0.0.1:${port}`;
  return {
    seen,
    environment: {
      TWITCH_CLIENT_ID: 'id-of-the-benchmark',
      TWITCH_CLIENT_SECRET: 'secret-of-the-benchmark',
      TWITCH_API_URL: `${url}/helix`,
      TWITCH_AUTH_URL: `${url}/oauth2`,
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
