import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { configSchema, FanfareFile } from '#src/config/fanfare-file.ts';
import { environmentSchema, readEnvironment } from '#src/config/environment.ts';
import { openConfig } from '#src/config/open-config.ts';
import type { JsonSchema } from '#src/rules/editor-schema.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const environment = readFileSync('docs/reference/environment.md', 'utf8');
const fanfareYaml = readFileSync('docs/reference/fanfare-yaml.md', 'utf8');
const variables = Object.entries(environmentSchema().properties ?? {}).map(([name, schema]) => [name, schema as JsonSchema] as const); // the schema of a variable is an object

test('docs/reference/environment.md has every variable of the source, with its type, an example and its meaning', () => {
  const sources = ['src/config/environment.ts', ...globSync('adapters/*/account.ts')].map((file) => readFileSync(file, 'utf8'));
  const read = [...sources.join('\n').matchAll(/^ {2,4}([A-Z][A-Z_]+):/gmu)].map(([, name = '']) => name);
  const rows = new Map([...environment.matchAll(/^\| `([A-Z_]+)` \| (.+) \|$/gmu)].map(([, name = '', rest = '']) => [name, rest]));

  expect(read.length).toBeGreaterThan(30);
  expect(new Set(rows.keys())).toEqual(new Set(read));
  expect([...rows].filter(([, rest]) => rest.split(/(?<!\\)\|/u).some((cell) => cell.trim() === ''))).toEqual([]);
});

test.for(variables)('the example of %s is valid', ([name, { examples = [] }]) => {
  expect(() => examples.map((example) => readEnvironment({ [name]: String(example) }))).not.toThrow();
});

test.for(leaves(configSchema()))('the example of %s in docs/reference/fanfare-yaml.md is valid', ([path, schema]) => {
  const key = path.at(-1) ?? '';
  const [example] = schema.examples ?? [schema.const];

  expect(example).toBeDefined();
  expect(fanfareYaml).toContain(`\`${path.filter((part) => !part.startsWith('=')).join('.')}\` |`);
  expect(fanfareYaml).toContain(`\`${key}: `);
  expect(issuesAt(path, example)).toEqual([]);
});

test('the example file is valid', () => {
  const [, source = ''] = /^```yaml\n(accounts:[^]*?)^```$/mu.exec(fanfareYaml) ?? [];
  using folder = temporaryFolder();
  writeFileSync(join(folder.path, 'fanfare.yaml'), source);

  const config = openConfig({
    FANFARE_RULES: join(folder.path, 'rules'),
    DISCORD_TOKEN: 'token',
    MASTODON_DE_TOKEN: 'token',
    X_CLIENT_ID: 'id',
  });

  expect(config.accounts.map(({ account }) => account)).toEqual(['x', 'berlin', 'mastodon_de']);
});

/** The keys without keys inside, with their paths. `=twitch` in a path is the platform of an account. */
function leaves(schema: JsonSchema, above: readonly string[] = []): readonly (readonly [readonly string[], JsonSchema])[] {
  const { properties = {}, additionalProperties: entry } = schema;
  const forms = typeof entry === 'object' ? (entry.oneOf ?? [entry]) : [];
  const inEntries = forms.flatMap((form) => (typeof form === 'object' ? leaves(form, [...above, ...entryPath(form)]) : []));
  const inside = Object.entries(properties).flatMap(([name, inner]) => (typeof inner === 'object' ? leaves(inner, [...above, name]) : []));
  return inEntries.length + inside.length > 0 ? [...inEntries, ...inside] : [[above, schema]];
}

function entryPath({ properties = {} }: JsonSchema): readonly string[] {
  const { platform } = properties;
  return typeof platform === 'object' ? ['<name>', `=${String(platform.const)}`] : ['<account>'];
}

/** The issues of a file with one value, without those of missing keys beside it. */
function issuesAt(path: readonly string[], value: unknown): readonly string[] {
  const platform = path.find((part) => part.startsWith('='))?.slice(1);
  const keys = path.filter((part) => !part.startsWith('='));
  const file = keys.reduceRight<unknown>((inner, key, index) => {
    const isAccount = platform !== undefined && index === 2;
    return isAccount ? { platform, [key]: inner } : { [key]: inner };
  }, value);
  const issues = FanfareFile.safeParse(file).error?.issues ?? [];
  return issues.filter((issue) => issue.path.join('.') === keys.join('.')).map(({ message }) => message);
}
