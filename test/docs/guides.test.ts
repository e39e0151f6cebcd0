import { globSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { checkBlock, failuresOf, type CheckedBlock } from './check-block.ts';
import { accountsWith } from './page-accounts.ts';
import { readPage, type Page } from './pages.ts';
import { withPart } from './rule-parts.ts';

const INDEX = 'docs/guides/index.md';
const listed = [...readFileSync(INDEX, 'utf8').matchAll(/^- (.+)$/gmu)].map(([, link]) => link);
const guides = globSync('docs/guides/*.md')
  .filter((file) => file !== INDEX)
  .toSorted()
  .map((file) => [basename(file, '.md'), readPage(file)] as const);

const Front = z.object({ title: z.string() });

function titleOf({ text }: Page): string {
  const [, front = ''] = /^---\n([^]*?)\n---\n/u.exec(text) ?? [];
  return Front.safeParse(parse(front)).data?.title ?? '';
}

function check({ configs }: Page, source: string): CheckedBlock {
  const [config] = configs;
  return config === undefined ? checkBlock(source) : checkBlock(source, [accountsWith(config).accounts]);
}

describe.each(guides)('the guide %s', (name, page) => {
  const [rule = { id: '', source: '' }] = page.rules;
  let checked: CheckedBlock | undefined;
  const rules = (): CheckedBlock => (checked ??= check(page, rule.source));

  test('has a title, one rule and one test of this rule', () => {
    expect(titleOf(page)).toMatch(/^[A-Z].*[^.]$/u);
    expect(page.text).toContain(`\n# ${titleOf(page)}\n`);
    expect(page.rules.map(({ id }) => id)).toEqual([rule.id]);
    expect(page.tests.map(({ id }) => id)).toEqual([rule.id]);
  });

  test('has a rule without errors and warnings', () => {
    expect(page.configs.flatMap((config) => accountsWith(config).mistakes)).toEqual([]);
    expect(rules().diagnostics).toEqual([]);
  });

  test('has a test that passes', async () => {
    expect(await failuresOf(page.tests[0]?.source ?? '', rules())).toEqual([]);
  });

  test.each(page.parts.map((part) => [part]))('has variations without errors and warnings: %s', (part) => {
    expect(check(page, withPart(rule.source, part)).diagnostics).toEqual([]);
  });

  test('is in the list of guides', () => {
    expect(listed).toContain(`[${titleOf(page)}](${name}.md)`);
  });
});

test('the ids of rules in guides are unique', () => {
  const ids = guides.flatMap(([, { rules }]) => rules.map(({ id }) => id));

  expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
});
