import { x, type XOptions } from '#adapters/x/index.ts';
import { tokensInMemory } from '#src/http/secrets/account-tokens.ts';
import { SocialAsync, type SocialPlatform } from '#src/clients/social/social.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { scriptHttp, type Reply, type ScriptedHttp, type Step } from '../../support/script-http.ts';

export interface ScriptedX extends AsyncDisposable {
  readonly social: SocialAsync;
  readonly clock: ManualClock;
  readonly server: ScriptedHttp;
  readonly platform: SocialPlatform;
}

/** A sign-in that is valid for two hours. */
export const SIGNED_IN = { accessToken: 'access-1', refreshToken: 'refresh-1', expiresAt: '2026-11-20T20:00:00Z', scopes: ['tweet.read'] };

/** A client on an X with exactly these exchanges. Their lines omit fields and expansions. */
export async function scriptX(steps: readonly Step[], options: XOptions = {}): Promise<ScriptedX> {
  const clock = new ManualClock();
  const server = await scriptHttp(steps, { lineOf: withoutFields });
  const signedIn = { clientId: 'client', clientSecret: 'tr0ub4dor', tokens: tokensInMemory(SIGNED_IN) };
  const platform = x({ ...signedIn, ...options, url: server.url, clock });
  return {
    social: new SocialAsync({ platform, clock }),
    clock,
    server,
    platform,
    async [Symbol.asyncDispose]() {
      await platform[Symbol.asyncDispose]();
      await server[Symbol.asyncDispose]();
    },
  };
}

/** A request line without fields and expansions. */
function withoutFields(line: string): string {
  const [request = '', query = ''] = line.split('?');
  const left = new URLSearchParams(query);
  for (const name of new Set(left.keys())) if (name.endsWith('.fields') || name === 'expansions') left.delete(name);
  return left.size === 0 ? request : `${request}?${decodeURIComponent(left.toString())}`;
}

export function userRow(username: string, { id = `10${username.length}`, ...row }: Readonly<Record<string, unknown>> = {}): object {
  return {
    id,
    username,
    name: username.toUpperCase(),
    created_at: '2016-12-14T20:32:28.000Z',
    description: 'Plays &amp; streams: https://t.co/abc',
    entities: { description: { urls: [{ start: 16, end: 32, url: 'https://t.co/abc', expanded_url: 'https://ada.example' }] } },
    verified: true,
    verified_type: 'blue',
    protected: false,
    public_metrics: { followers_count: 12, following_count: 3, tweet_count: 99, listed_count: 0, like_count: 4 },
    connection_status: ['following', 'followed_by'],
    receives_your_dm: true,
    ...row,
  };
}

export function postRow(id: string, row: Readonly<Record<string, unknown>> = {}): object {
  return {
    id,
    text: `post ${id}`,
    author_id: '42',
    created_at: '2026-11-20T17:00:00.000Z',
    conversation_id: id,
    edit_history_tweet_ids: [id],
    public_metrics: { retweet_count: 1, reply_count: 2, like_count: 3, quote_count: 4, bookmark_count: 5, impression_count: 6 },
    reply_settings: 'everyone',
    lang: 'en',
    ...row,
  };
}

const ADA = { users: [userRow('ada', { id: '42' })] };

/** A response with rows. */
export function rows(data: readonly object[], { next, ...more }: Readonly<Record<string, unknown>> = {}): Reply {
  return { json: { data, includes: ADA, meta: { result_count: data.length, ...(next !== undefined && { next_token: next }) }, ...more } };
}

/** A response with one record. */
export function one(data: object, more: object = {}): Reply {
  return { json: { data, includes: ADA, ...more } };
}

/** A response with an error. */
export function problem(status: number, body: object, headers: Readonly<Record<string, string>> = {}): Reply {
  return { status, json: body, headers };
}

export const ME = ['GET /2/users/me', one(userRow('fanfare', { id: '7' }))] as const;
