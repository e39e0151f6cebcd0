import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { keyOfSource } from '#src/engine/lists/list-sources.ts';
import { openStore } from '#src/store/store.ts';
import { runHere } from '../support/run-here.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const Edited = z.object({ edited: z.object({ change: z.object({ id: z.string() }) }) });

test('a list is edited, a change is undone, and an export is imported', async () => {
  using folder = temporaryFolder();
  mkdirSync(join(folder.path, 'rules'));
  const on = (...args: readonly string[]) =>
    runHere({
      args: ['lists', ...args],
      environment: { FANFARE_DATA: join(folder.path, 'data'), FANFARE_RULES: join(folder.path, 'rules') },
    });

  expect(await on('add', 'team', 'ada', 'twitch=ada', 'color:=3')).toMatchObject({
    code: 0,
    output: expect.stringContaining('Created the list team.\nteam: added ada'),
  });
  expect(await on('add', 'team', 'ada')).toMatchObject({ code: 1, output: expect.stringContaining('already has the entry ada') });
  const changed = await on('edit', 'team', 'ada', 'line=Queen!', 'color:=null', '--json');
  expect((await on('show', 'team')).output).toContain('ada  twitch="ada" line="Queen!"');
  const { edited } = Edited.parse(JSON.parse(changed.output));
  expect((await on('undo', edited.change.id)).code).toBe(0);
  expect((await on('show', 'team')).output).toContain('ada  twitch="ada" color:=3');
  expect(await on('undo', edited.change.id)).toMatchObject({ code: 0, output: expect.stringContaining('nothing to change') });

  const { output } = await on('export', 'team');
  expect(output).toBe('ada:\n  twitch: ada\n  color: 3\n');
  writeFileSync(join(folder.path, 'other.yaml'), `${output}grace:\n`);
  expect((await on('import', 'team', join(folder.path, 'other.yaml'))).output).toContain('team: added grace');
  expect((await on('remove', 'team', 'ada', 'grace')).output).toContain('team: removed ada, grace');
  expect((await on()).output).toContain('team  0 entries  living');
  expect(await on('delete', 'team')).toMatchObject({ code: 0, output: expect.stringContaining('Deleted the list team.') });
  expect((await on('changes', 'team')).output.split('\n').filter((line) => line.includes('(command line)'))).toHaveLength(6);
});

test('wrong values and names are refused with the reason', async () => {
  using folder = temporaryFolder();
  const [lists, rules] = [join(folder.path, 'lists'), join(folder.path, 'rules')];
  mkdirSync(lists);
  writeFileSync(join(lists, 'team.yaml'), 'ada: { twitch: ada }\n');
  const on = (...args: readonly string[]) =>
    runHere({ args: ['lists', ...args], environment: { FANFARE_DATA: join(folder.path, 'data'), FANFARE_RULES: rules } });

  expect(await on('add', 'team', 'grace')).toMatchObject({
    code: 1,
    output: expect.stringMatching(/list in a file. Edit the file .*lists\/team\.yaml\./u),
  });
  expect((await on('show', 'team')).output).toContain('ada  twitch="ada"');
  expect(await on('add', 'My-Team', 'ada')).toMatchObject({ code: 2, output: expect.stringContaining('lowercase letter') });
  expect(await on('add', 'other', 'ada', 'id=3')).toMatchObject({ code: 2, output: expect.stringContaining('id cannot be a field') });
  expect(await on('add', 'other', 'ada', 'line')).toMatchObject({ code: 2, output: expect.stringContaining('name=text') });
  expect(await on('show', 'nowhere')).toMatchObject({ code: 1, output: expect.stringContaining('no list nowhere\n') });
  expect(await on('show', 'taem')).toMatchObject({ code: 1, output: expect.stringContaining('no list taem. Did you mean team?\n') });
});

