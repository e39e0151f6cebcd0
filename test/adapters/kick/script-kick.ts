import { kick } from '#adapters/kick/index.ts';
import { Bot } from '#src/clients/streaming/bot.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { scriptHttp, type Exchange, type Reply, type ScriptedHttp, type Step } from '../../support/script-http.ts';

/** The request for a token. */
const SIGN_IN: readonly Exchange[] = [
  ['POST /oauth/token', { json: { access_token: 'token-1', expires_in: 5_000_000, token_type: 'Bearer' } }],
];

export interface ScriptedKick extends AsyncDisposable {
  readonly bot: Bot;
  readonly clock: ManualClock;
  readonly server: ScriptedHttp;
}

/** A `Bot` on a Kick with exactly these exchanges after the sign-in. */
export async function scriptKick(steps: readonly Step[], signIn: readonly Exchange[] = SIGN_IN): Promise<ScriptedKick> {
  const clock = new ManualClock();
  const server = await scriptHttp([...signIn, ...steps]);
  const platform = kick({ clientId: 'client', clientSecret: 'tr0ub4dor', apiUrl: server.url, authUrl: server.url, clock });
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

/** A response of the API. */
export function rows(data: readonly object[], cursor = ''): Reply {
  return { json: { message: 'OK', data, pagination: { next_cursor: cursor } } };
}

export function liveRow(id: number, row: Readonly<Record<string, unknown>> = {}): object {
  return {
    id: `550e8400-e29b-41d4-a716-${String(id).padStart(12, '0')}`,
    broadcaster_user: { id, username: `User_${id}`, profile_picture: '' },
    channel: { slug: `user-${id}` },
    category: { id: 15, name: 'Just Chatting', thumbnail: 'https://files.kick.com/just-chatting.webp' },
    title: `Stream of ${id}`,
    language_code: 'en',
    tags: ['English'],
    started_at: '2026-11-20T17:00:00Z',
    thumbnail: `https://images.kick.com/${id}/720.webp`,
    viewer_count: id,
    has_mature_content: false,
    ...row,
  };
}

export function channelRow(id: number, live: boolean): object {
  return {
    broadcaster_user_id: id,
    slug: `user-${id}`,
    channel_description: `About ${id}`,
    banner_picture: '',
    stream_title: live ? `Stream of ${id}` : 'the last one',
    category: { id: 15, name: 'Just Chatting', thumbnail: '' },
    stream: {
      is_live: live,
      is_mature: false,
      key: '',
      url: '',
      language: 'en',
      start_time: live ? '2026-11-20T17:00:00Z' : '0001-01-01T00:00:00Z',
      thumbnail: '',
      viewer_count: live ? id : 0,
      custom_tags: null,
    },
  };
}
