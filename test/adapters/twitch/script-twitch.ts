import { twitch } from '#adapters/twitch/index.ts';
import { Bot } from '#src/streaming/bot.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { scriptHttp, type Exchange, type Reply, type ScriptedHttp, type Step } from '../../support/script-http.ts';

/** Getting a token, and asking whether it is good. */
export const SIGN_IN: readonly Exchange[] = [
  ['POST /oauth2/token', { json: { access_token: 'token-1', expires_in: 5_000_000, token_type: 'bearer' } }],
  ['GET /oauth2/validate', { json: { client_id: 'client', scopes: [], expires_in: 5_000_000 } }],
];

export interface ScriptedTwitch extends AsyncDisposable {
  readonly bot: Bot;
  readonly clock: ManualClock;
  readonly server: ScriptedHttp;
}

/** A `Bot` on a Twitch that answers exactly these exchanges, once it has signed in. */
export async function scriptTwitch(steps: readonly Step[], signIn: readonly Exchange[] = SIGN_IN): Promise<ScriptedTwitch> {
  const clock = new ManualClock();
  const server = await scriptHttp([...signIn, ...steps]);
  const platform = twitch({
    clientId: 'client',
    clientSecret: 'tr0ub4dor',
    apiUrl: `${server.url}/helix`,
    authUrl: `${server.url}/oauth2`,
    clock,
  });
  return {
    bot: new Bot({ platform, clock }),
    clock,
    server,
    async [Symbol.asyncDispose]() {
      await platform[Symbol.asyncDispose]();
      await server[Symbol.asyncDispose]();
    },
  };
}

/** An answer of Helix. */
export function rows(data: readonly object[], cursor?: string): Reply {
  return { json: { data, pagination: cursor === undefined ? {} : { cursor } } };
}

export function streamRow(login: string, { id = `s-${login}`, ...row }: Readonly<Record<string, unknown>> = {}): object {
  return {
    id,
    user_id: `u-${login}`,
    user_login: login,
    user_name: login.toUpperCase(),
    game_id: '743',
    game_name: 'Chess',
    type: 'live',
    title: `${login} plays`,
    viewer_count: 10,
    started_at: '2026-11-20T17:00:00Z',
    language: 'en',
    tags: ['English'],
    tag_ids: [],
    is_mature: false,
    thumbnail_url: `https://static-cdn.jtvnw.net/previews-ttv/live_user_${login}-{width}x{height}.jpg`,
    ...row,
  };
}

export function gameRow(id: string, name: string): object {
  return { id, name, box_art_url: `https://static-cdn.jtvnw.net/ttv-boxart/${id}-{width}x{height}.jpg`, igdb_id: '' };
}

/** The logins of those who stream. */
export function logins(streams: Iterable<{ readonly owner: { readonly handle: string } }>): readonly string[] {
  return Array.from(streams, ({ owner }) => owner.handle);
}
