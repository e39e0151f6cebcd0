import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { catalogue } from '#src/clients/catalogue.ts';
import { openListFolder } from '#src/engine/lists/list-folder.ts';
import { accounts } from '../../support/rule-language.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const TWO_PLATFORMS = { ...accounts, streaming: { all: ['twitch', 'kick'], defaults: [] } };

function open(files: Readonly<Record<string, string | Buffer>> = {}, known = accounts) {
  const { path, ...folder } = temporaryFolder();
  onTestFinished(() => folder[Symbol.dispose]());
  const lists = join(path, 'lists');
  mkdirSync(lists);
  const write = (name: string, text: string | Buffer): void => writeFileSync(join(lists, name), text);
  for (const [name, text] of Object.entries(files)) write(name, text);
  const source = openListFolder(lists, { catalogue, accounts: known });
  const read = async () => {
    const { lists: found, diagnostics, revision } = await source.read();
    const entries = [...found].map(([name, one]) => [name, one.entries?.map(({ id, fields }) => [id, fields])] as const);
    const errors = diagnostics.map(({ file, line, column, message, hint }) => [
      `${file.slice(lists.length + 1)}:${line}:${column}`,
      message,
      hint,
    ]);
    return { entries: Object.fromEntries(entries), errors, revision };
  };
  return { folder: lists, write, read };
}

test('a list is read again after each change, and a broken file keeps its last valid entries', async () => {
  const { read, write, folder } = open({
    'team.yaml': 'ada: { kick: ada_k, channel: "#live", color: 3 }\ngrace:\n',
    'notes.txt': 'x',
    '.hidden.yaml': 'x',
  });
  const first = await read();
  expect(first).toMatchObject({
    entries: {
      team: [
        ['ada', { kick: 'ada_k', channel: '#live', color: 3 }],
        ['grace', {}],
      ],
    },
    errors: [],
  });
  expect((await read()).revision).toBe(first.revision);

  write('team.yaml', 'ada: { line: "Queen!" }\n');
  expect((await read()).entries).toEqual({ team: [['ada', { line: 'Queen!' }]] });
  write('team.yaml', 'ada: { line: "Queen!\n');
  const broken = await read();
  expect(broken.entries).toEqual({ team: [['ada', { line: 'Queen!' }]] });
  expect(broken.errors).toHaveLength(1);
  write('team.yaml', '# nobody\n');
  expect(await read()).toMatchObject({ entries: { team: [] }, errors: [] });
  write('team.yaml', '# the team\rada:\r  line: Mac\r');
  expect((await read()).entries).toEqual({ team: [['ada', { line: 'Mac' }]] });
  rmSync(folder, { recursive: true });
  expect((await read()).entries).toEqual({});
});

test.for([
  ['no bytes', Buffer.of()],
  ['empty lines', Buffer.from('\n \n')],
  ['a byte order mark alone', Buffer.of(0xef, 0xbb, 0xbf)],
  ['bytes of zero', Buffer.alloc(4096)],
] as const)('a list file with %s after a power cut removes no one', async ([, content]) => {
  const { read, write } = open({ 'team.yaml': 'ada: {}\n', 'crew.yaml': content });
  const before = await read();
  expect(before.entries).toEqual({ team: [['ada', {}]], crew: undefined });
  write('team.yaml', content);
  const after = await read();
  expect(after.entries).toEqual({ team: [['ada', {}]], crew: undefined });
  expect(after.errors.map(([place]) => place)).toEqual(['crew.yaml:1:1', 'team.yaml:1:1']);
  write('team.yaml', '{}\n');
  expect((await read()).entries).toEqual({ team: [], crew: undefined });
});

test('a link that leads out of the folder is not read', async () => {
  const { read, folder } = open({ 'team.yaml': 'ada:\n' });
  const secret = join(folder, '..', 'fake.env');
  writeFileSync(secret, 'DISCORD_TOKEN=hidden\n');
  symlinkSync(secret, join(folder, 'other.yaml'));
  symlinkSync('team.yaml', join(folder, 'same.yaml'));

  const { entries, errors } = await read();

  expect(entries).toMatchObject({ team: [['ada', {}]], same: [['ada', {}]] });
  expect(errors).toEqual([
    ['other.yaml:1:1', 'the file cannot be read', 'it is a link that leads out of the folder: put the file itself there'],
  ]);
});

test('a list in another encoding names the place, and is read once it is saved as UTF-8', async () => {
  const text = 'ada: { line: "Caf\u00e9" }\n';
  const { read, write } = open();

  write('team.yaml', Buffer.from(text, 'latin1'));
  expect((await read()).errors).toEqual([['team.yaml:1:18', 'the file cannot be read', expect.stringContaining('UTF-8')]]);
  write('team.yaml', text);
  expect(await read()).toMatchObject({ entries: { team: [['ada', { line: 'Caf\u00e9' }]] }, errors: [] });
});

