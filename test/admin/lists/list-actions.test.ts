import { expect, test } from 'vitest';
import { createListActions } from '#src/admin/actions/list-actions.ts';
import type { Actor } from '#src/admin/actions/actor.ts';
import { Refused } from '#src/errors.ts';
import { MOST_ENTRIES } from '#src/rules/grammar/list-file.ts';
import type { Rule } from '#src/rules/rule.ts';
import { openStore } from '#src/store/store.ts';
import { rulesOf } from '../../support/rule-language.ts';

const ADA = { name: 'ada', via: 'discord', role: 'editor' } as const;
const OF_42: Actor = { ...ADA, scope: { server: '42' } };

async function open(files: readonly string[] = [], rules: readonly Rule[] = []) {
  const store = await openStore();
  const fileLists = () => Promise.resolve(new Map(files.map((name) => [name, { file: `lists/${name}.yaml` }])));
  const actions = createListActions({ lists: store.lists, fileLists, rules: () => rules, auditLog: store.auditLog });
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

test('the undo of a removal does not bring an account back that another entry has by now, even under another name', async () => {
  await using opened = await open();
  const { actions, store } = opened;
  const of = (id: string, user: string) => ({ id, fields: { twitch: id, userIds: { twitch: user } } });
  await actions.addListEntries({ list: 'followed', entries: [of('ada', '1'), of('ada-too', '1')] }, ADA);
  const removed = await actions.removeListEntries({ list: 'followed', entries: ['ada'] }, ADA);
  const undo = () => codeOf(actions.undoListChange({ change: removed.change?.id ?? '' }, ADA));
  await actions.addListEntries({ list: 'followed', entries: [of('ada2', '1'), of('grace', '2')] }, ADA);

  expect(await undo()).toBe('entryExists');
  expect([...((await store.lists.entries({ list: 'followed' })) ?? new Map()).keys()]).toEqual(['ada-too', 'ada2', 'grace']);
  await actions.removeListEntries({ list: 'followed', entries: ['ada2'] }, ADA);
  expect(await undo()).toBe('done');
});

test('a change can be undone, and its undo too', async () => {
  await using opened = await open();
  const { actions, store } = opened;
  await actions.addListEntries({ list: 'team', entries: [{ id: 'ada', fields: { line: 'one', kick: 'a' } }] }, ADA);
  const changed = await actions.changeListEntry({ list: 'team', entry: 'ada', fields: { line: 'two', kick: null } }, ADA);

  const undone = await actions.undoListChange({ change: changed.change?.id ?? '' }, ADA);
  expect(undone).toMatchObject({ entries: [{ id: 'ada', fields: { line: 'one', kick: 'a' } }], change: { undoes: changed.change?.id } });
  expect((await actions.undoListChange({ change: changed.change?.id ?? '' }, ADA)).change).toBeUndefined();
  await actions.undoListChange({ change: undone.change?.id ?? '' }, ADA);
  expect((await store.lists.entries({ list: 'team' }))?.get('ada')).toEqual({ line: 'two' });
});

test('changes are stored together with new entries, or not at all', async () => {
  await using opened = await open();
  const { actions, store } = opened;
  const stored = async () => Object.fromEntries((await store.lists.entries({ list: 'team' })) ?? []);
  await actions.addListEntries({ list: 'team', entries: entries('ada') }, ADA);
  const changes = [
    { entry: 'ada', fields: { kick: 'a' } },
    { entry: 'ada', fields: { line: 'two' }, expected: { kick: 'a' } },
  ];
  const outdated = { entry: 'ada', fields: {}, expected: { kick: null } };

  expect(await codeOf(actions.addListEntries({ list: 'team', entries: entries('eve'), changes: [...changes, outdated] }, ADA))).toBe(
    'entryChanged',
  );
  expect(await codeOf(actions.addListEntries({ list: 'team', entries: entries('ada'), changes }, ADA))).toBe('entryExists');
  expect(await stored()).toEqual({ ada: {} });
  const { change } = await actions.addListEntries({ list: 'team', entries: entries('eve'), changes }, ADA);
  expect(await stored()).toEqual({ ada: { kick: 'a', line: 'two' }, eve: {} });
  await actions.undoListChange({ change: change?.id ?? '' }, ADA);
  expect(await stored()).toEqual({ ada: {} });
});

test('a living list cannot have a source, and keeps an entry of that name', async () => {
  await using opened = await open();
  const { actions, store } = opened;
  const source = 'source: { watch: streaming.getTeamMembers, with: { team: nightshift } }\nentries: { ada: {} }\n';

  expect(await codeOf(actions.importList({ list: 'team', source, mode: 'merge' }, ADA))).toBe('listHasErrors');
  expect(await codeOf(actions.importList({ list: 'team', source: 'source: { twitch: source_tv }\n', mode: 'merge' }, ADA))).toBe('done');
  expect([...((await store.lists.entries({ list: 'team' })) ?? [])]).toEqual([['source', { twitch: 'source_tv' }]]);
});

test('neither empty lines nor thousands of errors of an imported list occupy the process', { timeout: 20_000 }, async () => {
  await using opened = await open();
  const importing = (source: string) => codeOf(opened.actions.importList({ list: 'team', source, mode: 'merge' }, ADA));

  expect(await importing(`${'# the team\n\n\n'.repeat(20)}ada:\n`)).toBe('done');
  expect(await importing('\u00a0ada: b\n'.repeat(20_000))).toBe('listHasErrors');
});

test('a living list beside a file of its name can be edited and deleted, and then the file is in force', async () => {
  const files: string[] = [];
  await using opened = await open(files, WATCHERS);
  const { actions, store } = opened;
  const added = await actions.addListEntries({ list: 'team', server: '42', entries: entries('ada') }, ADA);
  files.push('team');

  expect(await codeOf(actions.removeListEntries({ list: 'team', server: '42', entries: ['ada'] }, ADA))).toBe('done');
  const { change: deletion } = await actions.deleteList({ list: 'team', server: '42' }, ADA);
  expect(await store.lists.named('team')).toEqual([]);
  expect(await codeOf(actions.addListEntries({ list: 'team', entries: entries('ada') }, ADA))).toBe('fileList');
  expect(await codeOf(actions.undoListChange({ change: added.change?.id ?? '' }, ADA))).toBe('fileList');
  expect(await codeOf(actions.deleteList({ list: 'team' }, ADA))).toBe('fileList');
  expect(await codeOf(actions.undoListChange({ change: deletion?.id ?? '' }, ADA))).toBe('done');
  expect(await store.lists.named('team')).toMatchObject([{ list: 'team', server: '42' }]);
});

test('the result of an edit says whether it created the list', async () => {
  await using opened = await open();
  const { actions } = opened;
  const source = 'ada:\n';

  expect(await actions.addListEntries({ list: 'team', entries: entries('ada') }, ADA)).toMatchObject({ created: true });
  expect(await actions.addListEntries({ list: 'team', entries: entries('eve') }, ADA)).not.toHaveProperty('created');
  expect(await actions.importList({ list: 'team', server: '42', source, mode: 'merge' }, ADA)).toMatchObject({ created: true });
  expect(await actions.importList({ list: 'team', server: '42', source, mode: 'merge' }, ADA)).not.toHaveProperty('created');
});

test.for([[['ada', 'eve']], [[]]] as const)('a list with the entries %j is deleted, and its undo brings it back', async ([ids]) => {
  await using opened = await open();
  const { actions, store } = opened;
  await actions.addListEntries({ list: 'team', entries: entries('eve', 'ada') }, ADA);
  await actions.importList({ list: 'team', source: JSON.stringify(Object.fromEntries(ids.map((id) => [id, {}]))), mode: 'replace' }, ADA);

  const deleted = await actions.deleteList({ list: 'team' }, ADA);
  expect(await store.lists.entries({ list: 'team' })).toBeUndefined();
  expect(await codeOf(actions.deleteList({ list: 'team' }, ADA))).toBe('listNotFound');
  const undone = await actions.undoListChange({ change: deleted.change?.id ?? '' }, ADA);

  expect(undone).toMatchObject({ created: true, entries: ids.map((id) => ({ id })) });
  expect([...((await store.lists.entries({ list: 'team' })) ?? new Map()).keys()]).toEqual(ids);
  const { items } = await store.auditLog.list({ action: 'deleteList' });
  expect(items.map(({ target, outcome, after }) => [target, outcome, after])).toEqual([
    ['team', 'refused', { refused: 'listNotFound' }],
    ['team', 'done', { change: deleted.change?.id, list: 'team', entries: ids.length, ids }],
  ]);
});

test.for([[['ada', 'eve']], [[]]] as const)(
  'of people who undo the deletion of a list with the entries %j at once, one does',
  async ([ids]) => {
    await using opened = await open();
    const { actions, store } = opened;
    await actions.importList({ list: 'team', source: 'ada:\neve:\n', mode: 'merge' }, ADA);
    await actions.importList({ list: 'team', source: JSON.stringify(Object.fromEntries(ids.map((id) => [id, {}]))), mode: 'replace' }, ADA);
    const { change } = await actions.deleteList({ list: 'team' }, ADA);

    const undone = await Promise.all([1, 2, 3].map(() => actions.undoListChange({ change: change?.id ?? '' }, ADA)));

    expect(undone.filter(({ created }) => created)).toHaveLength(1);
    expect([...((await store.lists.entries({ list: 'team' })) ?? new Map()).keys()]).toEqual(ids);
    const { items } = await store.auditLog.list({ action: 'undoListChange' });
    expect(items.map(({ outcome }) => outcome).toSorted()).toEqual(['done', 'unchanged', 'unchanged']);
  },
);

test('the last list of a name is not deleted while rules read it', async () => {
  await using opened = await open([], WATCHERS);
  const { actions } = opened;
  for (const server of [undefined, '42']) await actions.addListEntries({ list: 'team', server, entries: entries('ada') }, ADA);

  expect(await codeOf(actions.deleteList({ list: 'team' }, ADA))).toBe('done');
  await expect(actions.deleteList({ list: 'team', server: '42' }, ADA)).rejects.toMatchObject({
    code: 'listInUse',
    message: expect.stringContaining('reader, watcher'),
  });
});

const WATCHERS = [
  'id: watcher\nwhen: { every: 1m, people: team }\nthen: [{ do: discord.send, with: { channel: live, content: hi } }]\n',
  'id: reader\nwhen: { every: 1h }\nif: size(lists.team) > 0\nthen: [{ do: discord.send, with: { channel: live, content: hi } }]\n',
].flatMap((source) => rulesOf(source));

test.each([
  [{ color: 'lilac' }, '{ color: lilac }', 'line 1, column 15: '],
  [{ color: 0x1000000 }, '{ color: 16777216 }', 'line 1, column 15: '],
  [{ message: '{name} plays {gmae}' }, "{ message: '{name} plays {gmae}' }", 'line 1, column 17: '],
  [{ message: ['live'] }, '{ message: [live] }', 'line 1, column 17: '],
  [{ channel: { id: '1' } }, '{ channel: { id: 1 } }', 'line 1, column 17: '],
  [{ paused: 'yes' }, '{ paused: yes }', 'line 1, column 16: '],
])('the list of followed streamers refuses %o in each action', async (fields, yaml, place) => {
  await using opened = await open();
  const { actions } = opened;
  const ref = { list: 'followed', server: '42' };
  await actions.addListEntries({ ...ref, entries: entries('ada') }, ADA);

  expect(await codeOf(actions.addListEntries({ ...ref, entries: [{ id: 'eve', fields }] }, ADA))).toBe('unusableField');
  expect(await codeOf(actions.changeListEntry({ ...ref, entry: 'ada', fields }, ADA))).toBe('unusableField');
  await expect(actions.importList({ ...ref, source: `ada: ${yaml}`, mode: 'merge' }, ADA)).rejects.toThrow(place);
  expect(await codeOf(actions.importList({ list: 'team', source: `ada: ${yaml}`, mode: 'merge' }, ADA))).toBe('done');
});

test('ids of followed streamers without quotes are stored as texts', async () => {
  await using opened = await open();
  const { actions } = opened;
  const ref = { list: 'followed', server: '42' };
  const source = 'ada: { channel: 1202584131993600077, ping: 123456789012345, message: 5 }';
  const ada = { channel: '1202584131993600077', ping: '123456789012345', message: '5' };

  expect((await actions.importList({ ...ref, source, mode: 'merge' }, ADA)).entries[0]?.fields).toEqual(ada);
  const changed = await actions.changeListEntry({ ...ref, entry: 'ada', fields: { channel: 234567890123456, message: null } }, ADA);
  expect(changed.entries[0]?.fields).toEqual({ channel: '234567890123456', ping: '123456789012345' });
});
