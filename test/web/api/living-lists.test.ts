import { expect, test } from 'vitest';
import { z } from 'zod';
import { openApi } from './open-api.ts';

const Edit = z.object({ change: z.object({ id: z.string(), by: z.object({ via: z.string() }) }), entries: z.array(z.unknown()) });
const Items = z.object({ items: z.array(z.looseObject({})) });

test('a list is filled, changed, exported, imported and undone', async () => {
  const { get, post } = await openApi();
  const added = await post('/api/lists/team/entries', { body: { entries: [{ id: 'ada', fields: { twitch: 'ada', color: 3 } }] } });
  expect(Edit.parse(added.json)).toMatchObject({ change: { by: { via: 'api' } }, entries: [{ id: 'ada', list: 'team' }] });

  const path = '/api/lists/team/entries/ada';
  const changed = Edit.parse((await post(path, { method: 'PATCH', body: { fields: { line: 'Queen!', color: null } } })).json);
  expect(Items.parse((await get('/api/lists')).json).items).toEqual([
    { list: 'team', kind: 'living', entries: 1, diagnostics: [], rules: [], ruleCount: 0 },
  ]);
  const exported = await get('/api/lists/team/export');
  expect([exported.type, exported.body]).toEqual(['application/yaml; charset=utf-8', 'ada:\n  twitch: ada\n  line: Queen!\n']);

  const source = 'grace: { twitch: grace }\n';
  expect((await post('/api/lists/team/import', { body: { source, mode: 'replace' } })).status).toBe(200);
  expect((await get('/api/lists/team')).json).toMatchObject({ entries: [{ id: 'grace', fields: { twitch: 'grace' } }] });
  const removed = await post('/api/lists/team/entries', { method: 'DELETE', body: { entries: ['grace'] } });
  expect(removed.json).toMatchObject({ entries: [] });

  const refused = await post(`/api/list-changes/${changed.change.id}/undo`);
  expect([refused.status, refused.json]).toEqual([409, expect.objectContaining({ code: 'entryChanged' })]);
  expect((await post(`/api/list-changes/${Edit.parse(removed.json).change.id}/undo`)).status).toBe(200);
  expect(Items.parse((await get('/api/list-changes?list=team&limit=2')).json).items).toMatchObject([
    { after: { grace: { twitch: 'grace' } }, undoes: Edit.parse(removed.json).change.id },
    { after: { grace: null }, undoneBy: expect.any(String) },
  ]);
});

test('an entry is changed only if its fields have the expected values', async () => {
  const { get, post } = await openApi();
  await post('/api/lists/team/entries', { body: { entries: [{ id: 'ada', fields: { twitch: 'ada', line: 'Queen!' } }] } });
  const change = (fields: object, expected: object) => post('/api/lists/team/entries/ada', { method: 'PATCH', body: { fields, expected } });

  expect((await change({ line: 'King!' }, { line: 'Queen!', color: null, twitch: 'ada' })).status).toBe(200);
  const refused = await Promise.all([
    change({ color: 3 }, { line: 'Queen!' }),
    change({ color: 3 }, { color: 4 }),
    change({ color: 3 }, { twitch: null }),
  ]);

  expect(refused.map(({ status, json }) => [status, json])).toEqual(
    refused.map(() => [409, expect.objectContaining({ code: 'entryChanged' })]),
  );
  expect((await get('/api/lists/team')).json).toMatchObject({ entries: [{ fields: { twitch: 'ada', line: 'King!' } }] });
});

test('the refusal of an id names the invisible character that came with a pasted name', async () => {
  const { post } = await openApi();

  const { json } = await post('/api/lists/team/entries', { body: { entries: [{ id: 'ada\u200e', fields: {} }] } });

  expect(json).toMatchObject({ errors: [{ detail: expect.stringContaining('invisible character') }] });
});

test('each server has its own lists', async () => {
  const { get, post } = await openApi();
  for (const server of ['42', '43']) {
    const body = { server, entries: [{ id: 'ada', fields: { channel: server } }] };
    expect((await post('/api/lists/followed/entries', { body })).status).toBe(200);
  }

  expect((await get('/api/lists/followed?server=42')).json).toMatchObject({ server: '42', entries: [{ fields: { channel: '42' } }] });
  expect((await get('/api/lists/followed')).status).toBe(404);
  expect(Items.parse((await get('/api/list-changes?server=43')).json).items).toHaveLength(1);
  expect(Items.parse((await get('/api/list-changes?server=installation')).json).items).toEqual([]);
  await post('/api/lists/followed/entries', { body: { entries: [{ id: 'ada', fields: {} }] } });
  const { items } = Items.parse((await get('/api/list-changes?server=installation')).json);
  expect(items.map(({ server }) => server)).toEqual([undefined]);
});

test.for([
  ['/api/lists/team/entries', {}, 400, 'invalidBody'],
  ['/api/lists/team/entries', { entries: [{ id: 'a\nb', fields: {} }] }, 400, 'invalidBody'],
  ['/api/lists/team/entries', { entries: [{ id: 'ada', fields: { id: 'x' } }] }, 400, 'invalidBody'],
  ['/api/lists/team/entries', { entries: [{ id: 'ada', fields: { line: 'x'.repeat(2_001) } }] }, 400, 'invalidBody'],
  ['/api/lists/My-Team/entries', { entries: [{ id: 'ada', fields: {} }] }, 400, 'invalidParameter'],
  ['/api/lists/team/import', { source: '- ada' }, 409, 'listHasErrors'],
  ['/api/list-changes/nothing/undo', {}, 404, 'changeNotFound'],
] as const)('%s refuses %o', async ([path, body, status, code]) => {
  const { post } = await openApi();
  const answer = await post(path, { body });

  expect([answer.status, answer.json]).toEqual([status, expect.objectContaining({ code })]);
});
