import { discord } from '#adapters/discord/index.ts';
import { giphy } from '#adapters/giphy/index.ts';
import { openai } from '#adapters/openai/index.ts';
import { sandbox } from '#adapters/sandbox/index.ts';
import { Chat } from '#src/clients/chat/chat.ts';
import { SocialAsync } from '#src/clients/social/social.ts';
import { bareSocial } from '../../support/bare-social.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import type { BadAnswer } from '../bad-input/bad-server.ts';
import { clientAt } from '../bad-input/clients.ts';

/** A kind of request: a read, a write whose repeat makes a second record, and a write that sets a state. */
export type Kind = 'read' | 'creates' | 'sets';

/** One operation of a platform: how to call it, and which request gets the answer under test. */
interface Operation {
  readonly target: RegExp;
  readonly call: () => Promise<unknown>;
}

interface Opened {
  readonly clock: ManualClock;
  readonly operations: Partial<Record<Kind, Operation>>;
  readonly close?: () => PromiseLike<void>;
}

export interface Fixture {
  readonly open: (url: string) => Opened;
  /** The good answer to a request before the one under test. */
  readonly before: (line: string) => BadAnswer | undefined;
  /** Whether a request gets a new token. */
  readonly isTokenRequest?: RegExp;
}

const DID = 'did:plc:abcdefghijklmnopqrstuvwx';
const URI = `at://${DID}/app.bsky.feed.post/3kabcdefghijk`;
const ada = { id: '1', name: 'Ada', username: 'ada' };

function socialFixture(platform: 'x' | 'bluesky' | 'mastodon', post: string, targets: Readonly<Record<Kind, RegExp>>): Fixture['open'] {
  return (url) => {
    const client = clientAt(platform, url);
    const social = client.social ?? new SocialAsync({ platform: bareSocial() });
    return {
      clock: client.clock,
      operations: {
        read: { target: targets.read, call: () => social.postDetail(post) },
        creates: { target: targets.creates, call: () => social.createPost('Hello') },
        sets: { target: targets.sets, call: () => social.deletePost(post) },
      },
      close: () => client[Symbol.asyncDispose](),
    };
  };
}

function streamingFixture(platform: 'twitch' | 'kick'): Fixture {
  return {
    open(url) {
      const client = clientAt(platform, url);
      const target = platform === 'twitch' ? /^GET \/users/ : /^GET \/public/;
      return { clock: client.clock, operations: { read: { target, call: client.read } }, close: () => client[Symbol.asyncDispose]() };
    },
    before: (line) => (/token/.test(line) ? { json: { access_token: 'token', expires_in: 3600, token_type: 'bearer' } } : undefined),
    isTokenRequest: /^POST .*token/,
  };
}

/** The sandbox clients by address: they remember nothing, and take long to make. */
const sandboxes = new Map<string, Opened>();

/** Each platform with the good answers that its operations need first. */
export const FIXTURES: Readonly<Record<string, Fixture>> = {
  twitch: streamingFixture('twitch'),
  kick: streamingFixture('kick'),
  x: {
    open: socialFixture('x', '7', { read: /^GET \/2\/tweets\/7/, creates: /^POST \/2\/tweets/, sets: /^DELETE \/2\/tweets\/7/ }),
    before: (line) => (line.startsWith('GET /2/users/me') ? { json: { data: ada } } : undefined),
    isTokenRequest: /^POST \/2\/oauth2\/token/,
  },
  bluesky: {
    open: socialFixture('bluesky', URI, {
      read: /^GET \/xrpc\/app\.bsky\.feed\.getPosts/,
      creates: /^POST \/xrpc\/com\.atproto\.repo\.(createRecord|putRecord|applyWrites)/,
      sets: /^POST \/xrpc\/com\.atproto\.repo\.(deleteRecord|applyWrites)/,
    }),
    before: (line) => (line.includes('getRecord') ? { status: 400, json: { error: 'RecordNotFound', message: 'none' } } : undefined),
    isTokenRequest: /(refresh|create)Session/,
  },
  mastodon: {
    open: socialFixture('mastodon', '7', {
      read: /^GET \/api\/v1\/statuses\/7/,
      creates: /^POST \/api\/v1\/statuses/,
      sets: /^DELETE \/api\/v1\/statuses\/7/,
    }),
    before: (line) => (line.includes('/instance') ? { json: { version: '4.5.0', configuration: {} } } : undefined),
  },
  discord: {
    open(url) {
      const clock = new ManualClock();
      const chat = new Chat({ platform: discord({ token: 't', guildId: '1', apiUrl: url, clock }) });
      return {
        clock,
        operations: {
          read: { target: /^GET .*\/channels\/5\/messages/, call: () => chat.getMessages('live') },
          creates: { target: /^POST .*\/channels\/5\/messages/, call: () => chat.send('live', { content: 'Hello' }) },
          sets: { target: /^DELETE .*\/channels\/5\/messages\/9/, call: () => chat.delete('5/9') },
        },
      };
    },
    before: (line) => (line.includes('/guilds/1/') ? { json: [{ id: '5', name: 'live', type: 0 }] } : undefined),
  },
  sandbox: {
    open(url) {
      const known = sandboxes.get(url);
      if (known) return known;
      const clock = new ManualClock();
      const social = new SocialAsync({ platform: sandbox({ url, token: 't', clock }), clock });
      const opened = {
        clock,
        operations: {
          read: { target: /^POST \/postDetail/, call: () => social.postDetail('7') },
          creates: { target: /^POST \/createPost/, call: () => social.createPost('Hello') },
          sets: { target: /^POST \/deletePost/, call: () => social.deletePost('7') },
        },
      };
      sandboxes.set(url, opened);
      return opened;
    },
    before: () => undefined,
  },
  giphy: {
    open(url) {
      const clock = new ManualClock();
      const social = new SocialAsync({ platform: bareSocial(), gifs: giphy({ apiKey: 'k', url, clock }), clock });
      return { clock, operations: { read: { target: /^GET \/gifs/, call: () => social.searchGifs('cat') } } };
    },
    before: () => undefined,
  },
  assistant: {
    open(url) {
      const clock = new ManualClock();
      const platform = openai({ apiKey: 'k', model: 'm', url, clock });
      const call = () => Array.fromAsync(platform.answer({ messages: [{ role: 'user', text: 'Hello' }] }));
      return { clock, operations: { read: { target: /^POST \/chat/, call } } };
    },
    before: () => undefined,
  },
};
