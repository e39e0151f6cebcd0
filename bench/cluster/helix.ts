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

/** Twitch, which answers after 50 ms. */
export interface Helix extends AsyncDisposable {
  readonly environment: Readonly<Record<string, string>>;
  readonly seen: readonly Seen[];
  /** The requests for anything else, for example the pictures of users. */
  readonly others: () => number;
}

export interface HelixOptions {
  /** Returns true for the handle of a live channel. Default: no channel is live. */
  readonly isLive?: (handle: string) => boolean;
}

/** Starts the server. */
export async function startHelix({ isLive = () => false }: HelixOptions = {}): Promise<Helix> {
  const seen: Seen[] = [];
  /** When each stream was read first. */
  const startedAt = new Map<string, string>();
  let others = 0;
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://localhost');
    const isList = pathname.endsWith('/streams');
    if (isList) seen.push({ atMs: Date.now(), channels: searchParams.getAll('user_login').length });
    else if (!pathname.endsWith('/token')) others += 1;
    const live = isList ? searchParams.getAll('user_login').filter(isLive) : [];
    const ids = searchParams.getAll('id');
    const data = isList
      ? live.map((handle) => toStream(handle, started(handle)))
      : pathname.endsWith('/users')
        ? ids.map(toUser)
        : ids.map(toGame);
    const body = pathname.endsWith('/token') ? TOKEN : { data, pagination: {} };
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
  function started(handle: string): string {
    const at = startedAt.get(handle) ?? new Date().toISOString();
    startedAt.set(handle, at);
    return at;
  }

  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo; // it listens on a port
  const url = `http://127.0.0.1:${port}`;
  return {
    seen,
    others: () => others,
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

/** A stream in Helix. */
function toStream(handle: string, startedAt: string): object {
  return {
    id: `4${handle.replace(/\D/gu, '')}`,
    user_id: `1${handle.replace(/\D/gu, '')}`,
    user_login: handle,
    user_name: handle.toUpperCase(),
    game_id: '743',
    game_name: 'Chess',
    type: 'live',
    title: `Ranked with ${handle} until I win`,
    tags: ['English'],
    viewer_count: 250,
    started_at: startedAt,
    language: 'en',
    thumbnail_url: `https://static-cdn.example/previews/live_user_${handle}-{width}x{height}.jpg`,
    is_mature: false,
  };
}

/** A user in Helix. */
function toUser(id: string): object {
  const login = `streamer${id.slice(1)}`;
  return {
    id,
    login,
    display_name: login.toUpperCase(),
    description: '',
    broadcaster_type: 'affiliate',
    profile_image_url: `https://static-cdn.example/avatars/${id}-300x300.png`,
    offline_image_url: '',
    created_at: '2020-11-20T17:00:00Z',
  };
}

/** A game in Helix. */
function toGame(id: string): object {
  return { id, name: 'Chess', box_art_url: `https://static-cdn.example/games/${id}-{width}x{height}.jpg`, igdb_id: '' };
}
