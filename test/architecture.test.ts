import { globSync, readFileSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { describe, expect, test } from 'vitest';
import { importsOf, type SourceImport } from './support/source-imports.ts';

const files = globSync(['src/**/*.ts', 'adapters/**/*.ts', 'sandbox/**/*.ts'], { exclude: ['sandbox/test/**'] }).toSorted();
const imports = files.flatMap(importsOf);
const EVERYTHING = ['*'];

/**
 * The permitted imports of a layer beside itself, `errors`, `clock` and `log`: layers, their folders, or single files. Types count. See
 * docs/decisions/0087-eleven-folders.md.
 */
const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  errors: [],
  clock: [],
  log: [],
  http: [],
  clients: [],
  adapters: ['clients', 'http', 'adapters/account.ts'],
  rules: ['clients/operation', 'http/parse-instant.ts'],
  config: ['rules', 'clients/operation', 'adapters/account.ts', 'adapters/index.ts'],
  engine: ['rules', 'clients', 'http/media/file-errors.ts'],
  admin: ['engine', 'rules', 'clients', 'config', 'http'],
  store: ['admin', 'engine', 'rules', 'clients', 'discord', 'http'],
  discord: ['admin', 'engine', 'rules', 'clients', 'config', 'http/safe-body.ts'],
  web: ['admin', 'engine', 'rules', 'clients'],
  sandbox: ['clients', 'web/page/inline'],
  cli: ['admin', 'engine', 'rules', 'clients/operation'],
  // All but `cli` and `main`.
  app: EVERYTHING,
  main: EVERYTHING,
  index: EVERYTHING,
};
const BY_ALL: ReadonlySet<string> = new Set(['errors', 'clock', 'log']);

/** Layers that a command loads when it runs. */
const LOADED_BY_COMMANDS: ReadonlySet<string> = new Set(['app', 'sandbox', 'config']);

/** The folder or the file in `src`, or `adapters/<platform>`, `adapters` for their registry, `adapters/account.ts`, or `sandbox`. */
function layerOf(file: string): string {
  const [top = '', second = '', third] = file.split('/');
  if (top === 'src') return second.replace(/\.ts$/, '');
  return top === 'adapters' && (third !== undefined || second === 'account.ts') ? `adapters/${second}` : top;
}

function isAllowed({ from, to, lazy }: SourceImport): boolean {
  const [here, there] = [layerOf(from), layerOf(to)];
  if (here === there || BY_ALL.has(there)) return true;
  if (here === 'adapters') return there.startsWith('adapters/');
  if (here === 'app') return there !== 'cli' && there !== 'main';
  const allowed = MAY_IMPORT[here.startsWith('adapters/') ? 'adapters' : here] ?? [];
  return (
    allowed === EVERYTHING ||
    allowed.some((one) => `${to}/`.startsWith(`src/${one}/`) || to === one) ||
    (lazy && here === 'cli' && LOADED_BY_COMMANDS.has(there))
  );
}

