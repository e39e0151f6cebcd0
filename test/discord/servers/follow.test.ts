import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { en } from '#src/discord/language/en/index.ts';
import { fetch, type InteractionView } from '../../support/discord-sandbox.ts';
import { idOf, openServers, shownIn, type NewServer, type ServersFixture } from './fixture.ts';

const texts = en.following;

interface Entry {
  readonly id: string;
  readonly fields: Readonly<Record<string, unknown>>;
}

/** A person of the sandbox on Twitch and on Kick. */
const onBoth = 'grace';

describe('the followed streamers of a server', () => {
  let servers: ServersFixture;
  let owner: string;
  let member: string;
  let club: NewServer;
  let live: string;

  beforeAll(async () => {
    servers = await openServers();
    [owner, , member] = servers.app.people;
    club = await servers.invite('Chess Club', owner);
    live = club.channels['live'] ?? '';
    const opened = await act({ guild: club.id, channel: 'general', command: 'setup' });
    await act({ message: idOf(opened), customId: 'setup:channel', values: [live] });
  });

  afterAll(() => servers[Symbol.asyncDispose]());

  const act = (order: object) => servers.app.interact({ user: owner, ...order });
  const run = (command: string, options: object = {}, more: object = {}) =>
    act({ guild: club.id, channel: 'general', command: `follow ${command}`, options, ...more });
  const chooseLive = async (values: readonly string[]) => {
    const setup = await act({ guild: club.id, channel: 'general', command: 'setup' });
    await act({ message: idOf(setup), customId: 'setup:live', values });
  };
  const entries = async (server = club.id) => {
    const answer = await fetch(`${servers.app.url}/api/lists/followed?server=${server}`);
    return answer.ok ? ((await answer.json()) as { entries: Entry[] }).entries : [];
  };
  const previewsIn = async () => (await servers.messages(club.id)).filter(({ content }) => content.includes(texts.preview.mark));
  const ids = async () => (await entries()).map(({ id }) => id);

  const patch = async (id: string, fields: object) => {
    const changed = await fetch(`${servers.app.url}/api/lists/followed/entries/${id}`, {
      method: 'PATCH',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ server: club.id, fields }),
    });
    expect(changed.status).toBe(200);
  };

  test('a streamer is added by the suggestion that shows game and viewers, and the undo removes it', async () => {
    const suggested = async () => {
      const { choices = [] } = await run('add', { streamer: owner.slice(0, 2) }, { autocomplete: true });
      const [{ value = '' } = {}] = choices as readonly { value?: string }[]; // as Discord documents them
      return value;
    };
    // A platform that needs longer than Discord waits has its suggestions with the next letter.
    await expect.poll(suggested).toMatch(/^twitch\.tv\//u);

    const added = await run('add', { streamer: `twitch.tv/${owner}` });

    expect(added).toMatchObject({ outcome: 'message', ephemeral: true });
    expect(shownIn(added)).toContain(texts.title.followed(1));
    expect(shownIn(added)).toContain(texts.next(`<#${live}>`));
    expect(shownIn(added)).toContain(texts.pingsNoOne);
    expect(await entries()).toMatchObject([{ id: owner, fields: { twitch: owner } }]);
    await expect.poll(previewsIn).toHaveLength(1);
    expect(await previewsIn()).toMatchObject([
      { embeds: [{ author: { url: `https://twitch.tv/${owner}` } }], ephemeral: true, pinged: { everyone: false, roles: [], users: [] } },
    ]);
    expect(shownIn(await run('add', { streamer: `https://www.twitch.tv/${owner}` }))).toContain(texts.known('Ada', `<#${live}>`));

    const undone = await act({ message: idOf(added), click: texts.buttons.undo });
    expect(shownIn(undone)).toContain(texts.title.undone);
    expect(await ids()).toEqual([]);
  });

  test.each(['https://example.org/{name}', 'Ada: live on https://example.org', '"{name}"\n- https://example.org'])(
    'an export with the message %j is imported again',
    async (message) => {
      await run('add', { streamer: `twitch.tv/${owner}` });
      const form = await run('edit', { streamer: owner });
      await act({ modal: form.id, fields: { message, after: ['keep'] } });
      const before = await entries();
      const yaml = await (await fetch(`${servers.app.url}/api/lists/followed/export?server=${club.id}`)).text();
      await run('remove', { streamer: owner });

      await act({ modal: (await run('import')).id, fields: { names: yaml } });

      expect(await entries()).toEqual(before);
      expect(before).toMatchObject([{ fields: { message } }]);
      await run('remove', { streamer: owner });
    },
  );

  test.each([
    { ping: 'everyone' },
    { ping: 'Live', channel: 'live' },
    { color: '#9146FF' },
    { message: 'x'.repeat(1_500), deleteAfter: true },
    { name: `${'x'.repeat(39)}😀😀😀` },
  ])('what the form of /follow edit cannot show stays: %j', async (fields) => {
    await run('add', { streamer: `twitch.tv/${owner}` });
    await patch(owner, fields);
    const after = ['deleteAfter' in fields ? 'delete' : 'keep'];
    const color = fields.color === '#9146FF' ? fields.color : '';

    const form = await run('edit', { streamer: owner });
    const edited = await act({ modal: form.id, fields: { message: '', color, after } });
    expect(shownIn(edited)).toContain(texts.title.edited('').trim().slice(-11));
    expect(`${shownIn(edited)} ${shownIn(await run('list'))}`).not.toMatch(/<(?:#|@&)(?!\d+>)/u);
    expect(await entries()).toMatchObject([{ fields }]);

    const again = await run('edit', { streamer: owner });
    await act({ modal: again.id, fields: { message: 'Hello {name}', color: '#000001', after: ['keep'] } });
    expect(await entries()).toMatchObject([{ fields: { message: 'Hello {name}', color: 1 } }]);
    await run('remove', { streamer: owner });
  });

  test('a form does not overwrite what another member changed while it was open', async () => {
    await run('add', { streamer: `twitch.tv/${owner}` });
    const [mine, theirs] = [await run('edit', { streamer: owner }), await run('edit', { streamer: owner })];
    const message = 'A message for {name}, which took a moderator some time';

    await act({ modal: theirs.id, fields: { message: 'Theirs', after: ['keep'] } });
    const refused = await act({ modal: mine.id, fields: { message, after: ['keep'] } });

    expect(refused.message?.content).toBe(`${texts.changedMeanwhile('Ada')}\n${en.errors.yourText}`);
    expect(JSON.stringify(refused.message?.embeds)).toContain(message);
    expect(await entries()).toMatchObject([{ fields: { message: 'Theirs' } }]);
    await run('remove', { streamer: owner });
  });

  test('of two forms that are submitted at the same time, one is refused', async () => {
    await run('add', { streamer: `twitch.tv/${owner}` });
    const forms = [await run('edit', { streamer: owner }), await run('edit', { streamer: owner })];

    const answers = await Promise.all(
      forms.map(({ id }, index) => act({ modal: id, fields: { message: `Message ${index}`, channel: [live], after: ['keep'] } })),
    );

    const [stored] = await entries();
    await run('remove', { streamer: owner });
    const isEdited = answers.map((answer) => shownIn(answer).includes(texts.title.edited('Ada')));
    expect(isEdited.filter((is) => is)).toHaveLength(1);
    expect(stored).toMatchObject({ fields: { message: `Message ${isEdited.indexOf(true)}` } });
    // The second form may be checked before or after the first one is stored.
    const content = answers[isEdited.indexOf(false)]?.message?.content ?? '';
    expect([texts.changedMeanwhile('Ada'), en.errors.refused.entryChanged()].filter((text) => content.includes(text))).toHaveLength(1);
  });

  test('an entry with a long id, which files and the API can name, can be edited', async () => {
    const id = 'the id of an entry: with a colon, and nearly as long as a custom id of Discord may be, which is 100.';
    await act({ modal: (await run('import')).id, fields: { names: `${JSON.stringify(id)}: { twitch: ${owner} }` } });

    const form = await run('edit', { streamer: id });
    await act({ modal: form.id, fields: { message: 'Hello', after: ['keep'] } });

    expect(await entries()).toMatchObject([{ id, fields: { message: 'Hello' } }]);
    await run('remove', { streamer: id });
  });

  test('words limit the announcements of a streamer, and * removes them', async () => {
    const added = await run('add', { streamer: `twitch.tv/${owner}`, only: 'Chess, **run**' });
    expect(shownIn(added)).toContain(texts.only('Chess, \\*\\*run\\*\\*'));
    expect(await entries()).toMatchObject([{ id: owner, fields: { only: 'Chess, **run**' } }]);

    const edited = await run('edit', { streamer: owner, only: 'Go' });
    expect(shownIn(edited)).toContain(texts.only('Go'));
    expect(shownIn(await run('list'))).toContain('· Go');
    await act({ message: idOf(edited), click: texts.buttons.undo });
    expect(await entries()).toMatchObject([{ fields: { only: 'Chess, **run**' } }]);

    await run('edit', { streamer: owner, only: '*' });
    expect((await entries())[0]?.fields).not.toHaveProperty('only');
    await run('remove', { streamer: owner });
  });

  test.each(['  ', ',', ' , ,'])('words that are all empty, as %j, are refused, so that not every stream has one', async (only) => {
    const refused = [await run('add', { streamer: `twitch.tv/${owner}`, only })];
    await run('add', { streamer: `twitch.tv/${owner}`, only: 'Chess, ,  Go ,' });
    refused.push(await run('edit', { streamer: owner, only }));

    expect(refused.map(({ message }) => message?.content)).toEqual([texts.noWords, texts.noWords]);
    expect(await entries()).toMatchObject([{ id: owner, fields: { only: 'Chess, Go' } }]);
    await run('remove', { streamer: owner });
  });

  test('/follow edit names the member who streams, and the bot itself stands for no one', async () => {
    await run('add', { streamer: `twitch.tv/${owner}` });
    const { members } = await servers.app.control<{ members: { id: string; username: string; bot: boolean }[] }>(
      `/discord?guild=${club.id}`,
    );
    const [bot = '', id = ''] = [members.find((one) => one.bot)?.username, members.find(({ username }) => username === owner)?.id];

    const named = await run('edit', { streamer: owner, member: owner, only: 'Chess' });
    expect(shownIn(named)).toContain(texts.memberWithoutRole(`<@${id}>`));
    expect(await entries()).toMatchObject([{ fields: { member: id, only: 'Chess' } }]);
    expect(shownIn(await run('edit', { streamer: owner, only: '*' }))).not.toContain(id);
    expect(await entries()).toMatchObject([{ fields: { member: id } }]);
    const removed = await run('edit', { streamer: owner, member: bot });

    expect(shownIn(removed)).toContain(texts.memberless);
    expect((await entries())[0]?.fields).not.toHaveProperty('member');
    await run('remove', { streamer: owner });
    const added = await run('add', { streamer: `twitch.tv/${owner}`, member: owner });
    expect(shownIn(added)).toContain(texts.memberWithoutRole(`<@${id}>`));
    await chooseLive(['Live']);
    expect(shownIn(await run('edit', { streamer: owner, member: owner }))).toContain(texts.member(`<@${id}>`));
    await chooseLive([]);
    await run('remove', { streamer: owner });
  });

  test.each(['add', 'edit'])('/follow %s refuses a user who is not in the server as the member who streams', async (command) => {
    if (command === 'edit') await run('add', { streamer: `twitch.tv/${owner}` });
    const membersOf = async (guild: string) =>
      (await servers.app.control<{ members: { id: string; displayName: string }[] }>(`/discord?guild=${guild}`)).members;
    const here = new Set((await membersOf(club.id)).map(({ id }) => id));
    const stranger = (await membersOf('Berlin Sandbox')).find(({ id }) => !here.has(id));

    const refused = await run(command, { streamer: owner, member: stranger?.id });

    expect(refused.message?.content).toBe(texts.notMember(stranger?.displayName ?? ''));
    expect((await entries()).map(({ fields }) => fields['member'])).toEqual(command === 'edit' ? [undefined] : []);
    if (command === 'edit') await run('remove', { streamer: owner });
  });

  test('a name on several platforms is asked, and one entry has both', async () => {
    const asked = await run('add', { streamer: onBoth });
    expect(shownIn(asked)).toContain(texts.ambiguous(onBoth));

    const both = await act({ message: idOf(asked), click: texts.all });

    expect(both.outcome).toBe('message');
    expect(await entries()).toMatchObject([{ id: onBoth, fields: { twitch: onBoth, kick: onBoth } }]);
    await run('remove', { streamer: onBoth });
  });

  test('each platform that is picked of one question has its own answer, with its own Undo', async () => {
    const asked = await run('add', { streamer: onBoth });
    const picked = [await act({ message: idOf(asked), click: 'Twitch' }), await act({ message: idOf(asked), click: 'Kick' })];

    expect(new Set([asked, ...picked].map(idOf)).size).toBe(3);
    expect(await entries()).toHaveLength(2);
    for (const answer of picked.toReversed()) await act({ message: idOf(answer), click: texts.buttons.undo });
    expect(await entries()).toEqual([]);
  });

  test.for([['kick'], ['all']] as const)('a name on several platforms keeps the options of the command: %s', async ([choice]) => {
    const words = 'Chess, speedrun, '.repeat(10).slice(0, -2);
    const asked = await run('add', { streamer: onBoth, channel: 'general', only: words });

    const chosen = await act({ message: idOf(asked), click: choice === 'all' ? texts.all : 'Kick' });

    expect(shownIn(chosen)).toContain(texts.only(words));
    expect(await entries()).toMatchObject([{ id: onBoth, fields: { channel: expect.stringMatching(/^\d+$/u), only: words } }]);
    await run('remove', { streamer: onBoth });
  });

  test.each([
    ['all of them, after one of them', { streamer: onBoth }, {}],
    ['a further platform of the same member', { streamer: `kick.com/${onBoth}`, member: onBoth }, { member: onBoth }],
  ])('an entry gets %s, so that there is one card', async (_, further, first) => {
    await run('add', { streamer: `twitch.tv/${onBoth}`, ...first });
    const [before] = await entries();

    const asked = await run('add', further);
    const added = shownIn(asked).includes(texts.ambiguous(onBoth)) ? await act({ message: idOf(asked), click: texts.all }) : asked;

    expect(shownIn(added)).toContain(texts.joined('Grace', 'Kick', `<#${live}>`));
    expect(shownIn(added)).not.toContain(texts.title.none);
    const ids = { ...Object(before?.fields['userIds']), kick: expect.stringMatching(/^\d+$/u) };
    expect(await entries()).toEqual([{ ...before, fields: { ...before?.fields, kick: onBoth, userIds: ids } }]);
    await run('remove', { streamer: onBoth });
  });

  test('another card for a further platform of the same member is another entry', async () => {
    await run('add', { streamer: `twitch.tv/${onBoth}`, member: onBoth });

    await run('add', { streamer: `kick.com/${onBoth}`, member: onBoth, channel: 'general' });

    expect(await entries()).toHaveLength(2);
    for (const platform of ['twitch.tv', 'kick.com']) await run('remove', { streamer: `${platform}/${onBoth}` });
  });

  test('a renamed account is not followed twice, and its entry gets the new name', async () => {
    await run('add', { streamer: `twitch.tv/${owner}` });
    await patch(owner, { twitch: 'before', name: 'Before' });

    const again = await run('add', { streamer: `twitch.tv/${owner} https://www.twitch.tv/${owner}?x` });

    expect(shownIn(again)).toContain(texts.renamed('before', owner));
    expect(await entries()).toMatchObject([{ id: owner, fields: { twitch: owner, name: 'Ada' } }]);
    await run('remove', { streamer: owner });
  });

  test('an account with the old name of a followed one is followed too', async () => {
    await run('add', { streamer: `twitch.tv/${owner}` });
    await patch(owner, { userIds: { twitch: '1' } });

    await run('add', { streamer: `twitch.tv/${owner}` });

    expect((await ids()).toSorted()).toEqual([owner, `${owner}-twitch`]);
    await run('remove', { streamer: `twitch.tv/${owner}` });
    expect(await ids()).toEqual([owner]);
    await run('remove', { streamer: owner });
  });

  test('the new name of a renamed account finds its entry, also in an import', async () => {
    await run('add', { streamer: `twitch.tv/${owner}` });
    const yaml = await (await fetch(`${servers.app.url}/api/lists/followed/export?server=${club.id}`)).text();
    await run('remove', { streamer: owner });
    await run('add', { streamer: `twitch.tv/${member}` });
    const id = /userIds:\s+twitch: "?(?<id>\d+)/u.exec(yaml)?.groups?.['id'];
    await patch(member, { userIds: { twitch: id }, twitch: 'before' });

    await act({ modal: (await run('import')).id, fields: { names: yaml } });
    expect(await entries()).toMatchObject([{ id: member, fields: { twitch: owner } }]);

    await patch(member, { twitch: 'before' });
    expect((await run('edit', { streamer: `twitch.tv/${owner}`, only: 'Chess' })).outcome).toBe('message');
    expect(await entries()).toMatchObject([{ id: member, fields: { only: 'Chess' } }]);
    await act({
      guild: club.id,
      channel: 'general',
      command: 'automation disable',
      options: { rule: 'followed', streamer: `twitch.tv/${owner}` },
    });
    expect(await entries()).toMatchObject([{ id: member, fields: { paused: true } }]);
    await run('remove', { streamer: `twitch.tv/${owner}` });
    expect(await ids()).toEqual([]);
  });

  test('the channel of a followed streamer is named, because the options of the command do not change it', async () => {
    await run('add', { streamer: `twitch.tv/${owner}`, channel: 'live' });

    const again = await run('add', { streamer: `twitch.tv/${owner}`, channel: 'general', only: 'Chess' });

    expect(shownIn(again)).toContain(texts.known('Ada', `<#${live}>`));
    await run('remove', { streamer: owner });
  });

  test('two names of one account add it once', async () => {
    const added = await run('add', { streamer: `twitch.tv/${owner} ${owner}` });

    expect(shownIn(added)).toContain(texts.title.followed(1));
    expect(await ids()).toEqual([owner]);
    await run('remove', { streamer: owner });
  });

  test('streamers with the same name are suggested with their links, and by their handles', async () => {
    await run('add', { streamer: `twitch.tv/${owner} twitch.tv/${member}` });
    await patch(owner, { name: 'Twin' });
    await patch(member, { name: 'twin' });
    const suggested = async (streamer: string) => (await run('remove', { streamer }, { autocomplete: true })).choices;

    expect(await suggested('twin')).toEqual([
      { name: `Twin · twitch.tv/${owner}`, value: owner },
      { name: `twin · twitch.tv/${member}`, value: member },
    ]);
    expect(await suggested(`tv/${member}`)).toMatchObject([{ value: member }]);
    await patch(member, { twitch: 'before' });
    expect(await suggested('before')).toMatchObject([{ value: member }]);
    await run('remove', { streamer: `${owner}, ${member}` });
  });

  test('several names are added at once, and those that no platform has are named with similar ones', async () => {
    const added = await run('add', {
      streamer: `\u2060twitch.tv/${owner}\u200B, <https://www.twitch.tv/${member}> twitch.tv/${owner}x https://youtube.com/@ada`,
    });

    expect(shownIn(added)).toContain(texts.title.followed(2));
    expect(shownIn(added)).toContain(texts.unknown(`twitch\\.tv/${owner}x`, `\`twitch.tv/${owner}\``));
    expect(shownIn(added)).toContain(texts.notChannel('https\\://youtube\\.com/\\@ada', 'Twitch, Kick'));
    expect((await ids()).toSorted()).toEqual([owner, member].toSorted());
    const none = await run('add', { streamer: 'twitch.tv/nobody_is_called_this' });
    expect(shownIn(none)).toContain(texts.title.none);
  });

  test('the form changes the message, the color and the end, and refuses unknown placeholders and colors', async () => {
    const open = async () => (await run('edit', { streamer: owner })).id;
    const fill = async (fields: object) => act({ modal: await open(), fields: { after: ['keep'], ...fields } });

    expect((await fill({ message: 'Queen to {gmae}!' })).message?.content).toContain(texts.unknownPlaceholder('gmae'));
    expect((await fill({ message: '', color: 'green' })).message?.content).toBe(texts.wrongColor);
    const calling = await fill({ message: '@everyone, {name} is live' });
    expect(shownIn(calling)).toContain(texts.messagePingsNoOne);
    await act({ message: idOf(calling), click: texts.buttons.undo });
    const role = (await servers.roles(club.id))['Live'] ?? '';
    const pinging = await fill({ message: `<@&${role}> {name} is live`, ping: [role] });
    expect(shownIn(pinging)).toContain(texts.pings(`<@&${role}>`));
    expect(shownIn(pinging)).not.toContain(texts.messagePingsNoOne);
    await act({ message: idOf(pinging), click: texts.buttons.undo });
    const edited = await fill({ message: 'Queen to {game}!', color: '9146FF', after: ['delete'] });

    const previews = async () => (await previewsIn()).filter(({ content }) => content.includes('Queen'));
    await expect.poll(previews).toHaveLength(1);
    expect(await previews()).toMatchObject([
      {
        content: expect.stringContaining(`Queen to ${texts.sample.game}!`),
        embeds: [{ title: texts.sample.title, author: { name: 'Ada', url: `https://twitch.tv/${owner}` }, color: 0x9146ff }],
        ephemeral: true,
        pinged: { everyone: false, roles: [], users: [] },
      },
    ]);
    expect(shownIn(edited)).toContain(texts.title.edited('').slice(-12).trim());
    expect(shownIn(edited)).not.toContain(texts.messagePingsNoOne);
    const [entry] = (await entries()).filter(({ id }) => id === owner);
    expect(entry?.fields).toMatchObject({ message: 'Queen to {game}!', color: 0x9146ff, deleteAfter: true });
    await act({ message: idOf(edited), click: texts.buttons.undo });
    expect((await entries()).find(({ id }) => id === owner)?.fields).not.toHaveProperty('message');
  });

  test('the list shows who is followed and where, and names of it are suggested to remove', async () => {
    const shown = shownIn(await run('list'));
    expect(shown).toContain(texts.title.list(2));
    expect(shown).toContain(`<#${live}>`);
    const { choices = [] } = await run('remove', { streamer: member }, { autocomplete: true });
    expect(choices).toMatchObject([{ value: member }]);

    const removed = await run('remove', { streamer: member });
    expect(shownIn(removed)).toContain(texts.title.removed(1));
    expect(await ids()).toEqual([owner]);
    expect((await run('remove', { streamer: 'grace hopper' })).message?.content).toBe(
      `${texts.notFollowed('grace')} ${texts.nothingChanged}`,
    );
  });

  test('an export is imported again, but not channels of other servers or pings of everyone', async () => {
    const exported = await run('export');
    expect(exported.ephemeral).toBe(true);
    const fill = async (names: string) => act({ modal: (await run('import')).id, fields: { names } });

    const merged = await fill(`grace:\n  twitch: grace\nlinus: { twitch: linus, channel: "${live}" }\n`);
    expect(shownIn(merged)).toContain(texts.title.followed(2));
    const home = servers.app.control<{ channels: { id: string; name: string }[] }>('/discord');
    const { channels } = await home;
    const forum = channels.find(({ name }) => name === 'guides')?.id ?? '';
    const form = (await act({ channel: 'general', command: 'follow import' })).id;
    const inForum = await act({ modal: form, fields: { names: `eve: { twitch: eve, channel: ${forum} }` } });
    expect(inForum.message?.content).toContain(`**eve**: ${en.setup.channel.noMessages(`<#${forum}>`)}`);
    expect((await fill(`eve: { twitch: eve, channel: "${channels[0]?.id}" }`)).message?.content).toContain(en.setup.foreignChannel);
    expect((await fill('eve: { twitch: eve, ping: everyone }')).message?.content).toContain(`**eve**: ${texts.everyone}`);
    expect((await fill(`eve: { twitch: eve, ping: "${club.id}" }`)).message?.content).toContain(texts.everyone);
    expect((await ids()).toSorted()).toEqual(['grace', 'linus', owner].toSorted());
  });

  test('an attached file is imported, and the answer distinguishes new, changed and equal entries', async () => {
    const attach = (bytes: string | Buffer, more: object = {}) =>
      run(
        'import',
        { file: `data:text/yaml;name=followed.yaml;base64,${Buffer.from(bytes).toString('base64')}` },
        { waitMs: 60_000, ...more },
      );
    const before = await ids();
    const yaml = 'eve: { twitch: eve }\nlinus: { twitch: linus }\n';

    const merged = shownIn(await attach(yaml));
    expect(merged).toContain(`${texts.title.followed(1)}\neve`);
    expect(merged).toContain(`${texts.next(`<#${live}>`)} ${texts.pingsNoOne}`);
    expect(merged).toContain(texts.changed('linus'));
    const again = shownIn(await attach(`\uFEFF# mine\n${yaml}`.replaceAll('\n', '\r')));
    expect(again).toContain(texts.title.none);
    expect(again).toContain(texts.unchanged);
    expect(shownIn(await attach('twitch.tv/margaret\n'))).toContain(texts.title.followed(1));
    expect((await ids()).toSorted()).toEqual([...before, 'eve', 'margaret'].toSorted());

    expect((await attach('eve: { twitch: eve, ping: everyone }')).message?.content).toBe(`**eve**: ${texts.everyone}`);
    for (const [fields, refusal] of [
      ['color: lilac', texts.wrongColor],
      ['message: "{gmae}"', texts.unknownPlaceholder('gmae')],
      ['message: [live]', texts.noText('message')],
      ['paused: yes', texts.noFlag('paused')],
    ])
      expect((await attach(`eve: { twitch: eve, ${fields} }`)).message?.content).toBe(`**eve**: ${refusal}`);
    await attach('eve: {}');
    expect(shownIn(await run('list'))).toContain('**eve** · Twitch · ');
    const off = shownIn(await attach('eve: { paused: true }'));
    expect(off).toContain(`${texts.paused}: eve`);
    expect(off).not.toContain(texts.next(`<#${live}>`));
    expect(shownIn(await attach('eve: { paused: false }'))).toContain(texts.next(`<#${live}>`));
    expect((await attach(Buffer.of(0xff, 0xfe, 0x00))).message?.content).toBe(texts.file.noText);
    expect((await attach('x'.repeat(131_073))).message?.content).toBe(texts.file.tooLarge);
    expect((await attach(yaml, { user: member, forged: true })).message?.content).toBe(en.errors.notAllowed);
    await run('remove', { streamer: 'eve margaret' });
  });

  test('a member may not follow, and buttons of another server do nothing here', async () => {
    const before = await entries();
    const removed = await run('remove', { streamer: 'grace' });
    const undo = JSON.stringify(removed.message?.components).match(/follow:undo:[^"]+/u)?.[0] ?? '';
    const other = await servers.invite('Go Club', member);
    const page = await servers.app.interact({ user: member, guild: other.id, channel: 'general', command: 'setup' });

    const denied = await servers.app.interact({ user: member, guild: club.id, channel: 'general', command: 'follow list', forged: true });
    const byMember = await servers.app.interact({ user: member, message: idOf(removed), customId: undo, forged: true });
    const fromElsewhere = await servers.app.interact({ user: member, message: idOf(page), customId: undo, forged: true });

    expect([denied.message?.content, byMember.message?.content]).toEqual([en.errors.notAllowed, en.errors.notAllowed]);
    expect(JSON.stringify(fromElsewhere)).not.toContain(texts.title.undone);
    expect((await ids()).toSorted()).toEqual(['linus', owner].toSorted());
    await act({ message: idOf(removed), click: texts.buttons.undo });
    expect(await entries()).toEqual(before);
  });

  test('without a channel, nothing is added, and the button sets the server up', async () => {
    const other = await servers.invite('Shogi Club', owner);
    const refused = await act({ guild: other.id, channel: 'general', command: 'follow add', options: { streamer: `twitch.tv/${owner}` } });

    expect(shownIn(refused)).toContain(texts.noChannel);
    const form = await act({ guild: other.id, channel: 'general', command: 'follow import' });
    const imported = await act({
      modal: form.id,
      fields: { names: `ada: { twitch: ada, channel: "${other.channels['live']}" }\neve: { twitch: eve }\n` },
    });
    expect(shownIn(imported)).toBe(shownIn(refused));
    await expect
      .poll(async () => (await servers.app.control<InteractionView>(`/discord/interactions/${imported.id}`)).followUps)
      .toMatchObject([
        { content: en.errors.yourText, embeds: [{ description: expect.stringContaining('eve: { twitch: eve }') as string }] },
      ]);
    expect(await entries(other.id)).toEqual([]);
    expect(shownIn(await act({ message: idOf(refused), click: texts.buttons.setUp }))).toContain(en.setup.channel.title);
    const list = await act({ guild: other.id, channel: 'general', command: 'follow list' });
    const instead = await act({ message: idOf(list), customId: 'follow:form' });
    expect([instead.outcome, shownIn(instead)]).toEqual(['message', shownIn(refused)]);

    const channel = other.channels['live'] ?? '';
    const again = await act({ guild: other.id, channel: 'general', command: 'follow import' });
    await act({ modal: again.id, fields: { names: `ada: { twitch: ada, channel: "${channel}" }` } });
    const edit = await act({ guild: other.id, channel: 'general', command: 'follow edit', options: { streamer: 'ada' } });
    const edited = await act({ modal: edit.id, fields: { message: '', after: ['keep'], channel: [] } });
    expect(shownIn(edited)).toContain(texts.noTarget);
    expect(shownIn(await act({ message: idOf(edited), customId: 'follow:announce:ada', forged: true }))).toContain(texts.noTarget);
    await act({ message: idOf(edited), click: texts.buttons.undo });
    expect((await servers.messages(other.id)).filter(({ content }) => content.includes('channel is empty'))).toEqual([]);
  });

  test('a platform that cannot be reached is named', async () => {
    await servers.app.control('/faults', { platform: 'twitch', kind: 'status', status: 503, times: 50 });
    const answered = await run('add', { streamer: 'twitch.tv/margaret' }, { waitMs: 60_000 });
    expect(shownIn(answered)).toContain(texts.unreachable('twitch\\.tv/margaret', 'Twitch'));
  });
});
