import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { typeText, type SchemaNames } from '../../docs/generator/type-text.ts';
import type { Declared } from '#src/clients/operation/declared.ts';
import * as socialExports from '#src/clients/social/index.ts';
import { SocialAsync, socialTopics } from '#src/clients/social/social.ts';
import { Bot, streamingTopics } from '#src/clients/streaming/bot.ts';
import * as streamingExports from '#src/clients/streaming/index.ts';
import { botOperations, REQUIRED, socialOperations, type MissionOperation } from './document.ts';
import { invoke } from './invoke.ts';
import { camel, ours, twinOf } from './names.ts';

/** Values of parameters that do not take every text. */
const VALUES: Readonly<Record<string, string>> = { language: 'de', reaction_emoji: '👍' };

type Method = ((this: unknown, ...args: readonly unknown[]) => Promise<unknown>) & { readonly declared: Declared };

interface Side {
  readonly client: { readonly prototype: object };
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

/** The default of a parameter, or `REQUIRED`. */
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

test.for([
  [bot, botOperations, ['getFollowers', 'getSchedule', 'getStreams', 'getTeamMembers', 'sendChatMessage']],
  [
    social,
    Object.values(socialOperations).flat(),
    ['bookmarkPost', 'createScheduledPost', 'editPost', 'unbookmarkPost', 'uploadMedia', 'votePoll'],
  ],
] as const)('a class has only the methods of its document and %3$s', ([{ methods }, operations, additions]) => {
  const documented = operations.map(({ name }) => camel(name));

  expect([...methods.keys()].toSorted()).toEqual([...documented, ...additions].toSorted());
});

describe.for(all)('%s', ([, operation, { client, methods, names }]) => {
  const name = camel(operation.name);
  const method = methods.get(name) ?? expect.fail(`${name} is not declared`);

  test('is a method of the class, with its twin where it has one', () => {
    const prototypes: object = client.prototype as object;

    expect(Reflect.get(prototypes, name)).toBe(method);
    expect(typeof Reflect.get(prototypes, twinOf(operation.name))).toBe(operation.iter ? 'function' : 'undefined');
  });

  test('takes the parameters of the document, with its defaults', () => {
    const shape = shapeOf(method);
    const documented = Object.entries(operation.parameters).map(([parameter, standard]) => [ours(parameter), standard]);

    expect(Object.fromEntries(documented.map(([parameter]) => [parameter, defaultOf(shape[String(parameter)])]))).toEqual(
      Object.fromEntries(documented),
    );
  });

  test.for(Object.entries(operation.forms).flatMap(([parameter, forms]) => forms.map((form) => [parameter, form] as const)))(
    'takes %s as %s',
    async ([parameter, form]) => {
      const required = Object.keys(operation.parameters).filter((each) => operation.parameters[each] === REQUIRED);
      const others = Object.fromEntries(required.map((each) => [each, VALUES[each] ?? '8']));
      const value = form === 'str' ? '7' : form === 'int' ? 7 : { platform: 'any', id: '7', handle: '7', name: '7' };
      const received: Readonly<Record<string, unknown>>[] = [];
      const record = async (params: (typeof received)[number]): Promise<object> => {
        received.push(params);
        return { items: [] };
      };
      const platform = { name: 'any', capabilities: { [name]: { support: 'native' } }, operations: { [name]: record } };

      await invoke(Reflect.construct(client as never, [{ platform }]) as object, operation, { ...others, [parameter]: value }); // a class

      expect(received).toMatchObject([{ [ours(parameter)]: form === 'Game' ? { id: '7' } : '7' }]);
    },
  );

  test('returns the result in the document', () => {
    expect(answerOf(method, names)).toBe(operation.returns);
  });
});
