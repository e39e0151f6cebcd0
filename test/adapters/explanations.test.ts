import { describe, expect, test } from 'vitest';
import { bluesky } from '#adapters/bluesky/index.ts';
import { discord } from '#adapters/discord/index.ts';
import { giphy } from '#adapters/giphy/index.ts';
import { kick } from '#adapters/kick/index.ts';
import { mastodon } from '#adapters/mastodon/index.ts';
import { openai } from '#adapters/openai/index.ts';
import { sandbox } from '#adapters/sandbox/index.ts';
import { twitch } from '#adapters/twitch/index.ts';
import { x } from '#adapters/x/index.ts';
import type { SocialAsync } from '#src/clients/social/social.ts';
import { fileWith, MP4 } from '../support/media-files.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { badServer } from './bad-input/bad-server.ts';
import { clientAt, PLANTED, PLATFORMS } from './bad-input/clients.ts';
import { failureOf } from './bad-input/expecting.ts';

const SENTENCE = 'The moon is in the wrong phase for this.';
/** Refusals that every platform can send, and the person or program that can act, as the message names them. */
const STATUSES = [
  [400, /check its parameters|X does not accept the request|check both/],
  [403, /check the account and its credentials|does not allow .* for mastodon|does not have this permission|check both/],
  [413, /use a smaller file or a shorter text|X does not accept the request/],
  [422, /check its parameters|X does not accept the request/],
  [429, /too many requests; try again later/],
  [500, /the platform is unavailable; try again later/],
] as const;

/** A refusal in the form of each platform. */
const BODIES: Readonly<Record<(typeof PLATFORMS)[number], (sentence: string) => object>> = {
  x: (detail) => ({ title: 'Invalid Request', detail, type: 'about:blank' }),
  bluesky: (message) => ({ error: 'InvalidRequest', message }),
  mastodon: (error) => ({ error }),
  twitch: (message) => ({ error: 'Bad Request', status: 400, message }),
  kick: (message) => ({ data: {}, message }),
};

describe.for(PLATFORMS)('a refusal of %s', (platform) => {
  test.for(STATUSES)('with %i names who can act, and what the server says', async ([status, actor]) => {
    // A server may repeat the credentials of the request.
    const credential = platform === 'twitch' || platform === 'kick' ? 'client' : 'access';
    const json = BODIES[platform](`${SENTENCE} ${PLANTED}-${credential}`);
    await using server = await badServer(() => ({ status, json }));
    await using client = clientAt(platform, server.url);

    const errors = [await failureOf(client, client.read)];
    if (client.social && status !== 500) errors.push(await failureOf(client, client.write));

    // X explains only errors of a request.
    const explanation = platform === 'x' && status >= 429 ? '' : `: "${SENTENCE}`;
    for (const { message } of errors) {
      expect(message).toMatch(actor);
      expect(message).toContain(explanation);
    }
  });
});

/** Calls that name a post, a list or a user of Mastodon, and how the error names it. */
const NAMING: Readonly<Record<string, readonly [call: (social: SocialAsync) => Promise<unknown>, record: string]>> = {
  'a reply': [(social) => social.createPost('hi', { replyTo: '91' }), 'post 91'],
  'an edit': [(social) => social.editPost('92', 'hi'), 'post 92'],
  'a like': [(social) => social.likePost('93'), 'post 93'],
  'a repost': [(social) => social.repostPost('94'), 'post 94'],
  'a vote': [(social) => social.votePoll('95', [0]), 'post 95'],
  'a read': [(social) => social.postDetail('96'), 'post 96'],
  'the likes of a post': [async (social) => social.getPostLikes('97'), 'post 97'],
  'a list': [(social) => social.getList('98'), 'list 98'],
};

describe('a record that Mastodon does not have', () => {
  test.for(Object.entries(NAMING))('is named in the error of %s', async ([, [call, record]]) => {
    const isAbout = (line: string): boolean => /\/(?:statuses|lists)\//.test(line);
    await using server = await badServer((line) => (isAbout(line) ? { status: 404, json: { error: 'Record not found' } } : { json: {} }));
    await using client = clientAt('mastodon', server.url);

    const error = await failureOf(client, async () => client.social && call(client.social));

    expect(error.fault).toBe('missing');
    expect(error.message).toBe(
      `mastodon has no ${record}: it was deleted, or the account cannot see it. The reason of the server: "Record not found"`,
    );
  });

  test('is named if it was deleted while the reply was written', async () => {
    const author = { id: '2', username: 'grace', acct: 'grace', url: 'https://social.example/@grace' };
    const status = {
      id: '91',
      uri: 'https://social.example/91',
      created_at: '2026-11-20T18:00:00Z',
      content: 'hi',
      visibility: 'public',
      account: author,
    };
    await using server = await badServer((line) => {
      if (line === 'POST /api/v1/statuses')
        return { status: 404, json: { error: 'The post you are trying to reply to does not appear to exist.' } };
      if (line.includes('/statuses/91')) return { json: status };
      return { json: line.includes('verify_credentials') ? { ...author, id: '1', username: 'ada', acct: 'ada' } : {} };
    });
    await using client = clientAt('mastodon', server.url);

    const error = await failureOf(client, async () => client.social?.createPost('hi', { replyTo: '91' }));

    expect(error.message).toBe(
      'mastodon has no post 91: it was deleted, or the account cannot see it. The reason of the server: "The post you are trying to reply to does not appear to exist."',
    );
  });

  test('is not blamed if the server lacks the route', async () => {
    await using server = await badServer((line) => (line.includes('/lists') ? { status: 405, json: {} } : { json: {} }));
    await using client = clientAt('mastodon', server.url);

    const error = await failureOf(client, async () => client.social?.getLists());

    expect(error.message).toBe('mastodon: the server does not offer GET /api/v1/lists: its software or its version lacks this.');
  });
});

