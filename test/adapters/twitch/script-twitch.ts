import { twitch } from '#adapters/twitch/index.ts';
import { Bot } from '#src/clients/streaming/bot.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { scriptHttp, type Exchange, type Reply, type ScriptedHttp, type Step } from '../../support/script-http.ts';

/** The request for a token and its validation. */
export const SIGN_IN: readonly Exchange[] = [
  ['POST /oauth2/token', { json: { access_token: 'token-1', expires_in: 5_000_000, token_type: 'bearer' } }],
  ['GET /oauth2/validate', { json: { client_id: 'client', scopes: [], expires_in: 5_000_000 } }],
];

export interface ScriptedTwitch extends AsyncDisposable {
  readonly bot: Bot;
  readonly clock: ManualClock;
  readonly server: ScriptedHttp;
}

/** A `Bot` on a Twitch with exactly these exchanges after the sign-in. */
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

/** A response of Helix. */
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

export function userRow(id: string, login: string): object {
  return {
    id,
    login,
    display_name: login.toUpperCase(),
    type: '',
    broadcaster_type: 'partner',
    description: '',
    profile_image_url: 'https://static-cdn.jtvnw.net/ada.png',
    offline_image_url: '',
    view_count: 0,
    created_at: '2016-12-14T20:32:28Z',
  };
}

/** The requests for the pictures of live channels that play Chess. */
export function askPictures(...owners: readonly string[]): Step {
  return {
    together: [
      [`GET /helix/users?${owners.map((login) => `id=u-${login}`).join('&')}`, rows(owners.map((login) => userRow(`u-${login}`, login)))],
      ['GET /helix/games?id=743', rows([gameRow('743', 'Chess')])],
    ],
  };
}

export function videoRow(id: string, row: Readonly<Record<string, unknown>> = {}): object {
  return {
    id,
    stream_id: '9001',
    user_id: '42',
    user_login: 'ada',
    user_name: 'Ada',
    title: `Video ${id}`,
    description: '',
    created_at: '2026-11-19T20:00:00Z',
    published_at: '2026-11-19T20:00:01Z',
    url: `https://www.twitch.tv/videos/${id}`,
    thumbnail_url: `https://static-cdn.jtvnw.net/cf_vods/${id}/thumb-%{width}x%{height}.jpg`,
    viewable: 'public',
    view_count: 10,
    language: 'en',
    type: 'archive',
    duration: '3h8m33s',
    muted_segments: [{ offset: 120, duration: 30 }],
    ...row,
  };
}

export function clipRow(id: string, row: Readonly<Record<string, unknown>> = {}): object {
  return {
    id,
    url: `https://clips.twitch.tv/${id}`,
    embed_url: `https://clips.twitch.tv/embed?clip=${id}`,
    broadcaster_id: '42',
    broadcaster_name: 'Ada',
    creator_id: '7',
    creator_name: 'Grace_H',
    video_id: '123',
    game_id: '743',
    language: 'EN',
    title: `Clip ${id}`,
    view_count: 10,
    created_at: '2026-11-19T20:00:00Z',
    thumbnail_url: `https://static-cdn.jtvnw.net/${id}-preview-480x272.jpg`,
    duration: 12.9,
    vod_offset: 1957,
    is_featured: true,
    ...row,
  };
}

/** The logins of the channels. */
export function logins(streams: Iterable<{ readonly owner: { readonly handle: string } }>): readonly string[] {
  return Array.from(streams, ({ owner }) => owner.handle);
}
