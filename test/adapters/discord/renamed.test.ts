import { describe, expect, test } from 'vitest';
import { discord, type DiscordPlatform } from '#adapters/discord/index.ts';
import { Chat } from '#src/clients/chat/chat.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { scriptHttp, type Exchange } from '../../support/script-http.ts';

const GUILD = '1202584131993600001';
const ADA = '1202584131993600042';
const [OLD, NEW] = ['1202584131993600101', '1202584131993600102'];
const MINUTE_MS = 60_000;

type Named = readonly (readonly [id: string, name: string, type?: number])[];

function listed(kind: 'channels' | 'roles', things: Named): Exchange {
  const permissions = '0';
  return [`GET /v10/guilds/${GUILD}/${kind}`, { json: things.map(([id, name, type = 0]) => ({ id, name, type, permissions })) }];
}

const member: Exchange = [`GET /v10/guilds/${GUILD}/members/${ADA}`, { json: { user: { id: ADA, username: 'ada' }, roles: [] } }];
const entry = (role: string): Exchange => [`PUT /v10/guilds/${GUILD}/members/${ADA}/roles/${role}`, { status: 204 }];
const unknown = (line: string, code: number): Exchange => [line, { status: 404, json: { message: 'Unknown', code } }];
const UNKNOWN = { channel: 10_003, message: 10_008, role: 10_011 };

function message(channel: string, id = '500'): object {
  const author = { id: '1', username: 'Fanfare', bot: true };
  const texts = { content: 'hi', author, timestamp: '2026-11-20T18:00:00Z', edited_timestamp: null };
  return { id, channel_id: channel, ...texts, attachments: [], embeds: [], mentions: [] };
}
const sent = (channel: string): Exchange => [`POST /v10/channels/${channel}/messages`, { json: message(channel) }];
const gone = (channel: string): Exchange => unknown(`POST /v10/channels/${channel}/messages`, UNKNOWN.channel);

function open(apiUrl: string): { readonly chat: Chat; readonly clock: ManualClock; readonly platform: DiscordPlatform } {
  const clock = new ManualClock();
  const platform = discord({ token: 'a-token', guildId: GUILD, apiUrl, clock });
  return { chat: new Chat({ platform, clock }), clock, platform };
}

describe('a renamed role', () => {
  const before = listed('roles', [[OLD, 'Live']]);
  const after = listed('roles', [
    [OLD, 'Moderator'],
    [NEW, 'Live'],
  ]);

  test('is not added or pinged after a minute: the new role with the name is', async () => {
    const channels = listed('channels', [['7', 'live']]);
    await using http = await scriptHttp([before, member, entry(OLD), after, member, entry(NEW), channels, sent('7')]);
    const { chat, clock } = open(http.url);
    await chat.addRole(ADA, 'Live');
    await clock.advance(MINUTE_MS);

    await chat.addRole(ADA, 'Live');
    await chat.send('live', { content: 'hi', mention: ['Live'] });

    expect(JSON.parse(http.seen.at(-1)?.body ?? '{}')).toMatchObject({
      content: `<@&${NEW}> hi`,
      allowed_mentions: { roles: [NEW] },
    });
  });

  test("is loaded again after a check of the rules' channels", async () => {
    const channels = listed('channels', [['7', 'live']]);
    const me: Exchange = ['GET /v10/users/@me', { json: { id: ADA, username: 'ada' } }];
    const examined = [channels, channels, me, { together: [member, after] }];
    await using http = await scriptHttp([before, member, entry(OLD), ...examined, after, member, entry(NEW)]);
    const { chat, platform } = open(http.url);
    await chat.addRole(ADA, 'Live');

    expect(await platform.examine({ channel: 'live', needs: [], writes: true })).toBeUndefined();
    expect(await chat.addRole(ADA, 'Live')).toMatchObject({ id: ADA });
  });
});

describe('a handle that a member gave up', () => {
  const found = (user: object): Exchange => [
    `GET /v10/guilds/${GUILD}/members/search?query=ada&limit=1000`,
    { json: [{ user: { id: NEW, username: 'mallory', ...user }, nick: 'global_name' in user ? null : 'ada' }] },
  ];

  test.for([{}, { global_name: 'Ada' }])('is not the name of another member, who gets no role and no message: %o', async (user) => {
    const roles = listed('roles', [[OLD, 'Live']]);
    await using http = await scriptHttp([roles, found(user), found(user)]);
    const { chat } = open(http.url);
    const failure = { fault: 'missing', message: expect.stringContaining('no member with the handle "ada"') };

    await expect(chat.addRole('ada', 'Live')).rejects.toMatchObject(failure);
    await expect(chat.send({ user: 'ada' }, { content: 'hi' })).rejects.toMatchObject(failure);
  });
});

