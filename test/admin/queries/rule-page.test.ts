import { expect, test } from 'vitest';
import type { Decision } from '#src/rules/decision.ts';
import type { Diagnostic } from '#src/rules/diagnostic.ts';
import { rulePage } from '#src/admin/queries/rule-page.ts';
import { makeRule } from '../../support/rules.ts';

const rules = [
  makeRule({ id: 'c', file: 'rules/c.yaml' }),
  makeRule({ id: 'off', enabled: false, file: 'rules/off.yaml' }),
  makeRule({ id: 'stopped', enabled: false, file: 'rules/stopped.yaml' }),
  makeRule({ id: 'paused', file: 'rules/paused.yaml' }),
  makeRule({ id: 'failing', file: 'rules/failing.yaml' }),
  makeRule({ id: 'b', about: 'Posts the top five', file: 'rules/b.yaml' }),
];

function error(file: string): Diagnostic {
  return { severity: 'error', code: 'x', file, line: 1, column: 1, path: '', message: 'wrong', excerpt: '' };
}

const DIAGNOSTICS: readonly Diagnostic[] = [error('rules/stopped.yaml'), error('rules/raid.yaml')];

/** The ids of a page, and the rules that it queried. */
async function read(query: Partial<Parameters<typeof rulePage>[0]> = {}, { diagnostics = DIAGNOSTICS } = {}) {
  const queried: string[] = [];
  const decision: Decision = { rule: 'failing', atMs: 0, outcome: 'fired', message: 'it is live', details: { firing: 'f1' } };
  const page = await rulePage(
    { page: 1, size: 30, ...query },
    {
      pauses: {
        paused: new Map([
          ['paused', { person: { by: 'ada', atMs: 1 } }],
          ['off', { blownMs: 1 }],
        ]),
        planned: new Map([['plain', [{ by: 'ada', atMs: 1, fromMs: 2 }]]]),
      },
      undelivered: [
        { rule: 'failing', state: 'failed', count: 2 },
        { rule: 'removed', state: 'unknown', count: 1 },
      ],
      registry: {
        now: { rules, diagnostics },
        isOn: ({ enabled }) => enabled === true,
      },
      scheduler: { plansOf: async () => new Map() },
      decisions: {
        latestOf: async (ids) => {
          queried.push(...ids);
          return new Map(ids.includes('failing') ? [['failing', decision]] : []);
        },
      },
      deliveryLog: {
        outcomesOf: async (firings) => new Map(firings.map((firing) => [firing, { undelivered: 2 }])),
        failuresOf: async () => new Map(),
      },
      episodes: { items: async () => [], open: async () => [] },
      nowMs: 0,
      countAnnouncements: async (ids) => new Map(ids.map((id) => [id, [0, id.length]])),
    },
  );
  return { ...page, ids: page.items.map(({ id }) => id), queried };
}

test('rules are ordered by need for an operator, running, off, and then by id', async () => {
  const { ids, total } = await read();

  expect(ids).toEqual(['raid.yaml', 'stopped', 'paused', 'failing', 'b', 'c', 'off']);
  expect(total).toBe(7);
});

test('a page queries its own rules only', async () => {
  expect(await read({ page: 2, size: 3 })).toMatchObject({ ids: ['failing', 'b', 'c'], queried: ['failing', 'b', 'c'], page: 2, pages: 3 });
});

test('a rule has its last decision with the number of its undelivered announcements', async () => {
  const { items } = await read();

  expect(items.find(({ id }) => id === 'failing')).toMatchObject({
    lastDecision: { message: 'it is live' },
    lastUndelivered: 2,
    undelivered: { failed: 2, unknown: 0 },
  });
  expect(items.find(({ id }) => id === 'b')).toMatchObject({ lastDecision: undefined, undelivered: { failed: 0, unknown: 0 } });
});

test.for([
  ['TOP F', ['b']],
  ['raid', ['raid.yaml']],
  ['rules/p', ['paused']],
  ['nowhere', []],
] as const)('a search for %s looks at names, descriptions and files', async ([search, ids]) => {
  expect(await read({ search })).toMatchObject({ ids, found: ids.length, total: 7, page: 1, pages: 1 });
});

test.for([
  ['on', ['b', 'c', 'failing']],
  ['paused', ['paused']],
  ['failing', ['failing']],
  ['broken', ['raid.yaml', 'stopped']],
  ['off', ['off']],
] as const)('only rules that are %s', async ([state, ids]) => {
  expect(await read({ state, order: 'id' })).toMatchObject({ ids, found: ids.length, total: 7 });
  expect(await read({ state, order: 'id', search: ids[0] })).toMatchObject({ ids: ids.slice(0, 1) });
});

test('a running rule whose file has errors is both on and broken', async () => {
  const withError = { diagnostics: [...DIAGNOSTICS, error('rules/b.yaml')] };

  expect(await read({ state: 'broken' }, withError)).toMatchObject({ ids: ['raid.yaml', 'stopped', 'b'] });
  expect((await read({ state: 'on' }, withError)).ids).toContain('b');
});

test('by id, rules that are paused or fail keep their place, files with errors are among them, and rules that are off are last', async () => {
  expect(await read({ order: 'id' })).toMatchObject({ ids: ['b', 'c', 'failing', 'paused', 'raid.yaml', 'stopped', 'off'] });
});

test('announcements are counted for the rules of the page only, if they are wanted', async () => {
  const { items } = await read({ order: 'id', size: 2, isCounted: true });

  expect(items.map(({ id, announcements }) => [id, announcements])).toEqual([
    ['b', [0, 1]],
    ['c', [0, 1]],
  ]);
  expect((await read()).items.every(({ announcements }) => announcements === undefined)).toBe(true);
});