test('the errors of an imported list have a place and a remedy, in one line each', async () => {
  using folder = temporaryFolder();
  const file = join(folder.path, 'people.yaml');
  writeFileSync(file, 'ada: [\n');

  const { code, output } = await runHere({
    args: ['lists', 'import', 'team', file],
    environment: { FANFARE_DATA: folder.path },
    cwd: folder.path,
  });

  expect({ code, output }).toEqual({
    code: 1,
    output: `error: ${file}: The list has errors. Nothing is imported.\n  line 1, column 6: the list is not closed: ] is missing\n`,
  });
});

test.for([
  ['nowhere.yaml', 'there is no such file or folder'],
  ['.', 'it is a folder'],
] as const)('a list in %s, which cannot be read', async ([file, reason]) => {
  using folder = temporaryFolder();

  const { code, output } = await runHere({ args: ['lists', 'import', 'team', file], cwd: folder.path });

  expect({ code, output }).toEqual({ code: 1, output: `error: ${file}: the file cannot be read\n  ${reason}\n` });
});

test('a list file with errors is shown with its errors', async () => {
  using folder = temporaryFolder();
  mkdirSync(join(folder.path, 'lists'));
  writeFileSync(join(folder.path, 'lists', 'team.yaml'), 'ada: [\n');

  const { output } = await runHere({ args: ['lists', 'show', 'team'], cwd: folder.path });

  expect(output).toContain('lists/team.yaml:1:6 error the list is not closed: ] is missing');
});

test('a file in another encoding is not imported, because its letters would be wrong in announcements', async () => {
  using folder = temporaryFolder();
  const file = join(folder.path, 'people.yaml');
  writeFileSync(file, Buffer.from('zoe: { line: "Grüße" }\n', 'latin1'));
  const on = (...args: readonly string[]) =>
    runHere({ args: ['lists', ...args], environment: { FANFARE_DATA: join(folder.path, 'data') } });

  expect(await on('import', 'team', file)).toMatchObject({ code: 1, output: `error: ${file} is not UTF-8\n  Save it as UTF-8.\n` });
  expect((await on('show', 'team')).output).toContain('no list team');
});

test('an action without a value that it needs, or with one that it does not take, is refused', async () => {
  using folder = temporaryFolder();
  const on = (...args: readonly string[]) =>
    runHere({
      args: ['lists', ...args],
      environment: { FANFARE_DATA: join(folder.path, 'data'), FANFARE_RULES: join(folder.path, 'rules') },
    });
  await on('add', 'team', 'ada');

  for (const [args, output] of [
    [['delete', 'team', 'ada'], 'deletes the whole list'],
    [['list', 'team'], 'list does not take team'],
    [['undo', 'c1', 'c2'], 'undo does not take c2'],
    [['export', 'team', 'other'], 'export does not take other'],
    [['show', 'team', 'ada'], 'show does not take ada'],
    [['import', 'team', 'a.yaml', 'b.yaml'], 'import does not take b.yaml'],
    [['undo'], 'name the id of the change'],
    [['edit', 'team'], 'name the id of the entry'],
    [['remove', 'team'], 'name the ids of the entries'],
  ] as const)
    expect(await on(...args), args.join(' ')).toMatchObject({ code: 2, output: expect.stringContaining(output) });
  expect((await on('show', 'team')).output.trim()).toBe('ada');
});

test('the changes are those of all lists, of the installation or of a server', async () => {
  using folder = temporaryFolder();
  const on = (...args: readonly string[]) =>
    runHere({
      args: ['lists', ...args],
      environment: { FANFARE_DATA: join(folder.path, 'data'), FANFARE_RULES: join(folder.path, 'rules') },
    });
  await on('add', 'team', 'ada');
  await on('add', 'team', 'eve', '--server', '42');
  const linesOf = async (...args: readonly string[]) => (await on('changes', 'team', ...args)).output.trim().split('\n');

  expect((await linesOf()).map((line) => line.slice(line.indexOf('  team')))).toEqual([
    expect.stringMatching(/^  team, server 42  .*added eve$/u),
    expect.stringMatching(/^  team  .*added ada$/u),
  ]);
  expect(await linesOf('--server', '42')).toEqual([expect.stringContaining('added eve')]);
  expect(await linesOf('--server', 'installation')).toEqual([expect.stringContaining('added ada')]);
});

