import { globSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { describe, expect, test } from 'vitest';
import { importsOf, type SourceImport } from './support/source-imports.ts';

const files = globSync(['src/**/*.ts', 'adapters/**/*.ts']).toSorted();
const imports = files.flatMap(importsOf);
const EVERYTHING = ['*'];

/** Which layers a layer may import beside itself: the table of the design, types included. */
const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  clock: [],
  errors: [],
  visible: [],
  redact: [],
  log: ['visible', 'redact'],
  config: ['errors', 'clock', 'log'],
  http: ['errors', 'clock', 'log', 'redact'],
  media: ['errors', 'clock', 'log'],
  paging: ['errors', 'clock', 'log'],
  secrets: ['errors', 'clock', 'log'],
  operation: ['paging', 'errors', 'clock'],
  streaming: ['operation', 'paging', 'errors', 'clock'],
  social: ['operation', 'paging', 'errors', 'clock', 'assistant'],
  assistant: ['operation', 'paging', 'errors', 'clock'],
  chat: ['operation', 'paging', 'errors', 'clock'],
  history: ['operation', 'paging', 'errors', 'clock'],
  'adapters/twitch': ['streaming', 'operation', 'paging', 'http', 'secrets', 'errors', 'clock', 'log'],
  'adapters/kick': ['streaming', 'operation', 'paging', 'http', 'secrets', 'errors', 'clock', 'log'],
  'adapters/sandbox': ['social', 'operation', 'paging', 'http', 'media', 'secrets', 'errors', 'clock', 'log'],
  'adapters/x': ['social', 'operation', 'paging', 'http', 'media', 'secrets', 'errors', 'clock', 'log'],
  'adapters/bluesky': ['social', 'operation', 'paging', 'http', 'media', 'secrets', 'errors', 'clock', 'log'],
  'adapters/mastodon': ['social', 'operation', 'paging', 'http', 'media', 'secrets', 'errors', 'clock', 'log'],
  'adapters/discord': ['chat', 'operation', 'paging', 'http', 'media', 'secrets', 'errors', 'clock', 'log'],
  'adapters/giphy': ['social', 'operation', 'paging', 'http', 'secrets', 'errors', 'clock', 'log'],
  'adapters/openai': ['assistant', 'operation', 'paging', 'http', 'secrets', 'errors', 'clock', 'log'],
  'adapters/index.ts': [
    'adapters/twitch',
    'adapters/kick',
    'adapters/x',
    'adapters/bluesky',
    'adapters/mastodon',
    'adapters/sandbox',
    'adapters/discord',
    'adapters/openai',
    'adapters/giphy',
  ],
  rules: ['operation', 'errors'],
  planner: ['rules', 'operation', 'errors', 'clock', 'log'],
  scheduler: ['rules', 'operation', 'errors', 'clock', 'log'],
  outbox: ['rules', 'operation', 'errors', 'clock', 'log'],
  store: ['rules', 'planner', 'scheduler', 'outbox', 'assistant', 'social', 'chat', 'secrets', 'operation', 'errors', 'clock', 'log'],
  sandbox: ['streaming', 'social', 'chat', 'operation', 'errors', 'clock', 'log'],
  discord: ['operation', 'errors', 'clock', 'log'],
  web: ['operation', 'errors', 'clock', 'log'],
  cli: ['operation', 'errors', 'clock', 'log', 'visible'],
  app: EVERYTHING,
  main: EVERYTHING,
  index: EVERYTHING,
};

/** Layers that may name the types of any other: the values come to them from the app. */
const TYPES_OF_ALL = ['discord', 'web', 'cli'];

function layerOf(file: string): string {
  const [top = '', second = ''] = file.split('/');
  return top === 'adapters' ? `adapters/${second}` : second.replace(/\.ts$/, '');
}

function isAllowed({ from, to, typeOnly }: SourceImport): boolean {
  const [here, there] = [layerOf(from), layerOf(to)];
  const allowed = MAY_IMPORT[here] ?? [];
  return here === there || allowed === EVERYTHING || allowed.includes(there) || (typeOnly && TYPES_OF_ALL.includes(here));
}

