import { globSync, readFileSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { describe, expect, test } from 'vitest';
import { importsOf, type SourceImport } from './support/source-imports.ts';

const files = globSync(['src/**/*.ts', 'adapters/**/*.ts', 'sandbox/**/*.ts'], { exclude: ['sandbox/test/**'] }).toSorted();
const imports = files.flatMap(importsOf);
const EVERYTHING = ['*'];

/** Which layers a layer may import beside itself: the table of the design, types included. */
const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  clock: [],
  errors: [],
  'safe-body': [],
  'late-module': ['errors'],
  visible: [],
  redact: [],
  'source-positions': [],
  log: ['visible', 'redact', 'source-positions'],
  config: ['rules', 'operation', 'errors', 'clock', 'log', 'redact'],
  http: ['errors', 'clock', 'log', 'redact'],
  media: ['late-module', 'errors', 'clock', 'log'],
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
  'adapters/discord': ['chat', 'operation', 'paging', 'http', 'media', 'secrets', 'safe-body', 'late-module', 'errors', 'clock', 'log'],
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
  delivery: ['rules', 'operation', 'errors', 'clock', 'log'],
  simulation: [
    'queries',
    'planner',
    'scheduler',
    'delivery',
    'rules',
    'catalogue',
    'media',
    'operation',
    'late-module',
    'errors',
    'clock',
    'log',
  ],
  store: [
    'rules',
    'planner',
    'scheduler',
    'delivery',
    'posting',
    'controls',
    'queries',
    'registry',
    'assistant',
    'social',
    'chat',
    'secrets',
    'discord',
    'http',
    'operation',
    'errors',
    'clock',
    'log',
  ],
  sandbox: ['streaming', 'social', 'chat', 'operation', 'errors', 'clock', 'log'],
  catalogue: ['streaming', 'social', 'assistant', 'chat', 'history', 'operation'],
  'event-bus': ['delivery', 'rules'],
  posting: ['delivery', 'rules', 'social', 'catalogue', 'event-bus', 'operation', 'errors', 'clock', 'log'],
  registry: ['rules', 'scheduler', 'delivery', 'catalogue', 'media', 'operation', 'errors', 'clock', 'log'],
  queries: [
    'rules',
    'planner',
    'scheduler',
    'delivery',
    'posting',
    'registry',
    'event-bus',
    'catalogue',
    'streaming',
    'social',
    'chat',
    'assistant',
    'operation',
    'errors',
    'clock',
    'log',
  ],
  telemetry: ['queries', 'http', 'delivery', 'scheduler', 'posting', 'rules', 'operation', 'errors', 'clock', 'log'],
  controls: ['queries', 'registry', 'delivery', 'rules', 'scheduler', 'event-bus', 'operation', 'errors', 'clock', 'log'],
  'channel-checks': ['rules', 'operation', 'errors', 'clock', 'log'],
  doctor: ['queries', 'config', 'secrets', 'rules', 'operation', 'errors', 'clock', 'log'],
  'sign-in': ['config', 'secrets', 'errors', 'clock', 'log'],
  scaffold: ['config', 'rules', 'operation', 'errors'],
  reference: ['queries', 'catalogue', 'streaming', 'social', 'chat', 'assistant', 'history', 'rules', 'operation', 'errors'],
  'assistant-tools': [
    'assistant',
    'posting',
    'registry',
    'scaffold',
    'config',
    'catalogue',
    'rules',
    'simulation',
    'paging',
    'operation',
    'errors',
    'clock',
    'log',
  ],
  discord: ['queries', 'posting', 'controls', 'assistant', 'rules', 'config', 'operation', 'safe-body', 'errors', 'clock', 'log'],
  web: ['queries', 'rules', 'operation', 'late-module', 'errors', 'clock', 'log'],
  cli: [
    'queries',
    'controls',
    'registry',
    'doctor',
    'sign-in',
    'scaffold',
    'rules',
    'operation',
    'errors',
    'clock',
    'log',
    'visible',
    'source-positions',
  ],
  app: EVERYTHING,
  main: EVERYTHING,
  'reference-pages': EVERYTHING,
  'write-reference': EVERYTHING,
  index: EVERYTHING,
};