test('the answers name the source of a list and its people', async () => {
  using folder = temporaryFolder();
  const [lists, data] = [join(folder.path, 'lists'), join(folder.path, 'data')];
  mkdirSync(lists);
  writeFileSync(
    join(lists, 'team.yaml'),
    'source: { watch: streaming.getTeamMembers, account: twitch, with: { team: nightshift } }\nentries: { zoe: { line: hi } }\n',
  );
  const environment = { FANFARE_DATA: data, FANFARE_RULES: join(folder.path, 'rules'), TWITCH_CLIENT_ID: 'id', TWITCH_CLIENT_SECRET: 's' };
  const on = (...args: readonly string[]) => runHere({ args: ['lists', ...args], environment });
  expect(await on('show', 'team')).toMatchObject({ code: 0, output: expect.stringContaining('not read yet') });
  await on('add', 'crew', 'ada');
  {
    await using store = await openStore({ file: join(data, 'fanfare.sqlite') });
    const params = { team: 'nightshift' };
    const key = keyOfSource({ verb: 'streaming.getTeamMembers', account: 'twitch', platform: 'twitch', params });
    await store.listSources.claim(key, { forMs: 1, mostMs: 1 });
    await store.listSources.fail(key, 'twitch is down');
    expect((await on('show', 'team')).output).toContain('the last read failed, so rules that read the list wait: twitch is down');
    await store.listSources.keep(key, [{ id: 'ada', fields: { twitch: 'ada' } }], 60_000);
    await store.listSources.fail(key, 'twitch has no team "nightshift"');
  }

  const shown = await on('show', 'team');
  const { output } = await on('show', 'team', '--json');
  const { list } = z.object({ list: z.unknown() }).parse(JSON.parse(output.slice(output.indexOf('{'))));

  expect(shown.output).toContain('ada  (source)  twitch="ada"\nzoe  line="hi"\n');
  expect(shown.output).toContain('source: streaming.getTeamMembers team="nightshift" through twitch, read ');
  expect(shown.output).toContain('twitch has no team "nightshift"');
  expect(list).toMatchObject({
    source: { watch: 'streaming.getTeamMembers', account: 'twitch', with: { team: 'nightshift' }, problem: expect.any(String) },
    entries: [{ id: 'ada', isFromSource: true }, { id: 'zoe' }],
  });
  expect((await on('add', 'team', 'grace')).output).toContain('is a list in a file');
});

test('a rule can read a field that no entry of a list with a source has yet', async () => {
  using folder = temporaryFolder();
  const [rules, lists] = [join(folder.path, 'rules'), join(folder.path, 'lists')];
  mkdirSync(rules);
  mkdirSync(lists);
  const source = 'source: { watch: streaming.getTeamMembers, account: twitch, with: { team: nightshift } }\n';
  const environment = { FANFARE_DATA: join(folder.path, 'data'), FANFARE_RULES: rules };
  writeFileSync(
    join(rules, 'crew.yaml'),
    `id: crew
when: { every: 1m, people: team, account: twitch }
then: [{ do: discord.send, with: { channel: "\${{ item.person[?'channel'].orValue('live') }}", content: hi } }]
`,
  );

  writeFileSync(join(lists, 'team.yaml'), source);
  expect(await runHere({ args: ['check'], environment })).toMatchObject({
    code: 0,
    output: expect.stringContaining('no errors, 0 warnings'),
  });
  writeFileSync(join(lists, 'team.yaml'), `${source}entries: { ada: { chanel: news } }\n`);
  expect((await runHere({ args: ['check'], environment })).output).toContain('item.person has no channel yet');
});
