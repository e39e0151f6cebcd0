import { mastodon, type MastodonOptions } from '#adapters/mastodon/index.ts';
import { SocialAsync, type SocialPlatform } from '#src/clients/social/social.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { scriptHttp, type Exchange, type ScriptedHttp, type Step } from '../../support/script-http.ts';

export interface ScriptedMastodon extends AsyncDisposable {
  readonly social: SocialAsync;
  readonly platform: SocialPlatform;
  readonly clock: ManualClock;
  readonly server: ScriptedHttp;
}

/** A client on a server with exactly these exchanges. */
export async function scriptMastodon(steps: readonly Step[], options: Partial<MastodonOptions> = {}): Promise<ScriptedMastodon> {
  const clock = new ManualClock();
  const server = await scriptHttp(steps);
  const platform = mastodon({ url: server.url, token: 'tr0ub4dor', clock, ...options });
  return {
    platform,
    social: new SocialAsync({ platform, clock }),
    clock,
    server,
    async [Symbol.asyncDispose]() {
      await platform[Symbol.asyncDispose]();
      await server[Symbol.asyncDispose]();
    },
  };
}

/** The description of a current Mastodon server. */
export function describes(configuration: object = {}, apiVersion: number | undefined = 7): Exchange {
  return [
    'GET /api/v2/instance',
    {
      json: {
        domain: 'social.example',
        version: '4.5.0',
        api_versions: { mastodon: apiVersion },
        configuration: {
          statuses: { max_characters: 500, max_media_attachments: 4, characters_reserved_per_url: 23 },
          ...configuration,
        },
      },
    },
  ];
}

export function accountRow(id: string, username: string, row: object = {}): object {
  return {
    id,
    username,
    acct: username,
    display_name: username.toUpperCase(),
    url: `https://social.example/@${username}`,
    note: '<p>Plays <a href="https://chess.example">chess</a>.</p>',
    avatar: 'https://files.example/a.png',
    header: 'https://files.example/h.png',
    created_at: '2024-02-01T00:00:00.000Z',
    followers_count: 3,
    following_count: 2,
    statuses_count: 1,
    locked: false,
    bot: false,
    fields: [],
    emojis: [],
    ...row,
  };
}

export const ME: Exchange = ['GET /api/v1/accounts/verify_credentials', { json: accountRow('1', 'fanfare') }];

export function statusRow(id: string, row: object = {}): object {
  return {
    id,
    uri: `https://social.example/users/ada/statuses/${id}`,
    url: `https://social.example/@ada/${id}`,
    account: accountRow('2', 'ada'),
    content: '<p>Hello</p>',
    created_at: '2026-11-20T17:00:00.000Z',
    edited_at: null,
    in_reply_to_id: null,
    in_reply_to_account_id: null,
    sensitive: false,
    spoiler_text: '',
    visibility: 'public',
    language: 'en',
    replies_count: 1,
    reblogs_count: 2,
    favourites_count: 3,
    quotes_count: 0,
    media_attachments: [],
    mentions: [],
    tags: [],
    emojis: [],
    reblog: null,
    poll: null,
    quote: null,
    card: null,
    favourited: false,
    reblogged: false,
    bookmarked: false,
    pinned: false,
    ...row,
  };
}