describe('who may import whom', () => {
  test('every folder is in the table', () => {
    expect([...new Set(files.map(layerOf))].filter((layer) => !(layer in MAY_IMPORT))).toEqual([]);
  });

  test('nobody imports what the table does not allow', () => {
    const wrong = imports.filter(({ ours }) => ours).filter((one) => !isAllowed(one));

    expect(wrong.map(({ from, to }) => `${from} imports ${to}`)).toEqual([]);
  });

  test('the registry of adapters is imported by app.ts alone', () => {
    const users = imports.filter(({ to }) => to === 'adapters/index.ts').map(({ from }) => from);

    expect(users).toEqual(['src/app.ts']);
  });

  test('discord.js stays in its adapter and in the bot', () => {
    const users = new Set(imports.filter(({ to }) => to === 'discord.js').map(({ from }) => layerOf(from)));

    expect([...users].filter((layer) => layer !== 'adapters/discord' && layer !== 'discord')).toEqual([]);
  });

  // See docs/decisions/0008-the-assistant-in-the-social-client.md.
  test("of the assistant, only the social client's own side knows more than the records", () => {
    const users = imports
      .filter(({ from, to }) => layerOf(from) === 'social' && layerOf(to) === 'assistant' && to !== 'src/assistant/records.ts')
      .map(({ from }) => from);

    expect([...new Set(users)].filter((file) => !file.startsWith('src/social/own/') && file !== 'src/social/providers.ts')).toEqual([]);
  });

  test('a command that looks at rules loads no part of what runs them', () => {
    const fixed = Map.groupBy(
      imports.filter(({ typeOnly, lazy }) => !typeOnly && !lazy),
      ({ from }) => from,
    );
    const loaded = new Set(['src/main.ts', 'src/cli/check.ts', 'src/app/open-rules.ts']);

    for (const file of loaded) for (const { to } of fixed.get(file) ?? []) loaded.add(to);

    // Rules are checked against what platforms can do: their tables, which load nothing of an adapter but each other.
    const isTable = (file: string): boolean => /^adapters\/\w+\/capabilities(\.ts$|\/)/.test(file);
    expect(
      [...loaded]
        .filter((file) => /^(discord\.js|undici|src\/(app\.ts|discord|outbox|store|web|sandbox)|adapters)/.test(file))
        .filter((file) => !isTable(file)),
    ).toEqual([]);
  });

  test('only load.ts of the rules reads files', () => {
    const users = imports.filter(({ from, to }) => layerOf(from) === 'rules' && to.startsWith('node:fs')).map(({ from }) => from);

    expect(users.filter((file) => file !== 'src/rules/load.ts')).toEqual([]);
  });

  test('a layer imports its own files relatively and those of others by name', () => {
    const text = (one: SourceImport): string => readFileSync(one.from, 'utf8');
    const wrong = imports.filter((one) => {
      const named = text(one).includes(`'#${one.to}'`);
      const crosses = layerOf(one.from) !== layerOf(one.to) && one.from !== 'adapters/index.ts';
      return one.ours && crosses && !named;
    });

    expect(wrong.map(({ from, to }) => `${from} imports ${to}`)).toEqual([]);
  });

  test('there is no circle of imports', () => {
    const next = Map.groupBy(
      imports.filter(({ ours }) => ours),
      ({ from }) => from,
    );
    const done = new Set<string>();
    const circles: string[] = [];
    function visit(file: string, path: readonly string[]): void {
      if (path.includes(file)) circles.push([...path.slice(path.indexOf(file)), file].join(' → '));
      if (done.has(file) || path.includes(file)) return;
      for (const { to } of next.get(file) ?? []) visit(to, [...path, file]);
      done.add(file);
    }

    for (const file of files) visit(file, []);

    expect(circles).toEqual([]);
  });
});

describe('the size and the names of files', () => {
  test('no file is longer than 300 lines', () => {
    const long = files.filter((file) => readFileSync(file, 'utf8').split('\n').length > 301);

    expect(long).toEqual([]);
  });

  test('every name says what is in the file', () => {
    const empty = /(^|[/-])(utils?|helpers?|common|misc|lib|types|manager|service|base)([/.-]|$)/;

    expect(files.filter((file) => empty.test(file))).toEqual([]);
  });

  test('names are in kebab case', () => {
    expect(files.filter((file) => !/^[a-z0-9]+(-[a-z0-9]+)*(\.d)?\.ts$/.test(basename(file)))).toEqual([]);
  });
});

test('no type is escaped: no any, no ignored error', () => {
  const escapes = files.filter((file) => /(:|<|\bas)\s*any\b|@ts-(ignore|expect-error|nocheck)/.test(readFileSync(file, 'utf8')));

  expect(escapes).toEqual([]);
});
