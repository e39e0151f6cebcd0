import { expect, test } from 'vitest';
import { rule } from '../../support/view-records.ts';
import { openSite } from '../open-site.ts';

const RULES = Array.from({ length: 70 }, (_, index) => rule(`rule-${String(index).padStart(2, '0')}`));

/** The ids of the rules in a part of the page. */
function idsIn(html: string): readonly string[] {
  return [...html.matchAll(/<bdi>(rule-\d+)<\/bdi>/g)].map(([, id = '']) => id);
}

async function open(path: string, rules = RULES): Promise<string> {
  const { routes, views } = await openSite();
  views.ruleList = rules;
  return (await routes.request(path)).text();
}

test('the page shows 30 rules and links to the next ones', async () => {
  const first = await open('/');

  expect(idsIn(first)).toEqual(RULES.slice(0, 30).map(({ id }) => id));
  expect(first).toContain('Page 1 of 3');
  expect(first).toContain('href="/?page=2#rules" rel="next"');
  expect(first).not.toContain('rel="prev"');
});

test('a link to another page of rules works without the script, and keeps the search', async () => {
  const second = await open('/?rule=rule&page=2');

  expect(idsIn(second)).toEqual(RULES.slice(30, 60).map(({ id }) => id));
  expect(second).toContain('href="/?rule=rule#rules" rel="prev"');
  expect(second).toContain('href="/?rule=rule&amp;page=3#rules" rel="next"');
  expect(second).toContain('value="rule"');
});

test('the script loads the same page of rules again, with the query of the address', async () => {
  expect(await open('/?rule=rule&page=3')).toContain(await open('/fragments/rules?rule=rule&page=3'));
});

test('a search shows the rules that it found', async () => {
  const found = await open('/?rule=rule-4');
  const none = await open('/?rule=nowhere');

  expect(idsIn(found)).toEqual(RULES.slice(40, 50).map(({ id }) => id));
  expect(found).toContain('href="/#rules">Show all</a>');
  expect(none).toContain('No rules found.');
});

test.for(['/?page=0', '/?page=-1', '/?page=x', '/?page=1.5', '/?rule=', '/?rule=%20', '/?foo=1'])(
  '%s shows the first page of all rules',
  async (path) => {
    expect(await open(path)).toBe(await open('/'));
  },
);

test('a page above the last one is the last one', async () => {
  expect(await open('/?page=99')).toBe(await open('/?page=3'));
});

test('rules that fit on one page have no search and no links to other pages', async () => {
  const page = await open('/', RULES.slice(0, 30));

  expect(idsIn(page)).toHaveLength(30);
  expect(page).not.toContain('aria-label="Search rules"');
  expect(page).not.toContain('aria-label="Pages of rules"');
});

test('a search with markup stays text', async () => {
  const page = await open(`/?rule=${encodeURIComponent('"><script>alert(1)</script>')}`);

  expect(page).not.toContain('<script>alert');
});
