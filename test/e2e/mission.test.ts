import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { typeText, type SchemaNames } from '#src/app/reference/type-text.ts';
import type { Declared } from '#src/operation/declared.ts';
import * as socialExports from '#src/social/index.ts';
import type { UploadedMedia, User } from '#src/social/index.ts';
import { SocialAsync, socialTopics } from '#src/social/social.ts';
import { Bot, streamingTopics } from '#src/streaming/bot.ts';
import * as streamingExports from '#src/streaming/index.ts';
import { botOperations, REQUIRED, socialOperations, type MissionOperation } from './mission-operations.ts';

/** Our name of a parameter: one that takes an id or a record is named after the record. */
const RENAMED: Readonly<Record<string, string>> = {
  username: 'user',
  user_id: 'user',
  post_id: 'post',
  list_id: 'list',
  conversation_id: 'conversation',
  message_id: 'message',
  community_id: 'community',
  topic_id: 'topic',
  filter_: 'filter',
  pool: 'poll',
  reply_to_message_id: 'replyToMessage',
  quote_post_id: 'quotePost',
};

function camel(name: string): string {
  return name.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
}

function ours(parameter: string): string {
  return RENAMED[parameter] ?? camel(parameter);
}

type Method = ((this: unknown, ...args: readonly unknown[]) => Promise<unknown>) & { readonly declared: Declared };

interface Side {
  readonly client: new (options: { platform: never }) => object;
  readonly methods: ReadonlyMap<string, Method>;
  readonly names: SchemaNames;
}

function sideOf(client: unknown, topics: readonly object[], exports: object): Side {
  return {
    client: client as Side['client'], // both classes take a platform
    methods: new Map(topics.flatMap((topic) => Object.entries<Method>(topic as Record<string, Method>))), // a topic exports operations only
    names: new Map(Object.entries(exports).flatMap(([name, value]) => (value instanceof z.ZodType ? [[value, name] as const] : []))),
  };
}

const bot = sideOf(Bot, streamingTopics, streamingExports);
const social = sideOf(SocialAsync, socialTopics, socialExports);

function shapeOf({ declared: { params } }: Method): Readonly<Record<string, z.ZodType>> {
  return params instanceof z.ZodObject ? (params.shape as Record<string, z.ZodType>) : {}; // each is a z.strictObject
}

/** What a parameter is without a word on it. */
function defaultOf(field: z.ZodType | undefined): unknown {
  const absent = field?.safeParse(undefined);
  return absent?.success ? absent.data : REQUIRED;
}

function answerOf({ declared }: Method, names: SchemaNames): string {
  if (declared.kind !== 'list') return typeText(declared.returns, names);
  return `${declared.into.name} of ${typeText(declared.item, names)}`;
}

const all: readonly (readonly [name: string, operation: MissionOperation, side: Side])[] = [
  ...botOperations.map((one) => [`bot.${camel(one.name)}`, one, bot] as const),
  ...Object.values(socialOperations)
    .flat()
    .map((one) => [`social.${camel(one.name)}`, one, social] as const),
];

test('the documents list 9 operations of Bot and 62 of SocialAsync', () => {
  const counts = Object.fromEntries(Object.entries(socialOperations).map(([topic, { length }]) => [topic, length]));

  expect(botOperations.length).toBe(9);
  expect(counts).toEqual({ users: 17, timelines: 7, posts: 18, messages: 4, communities: 3, lists: 10, assistant: 3 });
});

