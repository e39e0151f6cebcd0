import { expect, test } from 'vitest';
import { createListActions } from '#src/admin/actions/list-actions.ts';
import type { Actor } from '#src/admin/actions/actor.ts';
import { Refused } from '#src/errors.ts';
import { MOST_ENTRIES } from '#src/rules/grammar/list-file.ts';
import { openStore } from '#src/store/store.ts';

const ADA = { name: 'ada', via: 'discord', role: 'editor' } as const;
const OF_42: Actor = { ...ADA, scope: { server: '42' } };

async function open(files: readonly string[] = []) {
  const store = await openStore();
  const actions = createListActions({ lists: store.lists, fileLists: () => Promise.resolve(files), auditLog: store.auditLog });
  return { store, actions, [Symbol.asyncDispose]: () => store[Symbol.asyncDispose]() };
}

async function codeOf(doing: Promise<unknown>): Promise<string> {
  try {
    await doing;
    return 'done';
  } catch (error) {
    if (error instanceof Refused) return error.code;
    throw error;
  }
}

const entries = (...ids: readonly string[]) => ids.map((id) => ({ id, fields: {} }));

test('an administrator of a server changes only the lists of that server', async () => {
  await using opened = await open();
  const { actions } = opened;
  const foreign = await actions.addListEntries({ list: 'team', server: '43', entries: entries('ada') }, ADA);

  expect(await codeOf(actions.addListEntries({ list: 'team', server: '42', entries: entries('ada') }, OF_42))).toBe('done');
  for (const server of ['43', undefined]) {
    expect(await codeOf(actions.addListEntries({ list: 'team', server, entries: entries('eve') }, OF_42))).toBe('otherServer');
    expect(await codeOf(actions.importList({ list: 'team', server, source: 'eve:', mode: 'replace' }, OF_42))).toBe('otherServer');
    expect(await codeOf(actions.removeListEntries({ list: 'team', server, entries: ['ada'] }, OF_42))).toBe('otherServer');
  }
  expect(await codeOf(actions.undoListChange({ change: foreign.change?.id ?? '' }, OF_42))).toBe('changeNotFound');
});

test('refusals change nothing, and the log of actions has them', async () => {
  await using opened = await open(['crew']);
  const { actions, store } = opened;
  await actions.addListEntries({ list: 'team', entries: entries('ada') }, ADA);

  expect(await codeOf(actions.addListEntries({ list: 'crew', entries: entries('ada') }, ADA))).toBe('fileList');
  expect(await codeOf(actions.addListEntries({ list: 'team', entries: entries('grace', 'ada') }, ADA))).toBe('entryExists');
  expect(await codeOf(actions.addListEntries({ list: 'team', entries: entries('eve', 'eve') }, ADA))).toBe('entryExists');
  expect(await codeOf(actions.changeListEntry({ list: 'team', entry: 'eve', fields: {} }, ADA))).toBe('entryNotFound');
  expect(await codeOf(actions.importList({ list: 'team', source: '- ada', mode: 'merge' }, ADA))).toBe('listHasErrors');
  const fields = Object.fromEntries(Array.from({ length: 31 }, (_, index) => [`f${index}`, 'x']));
  expect(await codeOf(actions.changeListEntry({ list: 'team', entry: 'ada', fields }, ADA))).toBe('tooManyFields');
  const many = Array.from({ length: MOST_ENTRIES }, (_, index) => `e${index}`);
  expect(await codeOf(actions.addListEntries({ list: 'team', entries: entries(...many) }, ADA))).toBe('listFull');

  expect([...((await store.lists.entries({ list: 'team' })) ?? [])]).toEqual([['ada', {}]]);
  const { items } = await store.auditLog.list({ limit: 3 });
  expect(items.map(({ action, target, after }) => [action, target, after])).toEqual([
    ['addListEntries', 'team', { refused: 'listFull' }],
    ['changeListEntry', 'team', { refused: 'tooManyFields' }],
    ['importList', 'team', { refused: 'listHasErrors' }],
  ]);
});

test('a change can be undone, and its undo too', async () => {
  await using opened = await open();
  const { actions, store } = opened;
  await actions.addListEntries({ list: 'team', entries: [{ id: 'ada', fields: { line: 'one', kick: 'a' } }] }, ADA);
  const changed = await actions.changeListEntry({ list: 'team', entry: 'ada', fields: { line: 'two', kick: null } }, ADA);

  const undone = await actions.undoListChange({ change: changed.change?.id ?? '' }, ADA);
  expect(undone).toMatchObject({ entries: [{ id: 'ada', fields: { line: 'one', kick: 'a' } }], change: { undoes: changed.change?.id } });
  await actions.undoListChange({ change: undone.change?.id ?? '' }, ADA);
  expect((await store.lists.entries({ list: 'team' }))?.get('ada')).toEqual({ line: 'two' });
});

test('a living list cannot have a source, and keeps an entry of that name', async () => {
  await using opened = await open();
  const { actions, store } = opened;
  const source = 'source: { watch: streaming.getTeamMembers, with: { team: nightshift } }\nentries: { ada: {} }\n';

  expect(await codeOf(actions.importList({ list: 'team', source, mode: 'merge' }, ADA))).toBe('listHasErrors');
  expect(await codeOf(actions.importList({ list: 'team', source: 'source: { twitch: source_tv }\n', mode: 'merge' }, ADA))).toBe('done');
  expect([...((await store.lists.entries({ list: 'team' })) ?? [])]).toEqual([['source', { twitch: 'source_tv' }]]);
});