test.for([
  ['ada: { channel: #live }\n', 'team.yaml:1:17'],
  ['ada:\n  channel: #live\n', 'team.yaml:2:12'],
  ['ada: { id: 3 }\n', 'team.yaml:1:12'],
  ['ada: 3\n', 'team.yaml:1:6'],
  ['- ada\n', 'team.yaml:1:1'],
  [`ada: { line: ${'x'.repeat(2_001)} }\n`, 'team.yaml:1:14'],
  ['ada: {}\nada: {}\n', 'team.yaml:2:1'],
  [`${'x'.repeat(101)}: {}\n`, 'team.yaml:1:1'],
] as const)('a mistake is reported with its position and a hint: %s', async ([source, place]) => {
  const { errors, entries } = await open({ 'team.yaml': source }).read();

  expect(errors[0]?.[0]).toBe(place);
  expect(entries).toEqual({ team: undefined });
});

test.for([
  ['ada: ada_live', 'write ada: { twitch: ada_live }'],
  ['ada: "@ada_live"', 'write ada: { twitch: ada_live }'],
  ['ada: https://www.twitch.tv/ada_live', 'write ada: { twitch: ada_live }'],
  ['ada: The Queen', 'write the fields as ada: { twitch: ada }'],
  ['source: streaming.getTeamMembers', 'write source: { watch: streaming.getTeamMembers, with: { … } }, without other keys than entries'],
] as const)('a single value in place of fields has a hint with the fields: %s', async ([source, hint]) => {
  const { errors } = await open({ 'team.yaml': `${source}\nzoe: {}\n` }).read();

  expect(errors).toEqual([[expect.any(String), 'expected the fields of the entry', hint]]);
});

test('fields with different types are reported, but usable', async () => {
  const { errors, entries } = await open({ 'team.yaml': 'ada: { on: true }\ngrace: { on: true }\nalan: { on: "yes" }\n' }).read();

  expect(errors).toEqual([['team.yaml:3:13', 'expected true or false, as in most entries, found text or a number', expect.any(String)]]);
  expect(entries['team']).toHaveLength(3);
});

test('fields that the rule over followed streamers cannot use are reported, but usable', async () => {
  const source = 'ada: { color: lilac, message: "{gmae}" }\n';
  const { errors, entries } = await open({ 'followed.yaml': source, 'team.yaml': source }).read();

  expect(errors).toEqual([
    ['followed.yaml:1:15', 'color is not a color', expect.stringContaining('#9146ff')],
    ['followed.yaml:1:31', 'message has the unknown placeholder {gmae}', expect.stringContaining('{name}')],
  ]);
  expect(entries['followed']).toEqual([['ada', { color: 'lilac', message: '{gmae}' }]]);
});

test.for([
  ['lin: { Twitch: linus }', '1:8', 'Twitch', 'polls lin on twitch, which is the id of the entry'],
  ['grace: { twich: grace_codes }', '1:10', 'twich', 'polls grace on twitch, which is the id of the entry'],
  ['grace: { twitsh: grace_codes, kick: grace_k }', '1:10', 'twitsh', 'polls grace on twitch, which is the id of the entry'],
  ['grace: { twich: grace_codes, kick: grace }', '1:10', 'twich', 'does not poll this entry on twitch'],
  ['grace: { twitch: grace, Kik: 7 }', '1:25', 'Kik', 'does not poll this entry on kick'],
  ['grace: { userIds: { twicht: "7" } }', '1:21', 'twicht', 'does not poll this entry on twitch'],
  [
    'source: { watch: streaming.getTeamMembers, account: twitch, with: { team: a } }\nentries: { grace: { kikc: g } }',
    '2:21',
    'kikc',
    'does not poll this entry on kick',
  ],
] as const)('a misspelled platform is reported with the name that is read instead: %s', async ([source, place, field, instead]) => {
  const { errors, entries } = await open({ 'team.yaml': source }, TWO_PLATFORMS).read();

  const meant = field.toLowerCase().startsWith('k') ? 'kick' : 'twitch';
  expect(errors).toEqual([[`team.yaml:${place}`, `${field} is not a platform: a rule with people ${instead}`, `did you mean ${meant}?`]]);
  expect(entries['team']).toHaveLength(1);
});

