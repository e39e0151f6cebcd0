import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { parse, stringify } from 'yaml';
import type { JsonObject } from '#src/clients/operation/json.ts';
import { ruleSchema, type JsonSchema } from '#src/rules/editor-schema.ts';
import { listSchema } from '#src/rules/list-schema.ts';
import { objectionsTo } from '../support/json-schema.ts';
import { catalogue, check } from '../support/rule-language.ts';

const schema = ruleSchema(catalogue);

function definition(name: string): JsonSchema {
  return schema.$defs?.[name] ?? {};
}

/** The schema of `with` for an operation. */
function parametersOf(name: 'step' | 'when', verb: string): JsonSchema {
  const rule = (definition(name).allOf ?? []).find((one) => JSON.stringify(one).includes(`"const":"${verb}"`));
  return JSON.parse(JSON.stringify(rule ?? {})).then?.properties?.with ?? {};
}

/** Every key of a map in the schema, with its path. */
function keysIn(value: unknown, path: string): readonly (readonly [string, JsonSchema])[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, inside]) => {
    const direct = name === 'properties' ? Object.entries<JsonSchema>(inside).map(([key, one]) => [`${path}.${key}`, one] as const) : [];
    return [...direct, ...keysIn(inside, `${path}.${name}`)];
  });
}

