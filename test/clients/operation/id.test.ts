import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { capabilities } from '#adapters/twitch/capabilities.ts';
import { ValidationError } from '#src/errors.ts';
import { catalogueOf } from '#src/clients/operation/declared.ts';
import { idText } from '#src/clients/operation/parameters.ts';
import { SocialAsync, socialTopics } from '#src/clients/social/social.ts';
import { Bot, streamingTopics } from '#src/clients/streaming/bot.ts';
import { bareSocial } from '../../support/bare-social.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { pagedBot } from '../../support/paged-bot.ts';

/** The id of a post on X. As a JavaScript number, it is the id of another post. */
const POST_ID = '2123923050238836752';
const NO_IDS: readonly (number | bigint)[] = [Number(POST_ID), 2 ** 53, 1e21, Number.NaN, Infinity, 1.5, -1, -(2 ** 53), -1n];

const ID_PARAMETERS = ['user', 'post', 'list', 'message', 'conversation', 'community', 'topic', 'identifier', 'game'];
const OPTIONAL_ID_PARAMETERS = ['replyTo', 'quote', 'place', 'community', 'conversation', 'user', 'replyToMessage', 'quotePost'];

/** The arguments before the options of operations whose options take an id. */
const BEFORE_OPTIONS: Readonly<Record<string, readonly unknown[]>> = {
  createPost: ['hi'],
  createScheduledPost: ['hi', new Date(0)],
  getAssistantResponse: ['hi'],
  getFollowers: [],
  getInbox: [],
  sendMessage: ['ada', 'hi'],
  sendMessageReaction: ['🎉', '1'],
};
/** The arguments before an id that is not the first one. */
const BEFORE_ID: Readonly<Record<string, readonly unknown[]>> = {
  'sendMessageReaction.message': ['🎉'],
  'addListMember.user': ['1'],
  'removeListMember.user': ['1'],
};

interface IdArgument {
  readonly operation: string;
  readonly parameter: string;
  readonly argumentsWith: (id: unknown) => readonly unknown[];
}

/** Each parameter of a client that accepts an id, with its arguments. */
function idArguments(client: Parameters<typeof catalogueOf>[0][string]): readonly IdArgument[] {
  return [...catalogueOf({ client }).values()].flatMap(({ name: operation, params }): readonly IdArgument[] => {
    const { properties = {} } = z.toJSONSchema(params, { io: 'input', unrepresentable: 'any' });
    return Object.keys(properties).flatMap((parameter): readonly IdArgument[] => {
      const isOption = operation in BEFORE_OPTIONS && OPTIONAL_ID_PARAMETERS.includes(parameter);
      if (isOption && !(operation === 'sendMessage' && parameter === 'user')) {
        return [{ operation, parameter, argumentsWith: (id) => [...(BEFORE_OPTIONS[operation] ?? []), { [parameter]: id }] }];
      }
      if (!ID_PARAMETERS.includes(parameter)) return [];
      const before = BEFORE_ID[`${operation}.${parameter}`] ?? [];
      return [{ operation, parameter, argumentsWith: (id) => [...before, id] }];
    });
  });
}

async function call(client: object, { operation, argumentsWith }: IdArgument, id: unknown): Promise<unknown> {
  const method: unknown = Reflect.get(client, operation);
  if (typeof method !== 'function') throw new TypeError(`${operation} is no method`);
  return await Reflect.apply(method, client, argumentsWith(id));
}

/** A `Bot` that records the parameters of `getStreams` as the platform receives them. */
function streamsBot(): { readonly bot: Bot; readonly asked: readonly unknown[] } {
  const asked: unknown[] = [];
  const getStreams = async (params: unknown) => {
    asked.push(params);
    return { items: [] };
  };
  const platform = { name: 'twitch', account: 'twitch', capabilities, operations: { getStreams } };
  return { bot: new Bot({ platform, clock: new ManualClock() }), asked };
}

const SOCIAL = idArguments(socialTopics);
const STREAMING = idArguments(streamingTopics);

describe('a number as an id', () => {
  test('is tested in every parameter that takes one', () => {
    expect(SOCIAL).toHaveLength(65);
    expect(STREAMING).toHaveLength(8);
  });

  test.for(SOCIAL)('in SocialAsync.$operation as $parameter must be exact', async (argument) => {
    for (const id of NO_IDS) {
      const called = call(new SocialAsync({ platform: bareSocial() }), argument, id);
      await expect(called, String(id)).rejects.toBeInstanceOf(ValidationError);
      await expect(called, String(id)).rejects.toMatchObject({ path: argument.parameter });
    }
  });

  test.for(STREAMING)('in Bot.$operation as $parameter must be exact', async (argument) => {
    const { bot, requests } = pagedBot({});
    for (const id of NO_IDS) await expect(call(bot, argument, id), String(id)).rejects.toBeInstanceOf(ValidationError);
    expect(requests).toEqual([]);
  });

  test('in the lists of Bot.getStreams must be exact, and keeps all its digits', async () => {
    const { bot, asked } = streamsBot();
    for (const id of NO_IDS) {
      await expect(bot.getStreams({ users: ['ada', id] })).rejects.toMatchObject({ name: 'ValidationError', path: 'users.1' });
      await expect(bot.getStreams({ games: [id] })).rejects.toMatchObject({ name: 'ValidationError', path: 'games.0' });
    }
    expect(asked).toEqual([]);

    await bot.getStreams({ users: ['ada', 7, BigInt(POST_ID)], games: [0, 'Chess', { id: '743' }] });
    expect(asked).toMatchObject([{ users: ['ada', '7', POST_ID], games: ['0', 'Chess', { id: '743' }] }]);
  });

  test('that is invalid is an error with advice, and nothing is sent', async () => {
    const deleted: string[] = [];
    const social = new SocialAsync({
      platform: bareSocial({ deletePost: async ({ post }) => deleted.push(post) > 0 }),
    });

    await expect(social.deletePost(Number(POST_ID))).rejects.toThrow(
      'deletePost: post: 2123923050238836700 is not an id: a JavaScript number does not keep all digits of an id this large. Pass the id as a string.',
    );
    await expect(social.deletePost(-7)).rejects.toThrow(
      'deletePost: post: -7 is not an id: an id has digits only. Pass the id as a string.',
    );
    expect(deleted).toEqual([]);
    await expect(social.getUserInfo(['ada', 2 ** 53])).rejects.toMatchObject({ name: 'ValidationError', path: 'user.1' });
  });

  test('keeps all its digits as a bigint, and as a safe number', async () => {
    const deleted: string[] = [];
    const social = new SocialAsync({
      platform: bareSocial({ deletePost: async ({ post }) => deleted.push(post) > 0 }),
    });

    await social.deletePost(BigInt(POST_ID));
    await social.deletePost(Number.MAX_SAFE_INTEGER);
    await social.deletePost(0);

    expect(deleted).toEqual([POST_ID, '9007199254740991', '0']);
    expect(idText(7n, 'post')).toBe('7');
  });
});