/** The records and enumerations of the clients, which front ends show. */
const CLIENT_RECORDS = /^src\/(streaming|social|chat)\/(records(\/[\w-]+)?|enumerations)\.ts$/;
const FRONT_ENDS: ReadonlySet<string> = new Set(['discord', 'web', 'cli']);

/** Layers that a command loads when it runs. */
const LOADED_BY_COMMANDS: ReadonlySet<string> = new Set(['app', 'sandbox', 'config']);

function layerOf(file: string): string {
  const [top = '', second = ''] = file.split('/');
  if (top === 'sandbox') return top;
  return top === 'adapters' ? `adapters/${second}` : second.replace(/\.ts$/, '');
}

function isAllowed({ from, to, lazy }: SourceImport): boolean {
  const [here, there] = [layerOf(from), layerOf(to)];
  const allowed = MAY_IMPORT[here] ?? [];
  return (
    here === there ||
    allowed === EVERYTHING ||
    allowed.includes(there) ||
    (FRONT_ENDS.has(here) && CLIENT_RECORDS.test(to)) ||
    (lazy && here === 'cli' && LOADED_BY_COMMANDS.has(there))
  );
}

describe('imports', () => {
  test('the table has every folder', () => {
    expect([...new Set(files.map(layerOf))].filter((layer) => !(layer in MAY_IMPORT))).toEqual([]);
  });

  test('every import is allowed by the table', () => {
    const wrong = imports.filter(({ ours }) => ours).filter((one) => !isAllowed(one));

    expect(wrong.map(({ from, to }) => `${from} imports ${to}`)).toEqual([]);
  });

  test('only app.ts imports the registry of adapters', () => {
    const users = imports.filter(({ to }) => to === 'adapters/index.ts').map(({ from }) => from);

    expect(users).toEqual(['src/app.ts']);
  });

  test('only the Discord adapter and the bot import discord.js', () => {
    const users = new Set(imports.filter(({ to }) => to === 'discord.js').map(({ from }) => layerOf(from)));

    expect([...users].filter((layer) => layer !== 'adapters/discord' && layer !== 'discord')).toEqual([]);
  });

  test('only the exporter imports OpenTelemetry, and it is loaded on demand', () => {
    const exporter = 'src/telemetry/otlp-exporter.ts';
    const users = imports.filter(({ to }) => to.startsWith('@opentelemetry/')).map(({ from }) => from);
    const loaders = imports.filter(({ to, typeOnly }) => to === exporter && !typeOnly);

    expect([...new Set(users)]).toEqual([exporter]);
    expect(loaders.map(({ from, lazy }) => [from, lazy])).toEqual([['src/telemetry/open-traces.ts', true]]);
  });

  // See docs/decisions/0008-the-assistant-in-the-social-client.md.
  test('only the social client imports more of the assistant than its records', () => {
    const users = imports
      .filter(({ from, to }) => layerOf(from) === 'social' && layerOf(to) === 'assistant' && to !== 'src/assistant/records.ts')
      .map(({ from }) => from);

    expect([...new Set(users)].filter((file) => !file.startsWith('src/social/fallbacks/') && file !== 'src/social/providers.ts')).toEqual(
      [],
    );
  });

  test('check loads no part of the running application', () => {
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
        .filter((file) => /^(discord\.js|undici|sandbox|src\/(app\.ts|discord|delivery|store|web)|adapters)/.test(file))
        .filter((file) => !isTable(file)),
    ).toEqual([]);
  });

  test('only load.ts and regular-file.ts in rules read files', () => {
    const users = imports.filter(({ from, to }) => layerOf(from) === 'rules' && to.startsWith('node:fs')).map(({ from }) => from);

    expect(users.filter((file) => !['src/rules/load.ts', 'src/rules/regular-file.ts'].includes(file))).toEqual([]);
  });

  test('imports within a layer are relative, others use aliases', () => {
    const text = (one: SourceImport): string => readFileSync(one.from, 'utf8');
    const wrong = imports.filter((one) => {
      const named = text(one).includes(`'#${one.to}'`);
      const crosses = layerOf(one.from) !== layerOf(one.to) && one.from !== 'adapters/index.ts';
      return one.ours && crosses && !named;
    });

    expect(wrong.map(({ from, to }) => `${from} imports ${to}`)).toEqual([]);
  });

  test('no files import each other in a cycle', () => {
    expect(cyclesOf(imports.filter(({ ours }) => ours).map(({ from, to }) => [from, to]))).toEqual([]);
  });

  // Both levels count type imports: layers, then the sub-folders of each layer.
  test('no layers import each other in a cycle', () => {
    expect(cyclesOf(imports.filter(({ ours }) => ours).map(({ from, to }) => [layerOf(from), layerOf(to)]))).toEqual([]);
  });

  test('no sub-folders of a layer import each other in a cycle', () => {
    const edges = imports.flatMap(({ from, to, ours }) => {
      const [a, b] = [subfolderOf(from), subfolderOf(to)];
      return ours && layerOf(from) === layerOf(to) && a !== undefined && b !== undefined ? [[a, b] as const] : [];
    });

    expect(cyclesOf(edges)).toEqual([]);
  });
});

