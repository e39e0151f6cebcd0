import { expect, test } from 'vitest';
import { bluesky } from '#adapters/bluesky/index.ts';
import { kick } from '#adapters/kick/index.ts';
import { mastodon } from '#adapters/mastodon/index.ts';
import { twitch } from '#adapters/twitch/index.ts';
import { x } from '#adapters/x/index.ts';
import { youtube } from '#adapters/youtube/index.ts';
import { SocialAsync } from '#src/clients/social/social.ts';
import { Bot } from '#src/clients/streaming/bot.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { badServer } from './bad-input/bad-server.ts';

const clock = new ManualClock();
const DID = 'did:plc:ada';

/** Calls whose answer has a list, by platform, with an answer for what comes before the list. */
const PLATFORMS = {
  twitch: (url) => {
    const bot = new Bot({ platform: twitch({ clientId: 'id', clientSecret: 'secret', apiUrl: url, authUrl: url, clock }), clock });
    return [() => bot.getTopStreams(), () => bot.getStreams({ users: ['ada'] }), () => bot.getUser('ada')];
  },
  kick: (url) => {
    const bot = new Bot({ platform: kick({ clientId: 'id', clientSecret: 'secret', apiUrl: url, authUrl: url, clock }), clock });
    return [() => bot.getTopStreams(), () => bot.getStreams({ users: ['ada'] }), () => bot.getUser('ada')];
  },
  youtube: (url) => {
    const bot = new Bot({ platform: youtube({ apiKey: 'key', apiUrl: url, siteUrl: url, clock }), clock });
    return [() => bot.getTopStreams(), () => bot.getUser('ada')];
  },
  mastodon: (url) => {
    const social = new SocialAsync({ platform: mastodon({ url, token: 'token', clock }), clock });
    return [
      () => social.getMentions(),
      () => social.search('chess'),
      () => social.search('ada', { filter: 'People' }),
      () => social.getPostComments('1'),
    ];
  },
  bluesky: (url) => {
    const social = new SocialAsync({ platform: bluesky({ url, handle: 'ada.test', appPassword: 'abcd-efgh', clock }), clock });
    return [() => social.getPosts(DID), () => social.getUserInfo([DID]), () => social.getMentions(), () => social.getTrends()];
  },
  x: (url) => {
    const social = new SocialAsync({ platform: x({ url, bearerToken: 'token', clock }), clock });
    return [() => social.getPosts('7'), () => social.getUserInfo(['7']), () => social.search('chess'), () => social.getTrends()];
  },
} as const satisfies Readonly<Record<string, (url: string) => readonly (() => PromiseLike<unknown>)[]>>;

const SESSION = { did: DID, handle: 'ada.test', accessJwt: 'access', refreshJwt: 'refresh' };

test.for(Object.keys(PLATFORMS) as (keyof typeof PLATFORMS)[])(
  // its own keys
  'a success of %s without the list that was asked for is malformed, and no empty list',
  async (platform) => {
    for (const json of [{}, { error: 'internal' }, { message: 'Service degraded', status: 500 }]) {
      await using server = await badServer((line) => {
        if (/\/token|createSession|\/validate/u.test(line)) return { json: { access_token: 'token', expires_in: 3600, ...SESSION } };
        return line.includes('/instance') ? { json: { version: '4.5.0' } } : { json };
      });
      for (const read of PLATFORMS[platform](server.url)) await expect(read()).rejects.toMatchObject({ fault: 'malformed' });
    }
  },
);

test('a problem of X that names no user is the failure of a list of users, and of the trends', async () => {
  await using server = await badServer(() => ({ json: { errors: [{ message: 'Over capacity', code: 130 }] } }));
  const social = new SocialAsync({ platform: x({ url: server.url, bearerToken: 'token', clock }), clock });

  await expect(social.getUserInfo(['7'])).rejects.toMatchObject({ message: expect.stringMatching(/^x: GET \/2\/users: /u) });
  await expect(social.getTrends()).rejects.toMatchObject({ message: expect.stringMatching(/^x: GET \/2\/trends/u) });
});