describe.for(all)('%s', ([, operation, { client, methods, names }]) => {
  const name = camel(operation.name);
  const method = methods.get(name) ?? expect.fail(`${name} is not declared`);

  test('is a method of the class, with its twin where it has one', () => {
    const twin = `iter${name.replace(/^get/, '').replace(/^[a-z]/, (letter) => letter.toUpperCase())}`;
    const prototypes: object = client.prototype as object;

    expect(Reflect.get(prototypes, name)).toBe(method);
    expect(typeof Reflect.get(prototypes, twin)).toBe(operation.iter ? 'function' : 'undefined');
  });

  test('takes the parameters of the document, with its defaults', () => {
    const shape = shapeOf(method);
    const documented = Object.entries(operation.parameters).map(([parameter, standard]) => [ours(parameter), standard]);

    expect(Object.fromEntries(documented.map(([parameter]) => [parameter, defaultOf(shape[String(parameter)])]))).toEqual(
      Object.fromEntries(documented),
    );
  });

  test('answers with what the document says', () => {
    expect(answerOf(method, names)).toBe(operation.returns);
  });

  test.for(formsOf(operation))('takes %s as %s', async ([parameter, form]) => {
    const seen: Readonly<Record<string, unknown>>[] = [];
    const made = new client({ platform: listening(name, seen) as never }); // a platform that has this operation alone
    const given = form === 'str' ? '7' : form === 'int' ? 7 : { id: '7', conversationId: '9' };

    await method.call(made, ...argumentsWith(operation, parameter, given)).catch(() => undefined);

    expect([{ [ours(parameter)]: '7' }, { [ours(parameter)]: { id: '7' } }]).toContainEqual({
      [ours(parameter)]: seen[0]?.[ours(parameter)],
    });
  });
});

function formsOf({ forms }: MissionOperation): readonly (readonly [parameter: string, form: string])[] {
  return Object.entries(forms).flatMap(([parameter, accepted]) => accepted.map((form) => [parameter, form] as const));
}

/** A call with one parameter as given, and what else it needs. */
function argumentsWith({ name, parameters }: MissionOperation, parameter: string, given: unknown): readonly unknown[] {
  const samples: Readonly<Record<string, string>> = { language: 'en', reaction_emoji: '🎉' };
  const positional = Object.keys(parameters).filter((one) => parameters[one] === REQUIRED && !isOption(name, one));
  // The one that the document lets be left out, and that stands in front all the same.
  if (name === 'get_user_info') positional.push('username');
  const options = Object.fromEntries([
    ...(name === 'send_message_reaction' ? [['conversation', '9']] : []),
    ...(positional.includes(parameter) ? [] : [[ours(parameter), given]]),
  ]) as object;
  return [...positional.map((one) => (one === parameter ? given : (samples[one] ?? 'hello'))), options];
}

function isOption(name: string, parameter: string): boolean {
  return name === 'send_message_reaction' && parameter === 'conversation_id';
}

/** A platform with one operation, that keeps what it is asked. */
function listening(name: string, seen: Readonly<Record<string, unknown>>[]): object {
  async function primitive(params: Readonly<Record<string, unknown>>): Promise<never> {
    seen.push(params);
    throw new Error('nobody answers');
  }
  return { name: 'test', account: 'test', operations: { [name]: primitive }, capabilities: { [name]: { support: 'native' } } };
}

test('getUserInfo takes a list of ids, handles and records', async () => {
  const seen: Readonly<Record<string, unknown>>[] = [];
  const client = new SocialAsync({ platform: listening('getUserInfo', seen) as never }); // a platform that has this operation alone

  await client.getUserInfo(['7', 8, { id: '9' } as User]).catch(() => undefined); // what is read of it

  expect(seen).toEqual([{ user: ['7', '8', '9'] }]);
});

test('createPost takes files as paths, as paths with a text, and as what was uploaded; and a poll', async () => {
  const seen: Readonly<Record<string, unknown>>[] = [];
  const client = new SocialAsync({ platform: listening('createPost', seen) as never }); // as above
  const uploaded: UploadedMedia = { platform: 'test', id: '7', kind: 'image', state: 'ready' };

  await client
    .createPost('hello', { files: ['a.png', ['b.png', 'a card'], uploaded], poll: { options: ['yes', 'no'] }, filter: 'Community' })
    .catch(() => undefined);

  expect(seen).toMatchObject([
    {
      text: 'hello',
      files: ['a.png', { path: 'b.png', altText: 'a card' }, { id: '7' }],
      poll: { options: ['yes', 'no'], durationMinutes: 1440, multiple: false },
      filter: 'Community',
    },
  ]);
});