describe('imports', () => {
  test('the table has every folder and file of src', () => {
    const layers = new Set(files.filter((file) => file.startsWith('src/')).map(layerOf));

    expect([...layers].filter((layer) => !(layer in MAY_IMPORT))).toEqual([]);
  });

  test('every import is allowed by the table', () => {
    const wrong = imports.filter(({ ours }) => ours).filter((one) => !isAllowed(one));

    expect(wrong.map(({ from, to }) => `${from} imports ${to}`)).toEqual([]);
  });

  test('only the configuration and the composition import the registry of adapters', () => {
    const users = imports.filter(({ to }) => to === 'adapters/index.ts').map(({ from }) => from);

    expect(users).toEqual(['src/app/platforms.ts', 'src/config/accounts.ts']);
  });

  test('only the Discord adapter and the bot import discord.js', () => {
    const users = new Set(imports.filter(({ to }) => to === 'discord.js').map(({ from }) => layerOf(from)));

    expect([...users].filter((layer) => layer !== 'adapters/discord' && layer !== 'discord')).toEqual([]);
  });

  test('only the exporter imports OpenTelemetry, and it is loaded on demand', () => {
    const exporter = 'src/admin/telemetry/otlp-exporter.ts';
    const users = imports.filter(({ to }) => to.startsWith('@opentelemetry/')).map(({ from }) => from);
    const loaders = imports.filter(({ to, typeOnly }) => to === exporter && !typeOnly);

    expect([...new Set(users)]).toEqual([exporter]);
    expect(loaders.map(({ from, lazy }) => [from, lazy])).toEqual([['src/admin/telemetry/open-traces.ts', true]]);
  });

  // See docs/decisions/0008-the-assistant-in-the-social-client.md.
  test('only the social client imports more of the assistant than its records', () => {
    const users = imports
      .filter(
        ({ from, to }) =>
          from.startsWith('src/clients/social/') && to.startsWith('src/clients/assistant/') && to !== 'src/clients/assistant/records.ts',
      )
      .map(({ from }) => from);

    expect(
      [...new Set(users)].filter((file) => !file.startsWith('src/clients/social/fallbacks/') && file !== 'src/clients/social/providers.ts'),
    ).toEqual([]);
  });

  test('check loads no part of the running application', () => {
    const fixed = Map.groupBy(
      imports.filter(({ typeOnly, lazy }) => !typeOnly && !lazy),
      ({ from }) => from,
    );
    const loaded = new Set(['src/main.ts', 'src/cli/check.ts', 'src/app/open-rules.ts']);

    for (const file of loaded) for (const { to } of fixed.get(file) ?? []) loaded.add(to);

    // Of an adapter, the check loads the description of its accounts and the table of its capabilities.
    const isLight = (file: string): boolean =>
      /^adapters\/(index|account|\w+\/(account|capabilities(\/.+)?|text\/(limit|length)))\.ts$/.test(file);
    expect(
      [...loaded]
        .filter((file) => /^(discord\.js|undici|sandbox|src\/(app\/app\.ts|discord|engine\/delivery|store|web)|adapters)/.test(file))
        .filter((file) => !isLight(file)),
    ).toEqual([]);
  });

  test('only load.ts, walk-folder.ts and regular-file.ts in rules read files', () => {
    const readers = ['load', 'walk-folder', 'regular-file'].map((name) => `src/rules/${name}.ts`);
    const users = imports.filter(({ from, to }) => layerOf(from) === 'rules' && to.startsWith('node:fs')).map(({ from }) => from);

    expect(users.filter((file) => !readers.includes(file))).toEqual([]);
  });

  test('imports of another layer use aliases', () => {
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

  // An import between deep folders also counts for the folders around them. The test of layers covers the top level.
  test('no folders beside each other import each other in a cycle, at any depth', () => {
    const edges = imports.flatMap(({ from, to, ours }) => (ours ? [foldersBeside(from, to)] : [])).filter((edge) => edge !== undefined);

    expect(cyclesOf(edges)).toEqual([]);
  });
});

/** The folders of two files below their closest common folder; undefined if one of the files is directly in it. */
function foldersBeside(from: string, to: string): readonly [string, string] | undefined {
  const [a, b] = [dirname(from).split('/'), dirname(to).split('/')];
  const common = a.findIndex((name, depth) => name !== b[depth]);
  const depth = common === -1 ? a.length : common;
  return depth > 0 && depth < a.length && depth < b.length ? [a.slice(0, depth + 1).join('/'), b.slice(0, depth + 1).join('/')] : undefined;
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
    const texts = files.map((file) => [file, readFileSync(file, 'utf8')] as const).filter(([, text]) => !text.startsWith('// Generated '));
    const long = texts.filter(([, text]) => text.split('\n').length > 301).map(([file]) => file);

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
  const loaded = new Set<string>(['src/main.ts', 'src/cli/start.ts', 'src/app/app.ts', 'src/store/store.ts']);
  for (const file of loaded) for (const { to, typeOnly, lazy } of byFile.get(file) ?? []) if (!typeOnly && !lazy) loaded.add(to);

  expect(loaded.size).toBeGreaterThan(300);
  expect([...loaded].filter((name) => /^(discord\.js|sharp|sandbox\/)/u.test(name))).toEqual([]);
});

test('each document states its language', () => {
  const without = files.filter((file) => /<!doctype html>\s*(?!\s|<html lang=)/u.test(readFileSync(file, 'utf8')));

  expect(without).toEqual([]);
});

test('no file has any or an ignored type error', () => {
  const escapes = files.filter((file) => /(:|<|\bas)\s*any\b|@ts-(ignore|expect-error|nocheck)/.test(readFileSync(file, 'utf8')));

  expect(escapes).toEqual([]);
});
