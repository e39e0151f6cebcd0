import { fetch, type Response } from 'undici';
import type { Sandbox } from '#sandbox/server.ts';

/** An answer of Helix as far as tests look at it. */
interface HelixAnswer {
  readonly status: number;
  readonly headers: Response['headers'];
  readonly data: readonly Readonly<Record<string, unknown>>[];
  readonly cursor: string | undefined;
  readonly message: string | undefined;
  readonly body: unknown;
}

/** Asks the Twitch of a sandbox with nothing in between. */
export interface HelixUser {
  readonly token: string;
  /** As `/streams?first=2`. */
  get(path: string, headers?: Readonly<Record<string, string>>): Promise<HelixAnswer>;
}

/** Requests a token, and resolves with a client that uses it. */
export async function helixUser({ environment }: Sandbox): Promise<HelixUser> {
  const { TWITCH_API_URL: api = '', TWITCH_AUTH_URL: auth = '', TWITCH_CLIENT_ID = '', TWITCH_CLIENT_SECRET = '' } = environment;
  const form = { client_id: TWITCH_CLIENT_ID, client_secret: TWITCH_CLIENT_SECRET, grant_type: 'client_credentials' };
  const response = await fetch(`${auth}/token`, { method: 'POST', body: new URLSearchParams(form) });
  const { access_token: token } = (await response.json()) as { access_token: string }; // oauth.test.ts looks closer

  return {
    token,

    async get(path, headers = { authorization: `Bearer ${token}`, 'client-id': TWITCH_CLIENT_ID }) {
      const answer = await fetch(api + path, { headers });
      const body = (await answer.json()) as {
        data?: HelixAnswer['data'];
        pagination?: { cursor?: string };
        message?: string;
      }; // the shape of every answer of Helix
      return {
        status: answer.status,
        headers: answer.headers,
        data: body.data ?? [],
        cursor: body.pagination?.cursor,
        message: body.message,
        body,
      };
    },
  };
}