test('a handle is found behind hundreds of members whose names begin like it', async () => {
  const others = Array.from({ length: 300 }, (_, n) => ({ user: { id: `${n + 1}`, username: `ada${n}` } }));
  await using http = await scriptHttp([
    listed('roles', [[OLD, 'Live']]),
    [`GET /v10/guilds/${GUILD}/members/search?query=ada&limit=1000`, { json: [...others, { user: { id: ADA, username: 'ada' } }] }],
    entry(OLD),
  ]);

  expect(await open(http.url).chat.addRole('ada', 'Live')).toMatchObject({ id: ADA });
});

describe('a role that was deleted', () => {
  const refused = unknown(entry(OLD)[0], UNKNOWN.role);

  test('is replaced by a new role with its name', async () => {
    const [before, after] = [listed('roles', [[OLD, 'Live']]), listed('roles', [[NEW, 'Live']])];
    await using http = await scriptHttp([before, member, entry(OLD), member, refused, after, member, entry(NEW)]);
    const { chat } = open(http.url);
    await chat.addRole(ADA, 'Live');

    expect(await chat.addRole(ADA, 'Live')).toMatchObject({ id: ADA });
  });

  test('is the fault missing without a new role', async () => {
    await using http = await scriptHttp([listed('roles', [[OLD, 'Live']]), member, refused, listed('roles', [[NEW, 'Other']])]);

    await expect(open(http.url).chat.addRole(ADA, 'Live')).rejects.toThrow(/The role was deleted/);
  });

  test('has no members: a removal by its id ends without a failure, and a removal by its name or an addition does not', async () => {
    const unlisted = listed('roles', [[NEW, 'Other']]);
    const user: Exchange = [`GET /v10/users/${ADA}`, { json: { id: ADA, username: 'ada' } }];
    await using http = await scriptHttp([unlisted, unlisted, user, unlisted, unlisted]);
    const { chat } = open(http.url);

    expect(await chat.removeRole(ADA, OLD)).toMatchObject({ id: ADA, role: { id: OLD } });
    await expect(chat.removeRole(ADA, 'Live')).rejects.toMatchObject({ fault: 'missing' });
    await expect(chat.addRole(ADA, OLD)).rejects.toMatchObject({ fault: 'missing' });
  });
});

describe('a thread that is archived', () => {
  const DAY = 86_400_000;
  const SENT_MS = Date.UTC(2026, 10, 20);
  const idAt = (ms: number): string => String(BigInt(ms - Date.UTC(2015, 0, 1)) << 22n);

  test.for([
    ['by a person stays archived after an edit', DAY / 2, [{ archived: false }, { archived: true }]],
    ['by Discord after its time without messages stays open, so that later edits need not open it', DAY, [{ archived: false }]],
  ] as const)('%s', async ([, quietMs, changes]) => {
    const thread: `/v10/${string}` = `/v10/channels/${OLD}`;
    const archive_timestamp = new Date(SENT_MS + quietMs).toISOString();
    const place = { id: OLD, last_message_id: idAt(SENT_MS), thread_metadata: { archive_timestamp, auto_archive_duration: 1440 } };
    const read: Exchange = [`GET ${thread}/messages/500`, { json: message(OLD) }];
    await using http = await scriptHttp([
      read,
      [`PATCH ${thread}/messages/500`, { status: 400, json: { message: 'Thread is archived', code: 50_083 } }],
      [`GET ${thread}`, { json: place }],
      [`PATCH ${thread}`, { json: place }],
      read,
      [`PATCH ${thread}/messages/500`, { json: message(OLD) }],
      ...changes.slice(1).map((): Exchange => [`PATCH ${thread}`, { json: place }]),
    ]);

    await open(http.url).chat.edit(`${OLD}/500`, { content: 'changed' });

    const sent = http.seen.filter(({ line }) => line === `PATCH ${thread}`);
    expect(sent.map(({ body }) => JSON.parse(body))).toEqual(changes);
  });
});