test.for([
  ['ada: { twitch: "https://www.twitch.tv/ada_live" }', '1:16', 'https://www.twitch.tv/ada_live', 'write ada_live'],
  ['ada: { twitch: ada, kick: Ada Live }', '1:27', 'ada live', expect.stringMatching(/^write the handle/u)],
  ['Ada Lovelace: { line: x }\nzoe: { twitch: zoe }', '1:1', 'ada lovelace', expect.stringMatching(/^write the handle/u)],
] as const)('a name that no user can have is reported: %s', async ([source, place, name, hint]) => {
  const { errors, entries } = await open({ 'team.yaml': source }, TWO_PLATFORMS).read();

  expect(errors).toEqual([[`team.yaml:${place}`, `no user can have the name ${JSON.stringify(name)}`, hint]]);
  expect(entries['team']).toHaveLength(source.split('\n').length);
});

test.for([
  'Ada Lovelace: { twitch: ada, kick: ada_l }',
  'Hollow Orchard: { role: Orchard }\nAmong Us: { role: Crew }',
  'ada: { twitch: ada, twich: ada }',
  'ada: { switch: SW-1234, twitchUrl: "https://twitch.tv/ada", kicks: true, twitter: ada, title: x, line: x }',
] as const)('a field that is not a misspelled platform has no warning: %s', async (source) => {
  expect((await open({ 'team.yaml': source }, TWO_PLATFORMS).read()).errors).toEqual([]);
});

test.for(['0815', '1337', '1e3', '0x1F', '-5', '2.50', 'true', 'False', '"007"'] as const)('an entry can have the id %s', async (id) => {
  const { errors, entries } = await open({ 'team.yaml': `zoe: { line: y }\n${id}: { line: x }\n` }).read();

  expect(errors).toEqual([]);
  expect(entries).toEqual({ team: expect.arrayContaining([[id.replaceAll('"', ''), { line: 'x' }]]) });
});

test('an id without text is reported', async () => {
  const { errors } = await open({ 'team.yaml': 'zoe: { line: y }\nnull: { line: x }\n' }).read();

  expect(errors.map(([place]) => place)).toEqual(['team.yaml:2:1']);
});

test('a number with leading zeros in a field is reported', async () => {
  const { errors } = await open({ 'team.yaml': '0815: { line: x, pin: 0815 }\n' }).read();

  expect(errors).toEqual([['team.yaml:1:23', '0815 is read as the number 815', 'put quotes around it: "0815"']]);
});

test('file names are the names of lists, each once', async () => {
  const { errors, entries } = await open({ 'team.yaml': 'ada:', 'team.yml': 'grace:', 'top-five.yaml': 'ada:' }).read();

  expect(Object.keys(entries)).toEqual(['team', 'top-five']);
  expect(errors.map(([place, message]) => [place, message])).toEqual([
    ['team.yml:1:1', expect.stringMatching(/the list team is already in .*team\.yaml/u)],
    ['top-five.yaml:1:1', 'top-five cannot be the name of a list'],
  ]);
});

test.for([
  ['source: { watch: streaming.getTeamMember }', 'team.yaml:1:18', 'did you mean streaming.getTeamMembers?'],
  ['source: { watch: streaming.getTopStreams }', 'team.yaml:1:18', expect.stringContaining('streaming.getTeamMembers')],
  ['source: { with: { team: a } }', 'team.yaml:1:9', 'add watch:'],
  ['source: { watch: streaming.getTeamMembers, form: twitch }', 'team.yaml:1:44', expect.any(String)],
  ['source: { watch: streaming.getTeamMembers }', 'team.yaml:1:9', expect.any(String)],
  ['source: { watch: streaming.getTeamMembers, with: { team: 3, pages: 2 } }', 'team.yaml:1:61', 'remove pages'],
  ['source: { watch: streaming.getTeamMembers, account: twich, with: { team: a } }', 'team.yaml:1:53', expect.stringContaining('twitch')],
  ['source: { watch: social.getListMember, with: { list: "7" } }', 'team.yaml:1:9', expect.stringContaining('bluesky')],
  ['source: { watch: streaming.getTeamMembers, with: { team: a } }\nentries: [ada]', 'team.yaml:2:10', expect.any(String)],
  ['source: { twitch: source_tv }', 'team.yaml:1:9', 'add watch:'],
] as const)('a mistake of a source is reported with its position and a hint: %s', async ([source, place, hint]) => {
  const { errors, entries } = await open({ 'team.yaml': source }).read();

  expect(errors.map(([at, , found]) => [at, found])).toContainEqual([place, hint]);
  expect(entries).toEqual({ team: undefined });
});

test('entries beside a source have their positions, and a list of a social account can be a source', async () => {
  const wrong = await open({ 'team.yaml': 'source: { watch: streaming.getTeamMembers, with: { team: a } }\nentries:\n  ada: 3\n' }).read();
  const right = await open({
    'team.yaml': 'source: { watch: social.getListMember, account: mastodon, with: { list: 7 } }\nentries:\n',
  }).read();

  expect(wrong.errors[0]?.[0]).toBe('team.yaml:3:8');
  expect(right).toMatchObject({ errors: [], entries: { team: [] } });
});
