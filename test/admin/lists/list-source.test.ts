import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createListSource } from '#src/admin/lists/list-source.ts';
import { catalogue } from '#src/clients/catalogue.ts';
import { openListFolder } from '#src/engine/lists/list-folder.ts';
import { keyOfSource, withSources } from '#src/engine/lists/list-sources.ts';
import type { Diagnostic } from '#src/rules/diagnostic.ts';
import type { Lists } from '#src/rules/lists.ts';
import { openStore } from '#src/store/store.ts';
import { accounts } from '../../support/rule-language.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const ADA = { name: 'ada', via: 'cli', role: 'admin' } as const;

async function open() {
  const folder = temporaryFolder();
  const path = join(folder.path, 'lists');
  mkdirSync(path);
  const store = await openStore();
  onTestFinished(async () => {
    await store[Symbol.asyncDispose]();
    folder[Symbol.dispose]();
  });
  const reported: (readonly Diagnostic[])[] = [];
  // Each source is one process on the same state.
  const source = () =>
    createListSource({ folder: openListFolder(path), store: store.lists, onDiagnostics: (all) => void reported.push(all) });
  const put = (server: string | undefined, after: Readonly<Record<string, Readonly<Record<string, string>> | null>>) =>
    store.lists.edit({ list: 'team', server }, ADA, () => ({ after }));
  return { path, store, source, put, reported, write: (name: string, text: string) => writeFileSync(join(path, name), text) };
}

const idsOf = (lists: Lists, name = 'team'): readonly string[] => lists.entries(name).map(({ id, server }) => `${server ?? ''}/${id}`);

test('every process sees each edit at its next read, and nothing changes without one', async () => {
  const { source, put } = await open();
  const [one, other] = [source(), source()];
  expect((await one.current()).names()).toEqual([]);
  await put('43', { ada: {} });
  await put(undefined, { grace: {}, ada: {} });
  await put('42', { alan: {} });

  for (const process of [one, other]) expect(idsOf(await process.current())).toEqual(['/ada', '/grace', '42/alan', '43/ada']);
  const before = await one.current();
  expect(await one.current()).toBe(before);
  await put(undefined, { ada: null });
  expect(idsOf(await one.current())).toEqual(['/grace', '42/alan', '43/ada']);
  expect(idsOf(before)).toEqual(['/ada', '/grace', '42/alan', '43/ada']);
});

test('processes with equal lists have one revision, however often each of them read other lists, and others have another one', async () => {
  const [here, there] = [await open(), await open()];
  const ofFiles = ({ path, store: { listSources } }: typeof here) => withSources(openListFolder(path), listSources);
  const sourceOf = (machine: typeof here) => createListSource({ folder: ofFiles(machine), store: here.store.lists });
  const revisions = async (...sources: readonly ReturnType<typeof sourceOf>[]) =>
    Promise.all(sources.map(async (source) => (await source.current()).revision));
  const old = sourceOf(here);
  for (const names of ['ada: {}', 'grace: {}']) {
    here.write('crew.yaml', `${names}\n`);
    await old.current();
  }
  await here.put('42', { alan: {} });
  await old.current();
  await here.store.lists.removeServer('42');
  there.write('crew.yaml', 'ada: {}\n');

  const [before, started, other] = await revisions(old, sourceOf(here), sourceOf(there));
  there.write('crew.yaml', 'grace: {}\n');
  const [same] = await revisions(sourceOf(there));

  expect([started, same]).toEqual([before, before]);
  expect(other).not.toBe(before);
});

test('the lists of a deleted server are gone', async () => {
  const { source, put, store } = await open();
  const one = source();
  await put('42', { alan: {} });
  await put(undefined, { ada: {} });
  await one.current();

  await store.lists.removeServer('42');
  expect(idsOf(await one.current())).toEqual(['/ada']);
  await put('43', { grace: {} });
  await one.current();
  await store.lists.removeServer('43');
  expect(idsOf(await one.current())).toEqual(['/ada']);

  await put('44', { linus: {} });
  await put(undefined, { ada: { line: 'x' } });
  await one.current();
  await store.lists.removeServer('44');
  await put('45', { barbara: {} });
  expect(idsOf(await one.current())).toEqual(['/ada', '45/barbara']);
});

