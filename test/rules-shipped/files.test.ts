import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { accountsOf } from '#src/app/accounts.ts';
import { catalogue } from '#src/clients/catalogue.ts';
import { configOfEnvironment } from '#src/config/config.ts';
import { checkRule } from '#src/rules/check/check-rule.ts';
import { loadRules } from '#src/rules/load.ts';
import { readRuleTests } from '#src/engine/testing/read-rule-tests.ts';
import { runRuleTests } from '#src/engine/simulation/run-rule-tests.ts';

const accounts = accountsOf(configOfEnvironment({}));
/** Before the dates that rules name. */
const nowMs = Date.parse('2026-11-20T12:00:00Z');
const names = readdirSync('rules')
  .filter((name) => name.endsWith('.yaml') && !name.endsWith('.test.yaml'))
  .map((name) => name.replace('.yaml', ''));

function check(name: string): ReturnType<typeof checkRule> {
  const file = `rules/${name}.yaml`;
  return checkRule({ file, source: readFileSync(file, 'utf8'), catalogue, accounts, nowMs });
}

describe.each(names)('the shipped rule %s', (name) => {
  test('is valid without a warning and has the name of its file', () => {
    const { rules, diagnostics } = check(name);

    expect(diagnostics).toEqual([]);
    expect(rules.map((rule) => rule.name)).toEqual(rules.map(() => name));
    expect(rules.length).toBeGreaterThan(0);
  });

  test('names the schema, describes its effect and the values to change, and is disabled', () => {
    const source = readFileSync(`rules/${name}.yaml`, 'utf8');

    const [schema, yours] = source.split('\n');
    expect(schema).toBe('# yaml-language-server: $schema=../docs/reference/rule.schema.json');
    expect(yours).toMatch(/^# (?:Adapt|Write) /);
    expect(check(name).rules[0]?.about).toMatch(/\.$/);
    expect(check(name).rules[0]?.enabled).toBe(['live-card', 'valorant-top'].includes(name) ? 'sandbox' : false);
  });

  test('passes its tests', async () => {
    const file = `rules/${name}.test.yaml`;
    const { tests, diagnostics } = readRuleTests({ file, source: readFileSync(file, 'utf8'), beside: name });

    const results = tests ? await runRuleTests({ tests, rules: check(name).rules, catalogue }) : [];

    expect(diagnostics).toEqual([]);
    expect(results.filter(({ passed }) => !passed)).toEqual([]);
    expect(results.length).toBeGreaterThan(1);
  });
});

test('shipped rules do not affect each other', async () => {
  const { diagnostics } = await loadRules({ paths: ['rules'], catalogue, accounts, nowMs });

  expect(names.length).toBeGreaterThanOrEqual(12);
  expect(diagnostics).toEqual([]);
});

test('without accounts and without the sandbox, all shipped rules load as disabled', async () => {
  const isOn = () => false;
  const none = { history: accounts['history'] ?? { all: [], defaults: [] } };

  const { rules, diagnostics } = await loadRules({ paths: ['rules'], catalogue, accounts: none, isOn });

  expect(diagnostics.filter(({ severity }) => severity === 'error')).toEqual([]);
  expect(new Set(rules.map(({ name }) => name))).toEqual(new Set(names));
});

test('the page of the shipped rules shows one and names all of them', () => {
  const page = readFileSync('docs/reference/shipped-rules.md', 'utf8');

  const [, shown = ''] = /^```yaml\n# rules\/valorant-top\.yaml\n([^]*?)^```$/mu.exec(page) ?? [];
  expect(parse(shown)).toEqual(parse(readFileSync('rules/valorant-top.yaml', 'utf8')));
  expect(names.filter((name) => !page.includes(`\`${name}\``))).toEqual([]);
});
