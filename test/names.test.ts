import { globSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { parseSync, Visitor } from 'oxc-parser';
import { describe, expect, test } from 'vitest';

/** Words that are not part of a name, because the field has another term. See docs/decisions/0044-names-are-tested.md. */
const FORBIDDEN = new Set(
  (
    'said say says saying sayings unsaid tell tells told telling turn turns look looks desk given moment moments mark marks strangers complaint complaints ' +
    'troubles linger tidy leavings places silence afresh talks letters gatherings own did would drafting press pressed withholding ' +
    'weather tale tales lives cuts'
  ).split(' '),
);
const FORBIDDEN_PHRASES = [
  ['take', 'back'],
  ['in', 'front'],
  ['never', 'left'],
  ['lost', 'among'],
  ['recorded', 'room'],
  ['answer', 'places'],
];

/**
 * Names that keep a forbidden word. Other programs and protocols define some of them. Others are fields of stored rows, and a new
 * name would need a migration.
 */
const EXCEPTIONS: readonly { readonly reason: string; readonly files: RegExp; readonly names: RegExp }[] = [
  { reason: 'identifier of the AT Protocol', files: /bluesky|test\/(adapters|e2e|secrets)\//, names: /did/i },
  { reason: 'Mastodon API', files: /mastodon/, names: /^own_?votes$/i },
  { reason: 'X API, and the stored cursor of its conversations', files: /^(adapters|sandbox)\/x\//, names: /^(places|given)$/ },
  { reason: 'places on the map', files: /^sandbox\/social\/records\.ts$/, names: /^PLACES$/ },
  { reason: 'stored state of a rule', files: /rules\/|^test\/(contract|support)\//, names: /^(silence|afresh|marks|unsaid|said)$/ },
  { reason: 'stored reasons', files: /reasons?(\/|\.|\b)/, names: /^(silence|emptySaying|saidSent|saidAgain|cannotTell)$/ },
  { reason: 'SQL columns', files: /^src\/store\//, names: /^(turn|afresh)$/ },
  { reason: 'variable of expressions', files: /^src\/rules\//, names: /^own$/ },
  { reason: 'key of fanfare.yaml', files: /config|discord\/(caller|dispatch|http|permissions)/, names: /^look$/ },
  { reason: 'option of the command line', files: /^src\/cli\/new\.ts$/, names: /^say$/ },
];

function partsOf(name: string): string[] {
  return name
    .replaceAll(/look-?Up/gi, 'lookup')
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replaceAll(/([A-Z]+)([A-Z][a-z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z0-9]+/);
}

function isForbidden(name: string, file: string): boolean {
  if (EXCEPTIONS.some(({ files, names }) => files.test(file) && names.test(name))) return false;
  const parts = partsOf(name);
  if (parts.some((part) => FORBIDDEN.has(part))) return true;
  return FORBIDDEN_PHRASES.some((phrase) => parts.some((_, at) => phrase.every((word, offset) => parts[at + offset] === word)));
}

/** Every name that a file declares: variables, parameters, functions, types, members, and keys of objects. */
function declaredNames(file: string): { name: string; at: number }[] {
  const { program } = parseSync(file, readFileSync(file, 'utf8'));
  const names: { name: string; at: number }[] = [];
  type Node = { type: string; start: number; [key: string]: unknown } | null | undefined;
  const add = (node: Node): void => {
    if (!node) return;
    if (node.type === 'Identifier' || node.type === 'PrivateIdentifier') names.push({ name: node['name'] as string, at: node.start });
    else if (node.type === 'ObjectPattern')
      for (const property of node['properties'] as Node[]) add((property?.['value'] ?? property?.['argument']) as Node);
    else if (node.type === 'ArrayPattern') for (const element of node['elements'] as Node[]) add(element);
    else if (node.type === 'AssignmentPattern') add(node['left'] as Node);
    else if (node.type === 'RestElement') add(node['argument'] as Node);
    else if (node.type === 'TSParameterProperty') add(node['parameter'] as Node);
  };
  const named = (node: object, key: 'id' | 'key' | 'local' | 'name'): void => add((node as Record<string, Node>)[key]);
  const callable = (node: object): void => {
    named(node, 'id');
    for (const parameter of ((node as { params?: Node[] }).params ?? []) as Node[]) add(parameter);
  };
  new Visitor({
    VariableDeclarator: (node) => named(node, 'id'),
    FunctionDeclaration: callable,
    FunctionExpression: callable,
    ArrowFunctionExpression: callable,
    TSFunctionType: callable,
    TSMethodSignature: (node) => (named(node, 'key'), callable({ params: node.params })),
    TSPropertySignature: (node) => named(node, 'key'),
    ClassDeclaration: (node) => named(node, 'id'),
    MethodDefinition: (node) => named(node, 'key'),
    PropertyDefinition: (node) => named(node, 'key'),
    TSInterfaceDeclaration: (node) => named(node, 'id'),
    TSTypeAliasDeclaration: (node) => named(node, 'id'),
    CatchClause: (node) => add(node.param as unknown as Node),
    Property: (node) => {
      if (!node.shorthand && !node.computed) named(node, 'key');
    },
  }).visit(program);
  return names;
}

describe('names follow the glossary', () => {
  const files = globSync(['src/**/*.ts', 'adapters/**/*.ts', 'sandbox/**/*.ts', 'test/**/*.ts', 'bench/**/*.ts', '.ci/*.mjs'], {
    exclude: ['**/node_modules/**'],
  }).toSorted();

  test('of folders and files', () => {
    expect(files.filter((file) => file.split('/').some((part) => isForbidden(basename(part, '.ts'), file)))).toEqual([]);
  });

  test('of declarations', () => {
    const found = files.flatMap((file) => {
      const names = declaredNames(file).filter(({ name }) => isForbidden(name, file));
      if (names.length === 0) return [];
      const text = readFileSync(file, 'utf8');
      return names.map(({ name, at }) => `${file}:${text.slice(0, at).split('\n').length} ${name}`);
    });
    expect(found).toEqual([]);
  });
});