test('a file of a living list is ignored and reported once, until its name is free', async () => {
  const { source, put, reported, store, write } = await open();
  write('team.yaml', 'linus: { line: x }\n');
  const one = source();
  expect(idsOf(await one.current())).toEqual(['/linus']);
  expect(await one.shapes()).toEqual({ followed: null, team: { line: 'text' } });

  await put(undefined, { ada: {} });
  expect(idsOf(await one.current())).toEqual(['/ada']);
  await put(undefined, { grace: {} });
  await one.current();
  expect(await one.shapes()).toEqual({ followed: null, team: null });
  await store.lists.remove({ list: 'team' }, ADA);
  expect(idsOf(await one.current())).toEqual(['/linus']);
  await put('42', { alan: {} });
  expect(idsOf(await one.current())).toEqual(['42/alan']);
  expect(reported.map((all) => all.map(({ code, hint }) => [code, hint?.split('then ')[1]]))).toEqual([
    [['duplicate-list', 'npx fanfare lists delete team']],
    [],
    [['duplicate-list', 'npx fanfare lists delete team --server 42']],
  ]);
});

test('the entries of a list that is missing or has errors are unknown', async () => {
  const { source, put, write, path } = await open();
  const problems = async (of = source()): Promise<readonly (string | undefined)[]> => {
    const lists = await of.current();
    return ['team', 'followed'].map((list) => lists.problemOf?.(list));
  };
  const missing = 'the list team is missing: create lists/team.yaml, or remove the list from the rule';
  expect(await problems()).toEqual([missing, undefined]);

  write('team.yaml', '{}');
  const running = source();
  expect(await problems(running)).toEqual([undefined, undefined]);
  renameSync(path, `${path}-moved`);
  expect(await problems(running)).toEqual([missing, undefined]);
  renameSync(`${path}-moved`, path);
  expect(await problems(running)).toEqual([undefined, undefined]);

  write('team.yaml', 'ada: {');
  expect(await problems(running)).toEqual([undefined, undefined]);
  expect(await problems()).toEqual([expect.stringMatching(/^the list team has errors: correct .*lists\/team\.yaml$/u), undefined]);
  rmSync(join(path, 'team.yaml'));
  await put(undefined, { ada: {} });
  expect(await problems()).toEqual([undefined, undefined]);
});

test('the entries of a list are unknown until its source is read, also after an edit of the source', async () => {
  const { store, path, write } = await open();
  const lists = createListSource({
    folder: withSources(openListFolder(path, { catalogue, accounts }), store.listSources),
    store: store.lists,
  });
  const problem = async (): Promise<string | undefined> => (await lists.current()).problemOf?.('team');
  const sourceOf = (team: string): string => `source: { watch: streaming.getTeamMembers, account: twitch, with: { team: ${team} } }\n`;
  const keyOf = (team: string) =>
    keyOfSource({ verb: 'streaming.getTeamMembers', account: 'twitch', platform: 'twitch', params: { team } });
  const read = async (team: string): Promise<void> => {
    await store.listSources.claim(keyOf(team), { forMs: 1, mostMs: 1 });
    await store.listSources.keep(keyOf(team), [{ id: 'ada', fields: { twitch: 'ada' } }], 60_000);
  };
  const unread = 'the people of the list team are unknown: its source has not been read yet';

  write('team.yaml', `${sourceOf('nightshift')}entries: { zoe: {} }\n`);
  expect(await problem()).toBe(unread);
  await read('nightshift');
  expect(await problem()).toBeUndefined();
  await store.listSources.fail(keyOf('nightshift'), 'twitch is down');
  expect(await problem()).toBeUndefined();

  write('team.yaml', sourceOf('dayshift'));
  expect(await problem()).toBe(unread);
  await store.listSources.claim(keyOf('dayshift'), { forMs: 1, mostMs: 1 });
  expect(await problem()).toBe(unread);
  await store.listSources.fail(keyOf('dayshift'), 'twitch has no team "dayshift"');
  expect(await problem()).toBe('the people of the list team are unknown: its source cannot be read: twitch has no team "dayshift"');
  await read('dayshift');
  expect(await problem()).toBeUndefined();
  expect(idsOf(await lists.current())).toEqual(['/ada']);
});
