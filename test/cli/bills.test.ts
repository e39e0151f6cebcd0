import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { examineBudget } from '#src/admin/doctor/budgets.ts';
import { openExplainer } from '#src/app/open-explainer.ts';
import { spendingsIn } from '#src/app/spending.ts';
import { explain } from '#src/cli/explain.ts';
import type { Account } from '#src/config/accounts.ts';
import { openStore } from '#src/store/store.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { collectLines } from './collect-lines.ts';

const X: Account = { platform: 'x', account: 'x', bearerToken: 'b', apiUrl: 'https://api.x.com' };
const RULE = `id: news
when: { every: 1h, watch: social.getPosts, with: { user: ada }, account: x }
then:
  - { do: social.createPost, as: x, with: { text: "\${{ item.text }}" } }
`;

async function explained(fanfareYaml: string, spentUsd: number, rule = RULE): Promise<string> {
  using folder = temporaryFolder();
  const [rules, data] = [join(folder.path, 'rules'), join(folder.path, 'data')];
  await mkdir(rules);
  await mkdir(data);
  await writeFile(join(rules, 'news.yaml'), rule);
  await writeFile(join(folder.path, 'fanfare.yaml'), fanfareYaml);
  {
    await using store = await openStore({ file: join(data, 'fanfare.sqlite') });
    const month = new Date().toISOString().slice(0, 7);
    await store.spentSums.add({ account: 'x', month, microUsd: spentUsd * 1_000_000 });
  }
  const explainer = openExplainer({ FANFARE_RULES: rules, FANFARE_DATA: data, X_CLIENT_ID: 'id' });
  const { out, text } = collectLines();
  await explain({ explainer, rule: 'news', out });
  return text();
}

test('explain shows the monthly cost of a rule and the rest of the budget', async () => {
  const text = await explained('budgets: { x: { month: 20 USD } }', 12.34);

  expect(text).toContain(
    'social.getPosts through x costs up to 15.00 USD a month: at most 100 a day at 0.005 USD for each post, and the same for each new one.',
  );
  expect(text).toContain('Each social.createPost through x costs 0.015 USD, or 0.20 USD with a link.');
  expect(text).toMatch(/Spent on x in \d{4}-\d\d: 12\.34 USD of 20\.00 USD, 7\.66 USD left\./u);
  expect(text).not.toContain('more than the budget');
});

test('explain counts cents exactly: 30 pages of 0.13 USD cost 3.90 USD', async () => {
  const text = await explained('budgets: { x: { month: 3.90 USD, page: 0.13 USD } }', 0, RULE.replace('getPosts', 'getUserMedia'));

  expect(text).toContain('They cost at most $3.90 a month.');
  expect(text).toContain('social.getUserMedia through x costs up to 3.90 USD a month');
  expect(text).not.toContain('more than the budget');
});

test('explain shows a rule that exceeds the budget, and an account without a budget', async () => {
  expect(await explained('budgets: { x: { month: 5 USD } }', 0)).toContain(
    'This is more than the budget of x. When the budget is used up, the rule stops until the next month.',
  );
  expect(await explained('budgets: {}', 0.5)).toMatch(
    /Spent on x in \d{4}-\d\d: 0\.50 USD\. To set a budget: budgets\.x\.month in fanfare\.yaml/u,
  );
});

test.for([
  [20, 1, 'good', 'it has cost 1.00 USD of 20.00 USD in 2026-11: 19.00 USD are left', undefined],
  [
    20,
    17,
    'warning',
    'it has cost 17.00 USD of 20.00 USD in 2026-11: 3.00 USD are left',
    'it resets on 2026-12-01; to spend more before then, raise budgets.x.month in fanfare.yaml',
  ],
  [
    20,
    20,
    'bad',
    'it has cost 20.00 USD of 20.00 USD in 2026-11: 0.00 USD are left',
    'it resets on 2026-12-01; to spend more before then, raise budgets.x.month in fanfare.yaml',
  ],
  [
    undefined,
    1,
    'warning',
    'it has cost 1.00 USD in 2026-11 and has no budget',
    'set a budget in fanfare.yaml, for example budgets: { x: { month: 20 USD } }',
  ],
] as const)('doctor reports a budget of %s with %s spent as %s', async ([monthUsd, spentUsd, state, what, remedy]) => {
  await using store = await openStore();
  await store.spentSums.add({ account: 'x', month: '2026-11', microUsd: spentUsd * 1_000_000 });
  const spendingOf = spendingsIn(store, { budgets: { x: { monthUsd } } }, new ManualClock('2026-11-20T18:00:00Z'));

  const [finding] = await examineBudget(X.account, spendingOf(X));

  const used = { account: 'x', spent: `${spentUsd}.00 USD`, month: '2026-11' };
  const limited = { kind: 'budget', ...used, most: '20.00 USD', left: `${20 - spentUsd}.00 USD` };
  const resets = state === 'good' ? {} : { resetsOn: '2026-12-01' };
  const reason = monthUsd === undefined ? { kind: 'noBudget', ...used } : { ...limited, ...resets };
  expect(finding).toEqual({ about: 'x', state, what, ...(remedy === undefined ? {} : { remedy }), reason });
});

test('doctor reports no costs for an account without bills', async () => {
  await using store = await openStore();
  const spendingOf = spendingsIn(store, { budgets: {} }, new ManualClock());

  const account = { platform: 'mastodon', account: 'mastodon', url: 'https://m.example' } as const;

  expect(await examineBudget(account.account, spendingOf(account))).toEqual([]);
});