describe('a method that a server of Bluesky does not offer', () => {
  test.for([
    [
      501,
      { error: 'MethodNotImplemented', message: 'Method Not Implemented' },
      /does not offer app\.bsky\.bookmark\.getBookmarks: .* Ask the operator of the server\.$/,
    ],
    [
      502,
      { error: 'UpstreamFailure', message: 'Upstream Failure' },
      /needs an AppView, which http:\S+ cannot reach now: try again later\.$/,
    ],
  ] as const)('with %i is not blamed on a missing AppView that has answered', async ([status, json, message]) => {
    await using server = await badServer((line) =>
      line.includes('getBookmarks') ? { status, json } : { json: { feed: [], did: 'did:plc:ada', handle: 'ada.test' } },
    );
    await using client = clientAt('bluesky', server.url);

    await client.social?.getPosts('ada.test');

    expect((await failureOf(client, async () => client.social?.getBookmarks())).message).toMatch(message);
  });

  test.for([
    [401, { error: 'AuthMissing', message: 'Authentication Required' }],
    [404, { error: 'NotFound' }],
    [501, { error: 'MethodNotImplemented', message: 'Method Not Implemented' }],
  ] as const)('with %i for a video names the video service, and no credentials', async ([status, json]) => {
    using folder = temporaryFolder();
    await using server = await badServer((line) =>
      line.includes('/xrpc/app.bsky.video') ? { status, json } : { json: { token: 'for-the-service' } },
    );
    await using client = clientAt('bluesky', server.url);
    const files = [fileWith(MP4, { folder, name: 'clip.mp4' })];

    const error = await failureOf(client, async () => client.social?.createPost('watch', { files }));

    const host = new URL(server.url).host;
    const advice = `bluesky: ${host} processes no videos for ${server.url}: set BLUESKY_VIDEO_URL to a video service for this server, or post without the video.`;
    expect(error).toMatchObject({ fault: 'rejected', message: expect.stringContaining(advice) });
  });
});

const ADAPTERS = {
  mastodon: (url: string) => mastodon({ url, token: 't' }),
  bluesky: (url: string) => bluesky({ url, handle: 'ada.test', appPassword: 'p' }),
  'bluesky.plcUrl': (url: string) => bluesky({ plcUrl: url, handle: 'ada.test', appPassword: 'p' }),
  'bluesky.videoUrl': (url: string) => bluesky({ videoUrl: url, handle: 'ada.test', appPassword: 'p' }),
  x: (url: string) => x({ url, bearerToken: 't' }),
  'twitch.apiUrl': (url: string) => twitch({ apiUrl: url, clientId: 'i', clientSecret: 's' }),
  'twitch.authUrl': (url: string) => twitch({ authUrl: url, clientId: 'i', clientSecret: 's' }),
  'kick.apiUrl': (url: string) => kick({ apiUrl: url, clientId: 'i', clientSecret: 's' }),
  'discord.apiUrl': (url: string) => discord({ apiUrl: url, token: 't', guildId: '1' }),
  openai: (url: string) => openai({ url, apiKey: 'k', model: 'm' }),
  giphy: (url: string) => giphy({ url, apiKey: 'k' }),
  sandbox: (url: string) => sandbox({ url, token: 't' }),
};

describe('the address of a server', () => {
  test.for(Object.entries(ADAPTERS))('that is no address is an error of %s', ([name, create]) => {
    const [platform = '', path = 'url'] = name.split('.');
    for (const address of ['social.example', '', 'https://', 'ftp://social.example']) {
      expect(() => create(address)).toThrow(
        expect.objectContaining({
          name: 'ValidationError',
          path,
          message: `${platform}: ${path}: "${address}" is not the address of a server: write an address with http:// or https://`,
        }),
      );
    }
  });

  test.for([
    'https://social.example/@ada',
    'https://social.example/users/ada',
    'https://social.example/web/@ada',
    'https://social.example/profile/ada.test',
  ])('is in the error for %s', (address) => {
    expect(() => mastodon({ url: address, token: 't' })).toThrow(
      'this is the address of a profile: write the address of its server, https://social.example',
    );
  });

  test('may have a path', () => {
    expect(() => mastodon({ url: 'http://127.0.0.1:8081/mastodon', token: 't' })).not.toThrow();
  });
});