describe('a channel that was deleted and created again with its name', () => {
  const before = listed('channels', [[OLD, 'live']]);
  const after = listed('channels', [[NEW, 'live']]);

  test('gets the announcement at once and only once', async () => {
    await using http = await scriptHttp([before, sent(OLD), gone(OLD), after, sent(NEW)]);
    const { chat } = open(http.url);
    await chat.send('live', { content: 'hi' });

    expect((await chat.send('live', { content: 'hi' })).id).toBe(`${NEW}/500`);
  });

  test('gets a question, a thread and a standing message', async () => {
    const newest = (channel: string): Exchange => [`GET /v10/channels/${channel}`, { json: { last_message_id: null } }];
    const thread = { id: '900', name: 'talk', parent_id: NEW };
    const begun: Exchange = [`POST /v10/channels/${NEW}/threads`, { json: thread }];
    await using http = await scriptHttp([
      before,
      gone(OLD),
      after,
      sent(NEW),
      before,
      unknown(`POST /v10/channels/${OLD}/threads`, UNKNOWN.channel),
      after,
      begun,
      before,
      unknown(newest(OLD)[0], UNKNOWN.channel),
      after,
      newest(NEW),
      sent(NEW),
    ]);

    const asked = await open(http.url).chat.ask('live', 'Which?', ['a', 'b']);
    const started = await open(http.url).chat.thread({ channel: 'live' }, 'talk');
    const card = await open(http.url).chat.put('card', 'live', { content: 'hi' });

    expect([asked.id, started.id, card.id]).toEqual([`${NEW}/500`, '900', `${NEW}/500`]);
  });

  test('gets the post if it is a forum', async () => {
    const forum = 15;
    const post = { id: '900', name: 'hi', parent_id: NEW, message: message('900', '900') };
    await using http = await scriptHttp([
      listed('channels', [[OLD, 'live', forum]]),
      unknown(`POST /v10/channels/${OLD}/threads`, UNKNOWN.channel),
      listed('channels', [[NEW, 'live', forum]]),
      [`POST /v10/channels/${NEW}/threads`, { json: post }],
    ]);

    expect((await open(http.url).chat.send('live', { content: 'hi' })).id).toBe('900/900');
  });
});

describe('nothing is sent twice', () => {
  const here = listed('channels', [[OLD, 'live']]);

  test('if the name still has the same channel', async () => {
    await using http = await scriptHttp([here, gone(OLD), here]);

    await expect(open(http.url).chat.send('live', { content: 'hi' })).rejects.toMatchObject({ fault: 'missing' });
  });

  test.for([
    ['another record is unknown', { status: 404, json: { message: 'Unknown Message', code: UNKNOWN.message } }, 'missing'],
    ['the server failed', { status: 502, text: '' }, 'unanswered'],
    ['no answer came', { fail: 'before' }, 'unanswered'],
  ] as const)('if %s', async ([, reply, fault]) => {
    await using http = await scriptHttp([here, [`POST /v10/channels/${OLD}/messages`, reply]]);

    await expect(open(http.url).chat.send('live', { content: 'hi' })).rejects.toMatchObject({ fault });
  });

  test('if the new thread was deleted', async () => {
    const begun: Exchange = [`POST /v10/channels/${OLD}/threads`, { json: { id: '900', name: 'talk', parent_id: OLD } }];
    await using http = await scriptHttp([here, begun, gone('900')]);

    await expect(open(http.url).chat.thread({ channel: 'live' }, 'talk', { content: 'hi' })).rejects.toMatchObject({ fault: 'missing' });
  });
});

test('a renamed thread gets nothing after a minute: the new thread with the name does', async () => {
  const channels = listed('channels', [['7', 'live']]);
  const threads = (...[id, name]: readonly [string, string]): readonly Exchange[] => [
    [`GET /v10/guilds/${GUILD}/threads/active`, { json: { threads: [{ id, name, parent_id: '7' }] } }],
    ['GET /v10/channels/7/threads/archived/public?limit=100', { json: { threads: [] } }],
  ];
  await using http = await scriptHttp([channels, ...threads(OLD, 'talk'), sent(OLD), channels, ...threads(NEW, 'talk'), sent(NEW)]);
  const { chat, clock } = open(http.url);
  await chat.send('live', { thread: 'talk', content: 'hi' });
  await clock.advance(MINUTE_MS);

  expect((await chat.send('live', { thread: 'talk', content: 'hi' })).id).toBe(`${NEW}/500`);
});
