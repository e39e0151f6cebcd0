import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { configSchema } from '#src/config/fanfare-file.ts';
import { openConfig } from '#src/config/open-config.ts';
import { PLATFORMS } from '#src/config/accounts.ts';
import type { JsonSchema } from '#src/rules/editor-schema.ts';
import { parse } from 'yaml';
import { objectionsTo } from '../../support/json-schema.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const page = readFileSync('docs/reference/fanfare-yaml.md', 'utf8');
const examples = [...page.slice(page.indexOf('## accounts')).matchAll(/^```yaml\n([^]*?)^```$/gmu)].map(([, text = '']) => text);

const OPENED = {
  TWITCH_CLIENT_ID: 'id',
  TWITCH_CLIENT_SECRET: 'secret',
  X_CLIENT_ID: 'id',
  DISCORD_TOKEN: 'token',
  DISCORD_GUILD_ID: '1202584131993600001',
  DISCORD_CLIENT_SECRET: 'secret',
  ASSISTANT_API_KEY: 'key',
  ASSISTANT_MODEL: 'model',
  MASTODON_URL: 'https://social.example',
  BLUESKY_HANDLE: 'ada.example',
  SANDBOX_URL: 'http://127.0.0.1:8081/social/api',
  SANDBOX_TOKEN: 'token',
};

/** The configuration of a file. All its variables are set. */
function open(source: string): ReturnType<typeof openConfig> {
  using folder = temporaryFolder();
  writeFileSync(join(folder.path, 'fanfare.yaml'), source);
  const named = [...source.matchAll(/\$\{(\w+)\}/gu)].map(
    ([, name = '']) => [name, name.includes('WEBHOOK') ? `whsec_${'a'.repeat(43)}=` : 'a-secret'] as const,
  );
  return openConfig({ ...OPENED, ...Object.fromEntries(named), FANFARE_RULES: join(folder.path, 'rules') });
}

/** The keys of a schema and of its inner schemas. */
function keysIn(schema: JsonSchema | boolean | undefined): readonly string[] {
  if (typeof schema !== 'object') return [];
  const { properties = {}, additionalProperties, oneOf = [], anyOf = [] } = schema;
  return [
    ...Object.entries(properties).flatMap(([key, inside]) => [key, ...keysIn(inside)]),
    ...[additionalProperties, ...oneOf, ...anyOf].flatMap(keysIn),
  ];
}

describe('docs/reference/fanfare-yaml.md', () => {
  test.for(examples.map((source) => [source.split('\n')[0] ?? '', source] as const))('the example of %s is valid', ([, source]) => {
    expect(() => open(source)).not.toThrow();
  });

  test('all examples together are one valid file', () => {
    const { accounts, budgets, defaults, discord, servers } = open(examples.join(''));

    expect(new Set(accounts.map(({ platform }) => platform))).toEqual(new Set(PLATFORMS));
    expect(servers).toContainEqual({ account: 'berlin', id: '1202584131993600007', zone: 'Europe/Berlin' });
    expect(budgets).toMatchObject({ x: { monthUsd: 20, pageUsd: 0.1, requests: 10 }, twitch: { requests: 20 } });
    expect(Object.keys(defaults)).toEqual(['streaming', 'social', 'discord', 'assistant']);
    expect(discord).toMatchObject({ roles: { post: ['Editor'] }, questions: { person: { most: 20 } }, gateway: true });
  });

  test('has an example of every key', () => {
    const written = examples.join('\n');

    expect([...new Set(keysIn(configSchema()))].filter((key) => !new RegExp(`\\b${key}:`, 'u').test(written))).toEqual([]);
  });

  test('the examples match the JSON Schema', () => {
    const value: unknown = parse(examples.join('').replaceAll(/\$\{(\w+)\}/gu, '"$${$1}"'));

    expect(objectionsTo(value, configSchema())).toEqual([]);
  });
});
