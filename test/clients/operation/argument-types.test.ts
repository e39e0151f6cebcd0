import { describe, expect, test } from 'vitest';
import { Chat, chatTopics } from '#src/clients/chat/chat.ts';
import { ValidationError } from '#src/errors.ts';
import { SocialAsync, socialTopics } from '#src/clients/social/social.ts';
import { Bot, streamingTopics } from '#src/clients/streaming/bot.ts';

/** Values that callers without types can pass for any argument. */
const VALUES: readonly unknown[] = [undefined, null, 1, '1', true, [], [null], {}, { id: 1 }, { post: 1, channel: 2, files: 3 }];
const LAST_VALUES: readonly unknown[] = [
  undefined,
  null,
  [null],
  { files: 3, user: null },
  { signal: 1 },
  { since: '2030-12-24T18:00:00Z' },
];

type Method = (...callArgs: readonly unknown[]) => Promise<unknown>;

const CLIENTS = { Bot: [Bot, streamingTopics], SocialAsync: [SocialAsync, socialTopics], Chat: [Chat, chatTopics] } as const;

const operations = Object.entries(CLIENTS).flatMap(([client, [Client, topics]]) => {
  const names = topics.flatMap((topic: object) => Object.keys(topic));
  const platform = {
    name: 'any',
    account: 'any',
    capabilities: Object.fromEntries(names.map((name) => [name, { support: 'native' }])),
    operations: Object.fromEntries(names.map((name) => [name, async () => ({ items: [] })])),
  };
  const made: object = Reflect.construct(Client, [{ platform }]);
  const twins = Object.getOwnPropertyNames(Object.getPrototypeOf(Client.prototype)).filter((name) => name.startsWith('iter'));
  return [...names, ...twins].map((operation) => ({ client, operation, method: methodOf(made, operation) }));
});

function methodOf(client: object, operation: string): Method {
  const method: unknown = Reflect.get(client, operation);
  if (typeof method !== 'function') throw new TypeError(`${operation} is no method`);
  return async (...callArgs) => {
    const result: unknown = Reflect.apply(method, client, callArgs);
    await (operation.startsWith('iter') ? (result as AsyncGenerator).next() : result); // each `iter` operation is a generator
  };
}