/** The first folder below the layer of a file; undefined for a file beside it, which composes the folders or serves them. */
function subfolderOf(file: string): string | undefined {
  const depth = file.startsWith('sandbox/') ? 1 : 2;
  const folders = dirname(file).split('/');
  return folders.length > depth ? folders.slice(0, depth + 1).join('/') : undefined;
}

/** The cycles of a graph, each as `a → b → a`. An edge from a node to itself is no cycle. */
function cyclesOf(edges: readonly (readonly [from: string, to: string])[]): readonly string[] {
  const next = new Map<string, Set<string>>();
  for (const [from, to] of edges) if (from !== to) next.set(from, (next.get(from) ?? new Set()).add(to));
  const done = new Set<string>();
  const cycles: string[] = [];
  function visit(node: string, path: readonly string[]): void {
    if (path.includes(node)) cycles.push([...path.slice(path.indexOf(node)), node].join(' → '));
    if (done.has(node) || path.includes(node)) return;
    for (const to of next.get(node) ?? []) visit(to, [...path, node]);
    done.add(node);
  }
  for (const node of next.keys()) visit(node, []);
  return cycles;
}

describe('the size and the names of files', () => {
  test('no file is longer than 300 lines', () => {
    const long = files.filter((file) => readFileSync(file, 'utf8').split('\n').length > 301);

    expect(long).toEqual([]);
  });

  test('no file has a vague name', () => {
    const empty = /(^|[/-])(utils?|helpers?|common|misc|lib|types|manager|service|base)([/.-]|$)/;

    expect(files.filter((file) => empty.test(file))).toEqual([]);
  });

  test('names are in kebab case', () => {
    expect(files.filter((file) => !/^[a-z0-9]+(-[a-z0-9]+)*(\.d)?\.ts$/.test(basename(file)))).toEqual([]);
  });
});

test('a start loads discord.js, sharp and the sandbox only when they are used', () => {
  const byFile = Map.groupBy(imports, ({ from }) => from);
  const loaded = new Set<string>(['src/main.ts', 'src/cli/start.ts', 'src/app.ts', 'src/store/store.ts']);
  for (const file of loaded) for (const { to, typeOnly, lazy } of byFile.get(file) ?? []) if (!typeOnly && !lazy) loaded.add(to);

  expect(loaded.size).toBeGreaterThan(300);
  expect([...loaded].filter((name) => /^(discord\.js|sharp|sandbox\/)/u.test(name))).toEqual([]);
});

test('no file has any or an ignored type error', () => {
  const escapes = files.filter((file) => /(:|<|\bas)\s*any\b|@ts-(ignore|expect-error|nocheck)/.test(readFileSync(file, 'utf8')));

  expect(escapes).toEqual([]);
});