describe('the JSON Schema of a rule', () => {
  test('describes every key', () => {
    const { allOf: _steps, ...step } = definition('step');
    const { allOf: _lists, ...when } = definition('when');
    const keys = [
      ...keysIn({ properties: schema.properties }, ''),
      ...keysIn(step, 'step'),
      ...keysIn(when, 'when'),
      ...keysIn(definition('quiet'), 'quiet'),
    ];

    expect(keys.length).toBeGreaterThan(60);
    expect(keys.filter(([, { description, $ref }]) => description === undefined && $ref === undefined).map(([path]) => path)).toEqual([]);
  });

  test('has every operation, and the operations that can be watched', () => {
    const verbs = (name: string, key: string): unknown => JSON.parse(JSON.stringify(definition(name))).properties[key].enum;

    expect(verbs('step', 'do')).toEqual([...catalogue.keys()].toSorted());
    expect(verbs('when', 'watch')).toEqual(
      expect.arrayContaining(['streaming.getStreams', 'social.getMentions', 'social.getUserFollowers', 'streaming.getUser']),
    );
    expect(verbs('when', 'watch')).not.toContain('social.getUserId');
    expect(verbs('when', 'watch')).not.toContain('discord.send');
  });

  test('has the parameters of each operation, and allows expressions everywhere', () => {
    const send = parametersOf('step', 'discord.send');

    expect(send).toMatchObject({ type: 'object', additionalProperties: false });
    expect(parametersOf('step', 'discord.edit')).toMatchObject({ required: ['message'] });
    expect(send.properties?.['channel']).toMatchObject({
      anyOf: [{ type: 'string', minLength: 1 }, { type: 'number' }, { $ref: '#/$defs/expression' }],
    });
    expect(JSON.stringify(send.properties?.['embed'])).toContain('"maxLength":256');
    expect(Object.values(send.properties ?? {}).filter((one) => !JSON.stringify(one).includes('#/$defs/expression'))).toEqual([]);
  });

  test.each(
    ['rules', 'test/rules/examples']
      .flatMap((folder) => readdirSync(folder).map((name) => `${folder}/${name}`))
      .filter((file) => !file.includes('.test.')),
  )('accepts %s', (file) => {
    expect(objectionsTo(parse(readFileSync(file, 'utf8')), schema)).toEqual([]);
  });

  test.each([
    [{ every: '5m', evry: 1 }, '.when.evry: nothing may stand here'],
    [{ every: '5m', cron: '* * * * *' }, '.when: fits none or several'],
    [{ every: '5m', settle: '1m' }, '.when.watch: is missing'],
    [{ every: '5m', watch: 'streaming.getStreams', with: { usres: [] } }, '.when.with.usres: nothing may stand here'],
    [{ every: '5m', watch: 'discord.send' }, '.when.watch: is none of'],
    [{ command: 'age', every: '5m' }, '.when: fits none or several'],
    [{ command: 'age', watch: 'streaming.getStreams' }, '.when.watch: nothing may stand here'],
    [{ webhook: 'shop', account: 'twitch' }, '.when.account: nothing may stand here'],
    [{ webhook: 'shop', options: {} }, '.when.command: is missing'],
    [{ every: '5m', fields: { a: 'text' } }, '.when.webhook: is missing'],
    [{ every: '5m', watch: 'streaming.getStreams', per: 'week' }, '.when.per: fits no choice'],
  ])('rejects %j', (when, objection) => {
    const found = objectionsTo({ id: 'r', when, then: [{ do: 'discord.send', with: { channel: 'a' } }] }, schema);

    expect(found).toContainEqual(expect.stringContaining(objection));
  });

  const STEPS = [{ do: 'discord.send', with: { channel: 'a', content: 'hi' } }];
  const WATCH = { every: '5m', watch: 'streaming.getStreams', with: { users: ['ada'] } };

  test.each<[isRight: boolean, rule: JsonObject]>([
    [true, { then: STEPS }],
    [false, {}],
    [false, { then: [] }],
    [false, { then: [], while: [] }],
    [true, { when: WATCH, finally: STEPS }],
    [true, { when: WATCH, then: [], finally: STEPS }],
    [false, { when: WATCH, quiet: { from: '23:00', to: '08:00', then: 'hold' } }],
    [true, { when: WATCH, quiet: { from: '23:00', to: '08:00', then: STEPS } }],
    [false, { quiet: { from: 2300, to: '08:00', then: 'hold' }, then: STEPS }],
    [false, { when: { every: 1000 }, then: STEPS }],
    [false, { when: { cron: 5 }, then: STEPS }],
    [false, { when: { every: '5m', timezone: 1 }, then: STEPS }],
    [false, { when: { ...WATCH, grace: 900 }, then: STEPS }],
    [false, { then: [...STEPS, { wait: 60 }, ...STEPS] }],
    [false, { then: [{ do: 'history.getEpisodes', with: { rule: 'a', since: [] } }] }],
    [true, { then: [{ do: 'discord.send', with: { channel: 'a', content: 5 } }] }],
    [false, { when: WATCH, gather: { then: STEPS } }],
    [true, { when: WATCH, gather: { count: 5, then: STEPS } }],
    [false, { when: { ...WATCH, changes: [{}] }, then: STEPS }],
    [false, { when: { ...WATCH, changes: [{ rose: { field: 'viewerCount' } }] }, then: STEPS }],
    [false, { when: { ...WATCH, changes: [{ rose: { field: 'viewerCount', above: 5, every: 5 } }] }, then: STEPS }],
    [true, { when: { ...WATCH, key: 1000 }, then: STEPS }],
    [true, { when: { webhook: 'shop', key: 1000 }, then: STEPS }],
    [false, { when: { ...WATCH, where: 1000 }, then: STEPS }],
    [false, { when: { cron: '0 9 * * 1', except: { dates: 1225 } }, then: STEPS }],
    [false, { when: { cron: '0 9 * * 1', except: { dates: [1225] } }, then: STEPS }],
    [true, { when: { cron: '0 9 * * 1', except: { dates: ['12-25'] } }, then: STEPS }],
    [true, { when: { webhook: 'shop', fields: { paid: 'number', 'items?': [{ code: 'text' }] } }, then: STEPS }],
  ])('agrees with the check (%j): %j', (isRight, keys) => {
    const rule = { id: 'r', when: { every: '5m' }, ...keys };

    expect([
      objectionsTo(rule, schema).length === 0,
      check(stringify(rule)).diagnostics.every(({ severity }) => severity !== 'error'),
    ]).toEqual([isRight, isRight]);
  });

  test('accepts expressions in all keys that rules evaluate', () => {
    const rule = {
      id: 2048,
      about: 2048,
      vars: { n: 5, zone: 'UTC' },
      each: { on: [{ id: 'a' }] },
      when: {
        cron: '0 * * * *',
        timezone: '${{ vars.zone }}',
        watch: 'streaming.getGameStreams',
        take: '${{ vars.n }}',
        with: { game: '${{ each.on.id }}', pages: '${{ vars.n }}' },
      },
      quiet: {
        from: '${{ vars.from }}',
        to: '08:00',
        then: [{ wait: '1m' }, { do: 'discord.send', with: { channel: 'a', embed: { color: '${{ vars.n }}' } } }],
      },
      then: [{ do: 'social.createPost', as: '${{ vars.nets }}', fit: 'thread', with: { text: 'hi' } }],
    };

    expect(objectionsTo(rule, schema)).toEqual([]);
  });

  test('omits parameters that polls do not take', () => {
    expect(Object.keys(parametersOf('when', 'streaming.getStreams').properties ?? {})).toEqual(['users', 'games', 'languages', 'pages']);
    expect(Object.keys(parametersOf('step', 'streaming.getStreams').properties ?? {})).toContain('cursor');
  });

  test('has only standard keywords', () => {
    expect(JSON.stringify(schema)).not.toContain('"text":"markdown"');
    expect(schema.$schema).toBe('https://json-schema.org/draft/2020-12/schema');
  });
});

test('the JSON Schema of a list accepts ids without quotes, and flags', () => {
  const list = parse('ada: { twitch: ada, channel: 123456789012345678, ping: true }\n');

  expect(objectionsTo(list, listSchema(catalogue))).toEqual([]);
  expect(objectionsTo({ ada: { ping: null } }, listSchema(catalogue))).toEqual([expect.stringContaining('.ada.ping: is no string')]);
});