describe('arguments of any type', () => {
  test.for(operations)('in $client.$operation cause a ValidationError or a result', async ({ method }) => {
    const raw: unknown[] = [];
    for (const first of VALUES) {
      for (const second of VALUES) {
        for (const third of LAST_VALUES) {
          await method(first, second, third).catch((error: unknown) => {
            if (!(error instanceof ValidationError)) raw.push(error);
          });
        }
      }
    }
    expect(raw).toEqual([]);
  });

  test.for([
    ['SocialAsync', 'votePoll', ['1', 1], 'choices', 'votePoll: choices: Invalid input: expected array, received number'],
    ['SocialAsync', 'votePoll', ['1', '12'], 'choices', 'votePoll: choices: Invalid input: expected array, received string'],
    ['SocialAsync', 'votePoll', [null, [1]], 'post', 'votePoll: post: an id is text or a number, not null.'],
    ['SocialAsync', 'getUserInfo', [['ada', null]], 'user.1', 'getUserInfo: user.1: an id is text or a number, not null.'],
    [
      'SocialAsync',
      'createPost',
      ['hi', { files: 'card.png' }],
      'files',
      'createPost: files: Invalid input: expected array, received string',
    ],
    ['SocialAsync', 'createPost', ['hi', null], '', 'createPost: these types of arguments are not supported: string, null.'],
    [
      'SocialAsync',
      'createPost',
      ['hi', { replyTo: Promise.resolve({ id: '1' }) }],
      'replyTo',
      'createPost: replyTo: this is a promise: write await before it.',
    ],
    [
      'SocialAsync',
      'createPost',
      ['hi', { community: {} }],
      'community',
      'createPost: community: this is an object without an id: pass an id, or a record with an id.',
    ],
    [
      'SocialAsync',
      'getUserInfo',
      [{ username: 'ada' }],
      'user',
      'getUserInfo: user: this is an object without an id: pass an id, or a record with an id.',
    ],
    [
      'Bot',
      'getGameStreams',
      [{ name: 'Chess' }],
      'game',
      'getGameStreams: game: this is an object without an id: pass an id, or a record with an id.',
    ],
    ['SocialAsync', 'createPost', ['hi', { reply_to: '1' }], '', 'createPost: there is no reply_to: did you mean replyTo?'],
    ['SocialAsync', 'getPosts', ['ada', { wait_time: 0 }], '', 'getPosts: there is no wait_time: did you mean waitTime?'],
    ['SocialAsync', 'search', ['hi', { filter_: 'Latest' }], '', 'search: there is no filter_: did you mean filter?'],
    ['Bot', 'getUserVideos', ['ada', 'TIME'], '', 'getUserVideos: these types of arguments are not supported: string, string.'],
    ['SocialAsync', 'getPosts', ['ada', false, 3], '', 'getPosts: these types of arguments are not supported: string, boolean, number.'],
    ['SocialAsync', 'getPosts', ['ada', {}, 3], '', 'getPosts: these types of arguments are not supported: string, object, number.'],
    ['SocialAsync', 'getPosts', ['ada', { signal: 5 }], 'signal', 'getPosts: signal: expected an AbortSignal'],
    ['SocialAsync', 'createPost', ['hi', { signal: {} }], 'signal', 'createPost: signal: expected an AbortSignal'],
    ['SocialAsync', 'createPost', ['hi', { key: 5 }], 'key', 'createPost: key: expected a string that is not empty'],
    ['SocialAsync', 'createPost', ['hi', { key: '' }], 'key', 'createPost: key: expected a string that is not empty'],
    ['SocialAsync', 'createPost', ['hi', { key: 'k', since: '2030-12-24' }], 'since', 'createPost: since: expected a valid Date'],
    ['SocialAsync', 'createPost', ['hi', { key: 'k', since: new Date('soon') }], 'since', 'createPost: since: expected a valid Date'],
    ['SocialAsync', 'createPost', ['hi', { key: 'k', decidedAt: 5 }], 'decidedAt', 'createPost: decidedAt: expected a valid Date'],
    [
      'SocialAsync',
      'createPost',
      ['hi', { files: [new Uint8Array(1)] }],
      'files.0',
      'createPost: files.0: expected a path, an address, { path, altText }, { url, altText }, { bytes, name, altText }, or { id } of an upload',
    ],
    ['SocialAsync', 'uploadMedia', [new Uint8Array(1)], 'file', 'uploadMedia: file: expected a path, an address, or { bytes, name }'],
    [
      'Chat',
      'send',
      ['live', { content: 'hi', files: [new Uint8Array(1)] }],
      'files.0',
      'send: files.0: expected an address, { path }, { url }, or { bytes, name }',
    ],
    [
      'SocialAsync',
      'createScheduledPost',
      ['hi', new Date('tomorrow')],
      'sendAt',
      'createScheduledPost: sendAt: expected a valid Date, or text such as 2030-12-24T18:00:00Z',
    ],
    ['Bot', 'getStreams', [], '', 'getStreams: these types of arguments are not supported: none.'],
    ['Bot', 'getTopGames', [{ pages: 1.5 }], 'pages', "getTopGames: pages: expected a whole number of at least 1, or 'all'"],
    ['Bot', 'getStreams', [{ users: 'ada' }], 'users', 'getStreams: users: Invalid input: expected array, received string'],
    ['Bot', 'getGameStreams', [null], 'game', 'getGameStreams: game: an id is text or a number, not null.'],
    ['Chat', 'ask', ['mods', 'Send?', 'yes'], 'choices', 'ask: choices: Invalid input: expected array, received string'],
  ] as const)('%s.%s with %j names the parameter', async ([client, operation, callArgs, path, message]) => {
    const found = operations.find((one) => one.client === client && one.operation === operation);

    await expect(found?.method(...callArgs)).rejects.toMatchObject({ name: 'ValidationError', path, message });
  });
});
