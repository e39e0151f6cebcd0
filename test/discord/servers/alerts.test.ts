import { HTTPError } from 'discord.js';
import { expect, test, vi } from 'vitest';
import type { AccountView, LateWebhook, ShownDelivery } from '#src/admin/queries/records.ts';
import type { AuditEntry } from '#src/admin/actions/audit-log.ts';
import { DEFAULT_DISCORD_SETTINGS } from '#src/config/discord-settings.ts';
import type { Caller } from '#src/discord/caller.ts';
import { howToFix, retryCause } from '#src/discord/servers/alert-buttons.ts';
import { alertsMemory, preferredLocales, updateAlerts, type AlertsOptions } from '#src/discord/servers/alerts.ts';
import { de } from '#src/discord/language/de/index.ts';
import { en } from '#src/discord/language/en/index.ts';
import { isOfServer } from '#src/engine/delivery/server-deliveries.ts';
import { silentLog } from '#src/log.ts';
import { openStore } from '#src/store/store.ts';
import { startDiscordSandbox } from '../../support/discord-sandbox.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { textsIn } from './fixture.ts';

const NOW = Date.UTC(2026, 10, 22, 18);
const CAUSE = 'Fanfare does not have the permission Send Messages in #live.';

function failed(id: string, server: string): ShownDelivery {
  return {
    id,
    firing: 'f',
    rule: 'followed',
    episode: 'e',
    queue: 'q',
    section: 'then',
    occasion: 'o',
    step: '0',
    position: { id: 'card', section: 'then', number: 1 },
    do: 'discord.send',
    account: 'discord',
    item: { key: `followed/${server}/${id}`, name: id },
    creates: true,
    evenIfUnchanged: false,
    state: 'failed',
    attempts: 1,
    createdAt: new Date(NOW),
    dueAt: new Date(NOW),
    params: {},
    message: CAUSE,
  };
}

function changedList(id: string, origin: string): AuditEntry {
  return {
    id,
    at: new Date(NOW),
    action: 'addListEntries',
    by: { name: 'ada', via: 'discord', origin },
    target: 'followed',
    outcome: 'done',
  };
}

function operatorIn(server: string): Caller {
  return {
    id: 'ada',
    name: 'ada',
    server: { account: 'discord', id: server, zone: 'UTC' },
    scope: { server, accounts: ['discord'] },
    texts: en,
    publicTexts: en,
    locale: 'en-US',
    publicLocale: 'en-US',
    zone: 'UTC',
    may: () => true,
    roleIds: [],
    hasPermission: () => true,
    hasRole: () => true,
    signal: new AbortController().signal,
  };
}

async function openAlerts(preferredLocale = 'en-US') {
  const discord = await startDiscordSandbox();
  const clock = new ManualClock(NOW);
  const store = await openStore({ clock });
  const created = await discord.order<{ guild: { id: string }; channels: { id: string; name: string }[] }>('/discord/servers', {
    name: 'Chess Club',
    preferredLocale,
  });
  const server = created.guild.id;
  const channel = created.channels.find(({ name }) => name === 'stream-alerts')?.id ?? '';
  await store.servers.join({ id: server, name: 'Chess Club', joinedAt: new Date(NOW) });
  await store.servers.change(server, { problemsChannel: channel });
  const found: {
    paused: string[];
    failed: ShownDelivery[];
    unknown: ShownDelivery[];
    actions: AuditEntry[];
    accounts: AccountView[];
    lateWebhooks: LateWebhook[];
  } = {
    paused: [],
    failed: [],
    unknown: [],
    actions: [],
    accounts: [],
    lateWebhooks: [],
  };
  const options: AlertsOptions = {
    controls: {
      deliveries({ state, scope, limit }) {
        const all = state === 'failed' || state === 'unknown' ? found[state] : [];
        const items = all.filter((one) => !scope || isOfServer(one, scope));
        return Promise.resolve({ items: items.slice(0, limit), more: items.length > limit });
      },
      rules: () => Promise.resolve(found.paused.map((id) => ({ id, on: true, paused: {} }) as never)), // only these fields are read
      status: () => Promise.resolve({ accounts: found.accounts, lateWebhooks: found.lateWebhooks } as never), // only these fields are read
    },
    auditLog: {
      list({ limit = 0, origin } = {}) {
        const items = found.actions.filter(({ by }) => origin === undefined || by.origin === origin);
        return Promise.resolve({ items: items.slice(0, limit), cursor: items.length > limit ? 'more' : undefined });
      },
    },
    stored: store.servers,
    notices: store.notices,
    servers: [{ account: 'discord', id: discord.guildId, zone: 'UTC' }],
    settings: { ...DEFAULT_DISCORD_SETTINGS, servers: 'any' },
    clock,
    log: silentLog,
    signal: new AbortController().signal,
  };
  return {
    discord,
    store,
    clock,
    server,
    channel,
    found,
    options,
    update: (isAlone?: boolean) => updateAlerts(discord.rest(), { ...options, isAlone: async () => isAlone ?? true }),
    /** Chooses another channel for alerts. */
    move: async (name: string) => {
      const id = created.channels.find((one) => one.name === name)?.id ?? '';
      await store.servers.change(server, { problemsChannel: id });
      return id;
    },
    shown: async (at = channel) =>
      (await discord.messages(at))
        .filter(({ deletedAt }) => deletedAt === undefined)
        .map(({ id, components, pinged, history }) => ({ id, text: textsIn(components).join('\n'), pinged, edits: history.length })),
    async [Symbol.asyncDispose]() {
      await store[Symbol.asyncDispose]();
      await discord[Symbol.asyncDispose]();
    },
  };
}

test('a cause has one message, which is edited with its count, never pings, and is closed when it is solved', async () => {
  await using alerts = await openAlerts();
  const { found, server, update, shown } = alerts;
  found.failed = [failed('ada', server), failed('linus', 'another server')];
  await update();
  await update();

  const [first, ...others] = await shown();
  expect(others).toEqual([]);
  expect(first?.text).toContain(CAUSE.slice(0, 30));
  expect(first?.text).toContain('ada');
  expect(first?.text).not.toContain('linus');
  expect(first?.text).toContain(`[${en.alerts.buttons.retry}]`);

  found.failed = ['ada', 'grace', '@everyone'].map((id) => failed(id, server));
  await update();
  const [edited] = await shown();
  expect(edited).toMatchObject({ id: first?.id, edits: 1, pinged: { everyone: false, roles: [], users: [] } });
  expect(edited?.text).toContain('3');

  found.failed = [];
  await update();
  expect((await shown()).map(({ id, text }) => [id, text])).toEqual([[first?.id, en.alerts.solved]]);
});

test('an outage of one server in Discord does not keep the alerts of the others from being updated', async () => {
  await using alerts = await openAlerts();
  const { clock, discord, found, options, store, server, channel, shown } = alerts;
  const general = discord.channelIds.get('general') ?? '';
  await store.servers.join({ id: discord.guildId, name: 'Home', joinedAt: new Date(NOW) });
  await store.servers.change(discord.guildId, { problemsChannel: general });
  found.failed = [failed('ada', server)];
  // The first one in the order of ids.
  const [broken, other] = discord.guildId < server ? [general, channel] : [channel, general];
  const { rest, sends } = unansweredIn(discord, [broken], async () => {
    // The request is repeated until the other server has its alert.
    await expect.poll(async () => (await shown(other)).length).toBe(1);
  });
  const memory = alertsMemory(rest, options);

  await updateAlerts(rest, options, memory);
  await updateAlerts(rest, options, memory);
  expect([sends(), (await shown(broken)).length]).toEqual([1, 0]);
  await clock.advance(120_000);
  await updateAlerts(rest, options, memory);
  expect(sends()).toBe(2);
});

test('three servers that Discord does not answer for end a round, and the next rounds begin with the others', async () => {
  await using alerts = await openAlerts();
  const { clock, discord, found, options, store, server, channel, shown } = alerts;
  // More than those that a round has begun with when it ends.
  const broken = ['1', '2', '3', '4', '5', '6', '7'];
  for (const id of broken) {
    await store.servers.join({ id, name: id, joinedAt: new Date(NOW) });
    await store.servers.change(id, { problemsChannel: `${id}00`, locale: 'en-US' });
  }
  found.failed = [...broken, server].map((id) => failed(`ada-${id}`, id));
  const { rest } = unansweredIn(
    discord,
    broken.map((id) => `${id}00`),
  );
  const stored = { list: async () => (await store.servers.list()).toSorted((a, b) => a.id.length - b.id.length) };
  const memory = alertsMemory(rest, options);

  await expect(updateAlerts(rest, { ...options, stored }, memory)).rejects.toThrow('Service Unavailable');
  expect(await shown(channel)).toEqual([]);
  await updateAlerts(rest, { ...options, stored }, memory);
  expect(await shown(channel)).toHaveLength(1);

  found.failed = broken.map((id) => failed(`ada-${id}`, id));
  await clock.advance(120_000);
  await expect(updateAlerts(rest, { ...options, stored }, memory)).rejects.toThrow('Service Unavailable');
  expect((await shown(channel)).map(({ text }) => text)).toEqual([en.alerts.solved]);
});

/** A client for which Discord does not answer in some channels. */
function unansweredIn(discord: Awaited<ReturnType<typeof startDiscordSandbox>>, channels: readonly string[], wait = async () => {}) {
  const rest = discord.rest();
  const send = rest.post.bind(rest);
  let sends = 0;
  vi.spyOn(rest, 'post').mockImplementation(async (route, request) => {
    if (!channels.some((id) => route.includes(`/${id}/`))) return await send(route, request);
    sends++;
    await wait();
    throw new HTTPError(503, 'Service Unavailable', 'POST', route, {});
  });
  return { rest, sends: () => sends };
}

test('an unknown outcome has no button that sends it again, but the command with which a person resolves it', async () => {
  await using alerts = await openAlerts();
  const { found, server, update, shown } = alerts;
  found.unknown = [{ ...failed('ada', server), state: 'unknown' }];

  await update();

  const [alert, ...others] = await shown();
  expect(others).toEqual([]);
  expect(alert?.text).toContain(en.alerts.unknown);
  expect(alert?.text).not.toContain(en.alerts.buttons.retry);
});

test('a process that ended after it sent an alert does not send it twice, and neither do several at once', async () => {
  await using alerts = await openAlerts();
  const { store, clock, found, server, channel, update, shown } = alerts;
  found.failed = [failed('ada', server)];
  await Promise.all([update(), update(), update()]);
  const [sent, ...others] = await shown();
  expect(others).toEqual([]);

  // The process ended between the message and the note of its id.
  const [notice] = await store.notices.list(server);
  if (!notice) throw new Error('there is no notice');
  await store.notices.remove(notice);
  await store.notices.begin({ server, key: notice.key, channel });
  await clock.advance(60_000);
  await update();

  expect((await shown()).map(({ id }) => id)).toEqual([sent?.id]);
  expect((await store.notices.list(server)).map(({ message }) => message)).toEqual([sent?.id]);
});

test('a deleted alert comes back only with something new, and a deleted channel stops them', async () => {
  await using alerts = await openAlerts();
  const { discord, found, server, channel, update, shown } = alerts;
  found.failed = [failed('ada', server)];
  await update();
  const [first] = await shown();
  await discord.order('/discord/removals', { message: first?.id });
  await update();
  expect(await shown()).toEqual([]);

  found.failed.push(failed('grace', server));
  await update();
  expect(await shown()).toHaveLength(1);

  await discord.order('/discord/removals', { guild: server, channel });
  found.failed.push(failed('eve', server));
  await expect(update()).resolves.toBeUndefined();
});

test('a solved alert that the bot may not edit is forgotten, and keeps no other from being closed', async () => {
  await using alerts = await openAlerts();
  const { discord, store, found, server, channel, move, update, shown } = alerts;
  found.failed = [failed('ada', server)];
  await update();
  const live = await move('live');
  await discord.order('/discord/permissions', { guild: server, channel, deny: ['ViewChannel'] });
  found.failed = [{ ...failed('grace', server), message: 'The channel was deleted.' }];
  await update();
  found.failed = [];
  await update();

  expect((await shown(live)).map(({ text }) => text)).toEqual([en.alerts.solved]);
  expect(await store.notices.list(server)).toEqual([]);
});

test('the alert of a lasting problem in the former channel points to the new channel', async () => {
  await using alerts = await openAlerts();
  const { found, server, move, update, shown } = alerts;
  found.failed = [failed('ada', server)];
  found.actions = [changedList('1', server)];
  await update();

  const live = await move('live');
  await update();

  const [problem, changes] = (await shown()).map(({ text }) => text);
  expect(problem).toBe(en.alerts.moved(`<#${live}>`));
  expect(changes).toContain(en.actions.addListEntries);
  expect((await shown(live)).map(({ text }) => text)).toEqual([expect.stringContaining('ada'), changes]);
});

test('an alert ends when its server turns alerts off, and a lasting problem has a new one when they are on again', async () => {
  await using alerts = await openAlerts();
  const { found, server, channel, store, clock, update, shown } = alerts;
  found.failed = [failed('ada', server)];
  found.actions = [changedList('a', server)];
  await update();
  const before = await shown();

  await store.servers.change(server, { problemsChannel: '' });
  await update();
  await update();

  const [alert, changes] = [en.alerts.ended(`\`/${en.setup.command.name}\``), en.alerts.changes('November 22, 2026')];
  expect((await shown()).map(({ id, text }) => [id, text.split('\n')[0]])).toEqual([
    [before[0]?.id, alert],
    [before[1]?.id, changes],
  ]);
  expect(await store.notices.list(server)).toEqual([]);

  await clock.advance(20_000);
  await store.servers.change(server, { problemsChannel: channel });
  await update();
  expect((await shown()).filter(({ text }) => text.includes(CAUSE.slice(0, 30)))).toHaveLength(1);
});

test('a card that a person deleted needs no one, and a card that could not be edited for another reason does', async () => {
  await using alerts = await openAlerts();
  const { found, server, update, shown } = alerts;
  const edit = (id: string, fault: 'missing' | 'rejected'): ShownDelivery => {
    const params = { message: '1202584131993600011/1202584131993600099' };
    return { ...failed(id, server), do: 'discord.edit', creates: false, params, error: { fault, message: fault } };
  };
  found.failed = [edit('ada', 'missing')];
  await update();
  expect(await shown()).toEqual([]);
  found.failed = [edit('ada', 'missing'), edit('grace', 'rejected')];
  await update();

  expect((await shown()).map(({ text }) => text)).toEqual([expect.stringContaining('grace')]);
});

test.for([
  ['a thread', 'discord.editThread', { thread: '1202584131993600099', archived: true }, 0],
  ['a thread by its address', 'discord.editThread', { thread: 'https://discord.com/channels/1/1202584131993600099', archived: true }, 0],
  ['a thread that never existed', 'discord.editThread', { thread: 'talk', archived: true }, 1],
  ['an event', 'discord.editEvent', { event: '1202584131993600099', name: 'Chess' }, 0],
] as const)('the end of %s that a person deleted needs no one, if it had an id', async ([, verb, params, count]) => {
  await using alerts = await openAlerts();
  const { found, server, update, shown } = alerts;
  const error = { fault: 'missing', message: 'missing' } as const;
  found.failed = [{ ...failed('ada', server), do: verb, creates: false, params, error }];

  await update();

  expect(await shown()).toHaveLength(count);
});

test('the button of an alert sends again what the alert shows, and no older announcements that failed for the same cause', async () => {
  await using alerts = await openAlerts();
  const { discord, found, server, channel, clock, update, shown } = alerts;
  const older = { ...failed('grace', server), createdAt: new Date(NOW - 25 * 60 * 60_000) };
  const deleted = {
    ...failed('linus', server),
    creates: false,
    params: { message: '1' },
    error: { fault: 'missing', message: CAUSE },
  } as const;
  const over = { ...failed('margaret', server), isOver: true };
  found.failed = [failed('ada', server), deleted, older, over];
  await update();
  const [alert] = await shown();
  const [message] = await discord.messages(channel);
  const [, cause = ''] = /deliveries:retry:([^"]+)/u.exec(JSON.stringify(message?.components)) ?? [];
  const sent: string[] = [];

  const { content } = await retryCause(cause, operatorIn(server), {
    controls: {
      deliveries: () => Promise.resolve({ items: found.failed, more: false }),
      resendDelivery({ delivery }) {
        sent.push(delivery);
        return Promise.resolve({ resent: failed(delivery, server) });
      },
    },
    clock,
  });

  expect(alert?.text).not.toContain('grace');
  expect(sent).toEqual(['ada']);
  expect(content.split('\n')).toEqual([en.alerts.retried(1), en.alerts.streamsOver(1)]);
});

test.each([
  ['channel', { error: { fault: 'forbidden', message: CAUSE } }],
  ['gone', { error: { fault: 'missing', message: CAUSE } }],
  ['streamer', { error: { fault: 'missing', message: CAUSE }, do: 'discord.addRole' }],
  ['streamer', { error: { fault: 'expression', message: CAUSE } }],
  ['content', { error: { fault: 'expression', message: CAUSE }, rule: 'live-card' }],
  ['wait', { error: { fault: 'unavailable', message: CAUSE } }],
  ['account', { error: { fault: 'unauthorized', message: CAUSE } }],
  ['account', { error: { fault: 'forbidden', message: CAUSE }, do: 'social.createPost', account: 'mastodon' }],
] as const)('“How to fix” names the %s for %o', async (remedy, fields) => {
  await using alerts = await openAlerts();
  const { found, server, update, discord, channel, clock } = alerts;
  found.failed = [{ ...failed('ada', server), ...fields }];
  await update();
  const [message] = await discord.messages(channel);
  const [, cause = ''] = /deliveries:fix:([^"]+)/u.exec(JSON.stringify(message?.components)) ?? [];
  const controls = { deliveries: () => Promise.resolve({ items: found.failed, more: false }) };
  const fix = (one: string) => howToFix(one, operatorIn(server), { controls, clock });

  expect((await fix(cause)).content).toBe(en.alerts.fix[remedy]('`/setup`'));
  expect((await fix('solved')).content).toBe(en.alerts.nothing);
});

test('an announcement that failed after attempts of more than a day has an alert', async () => {
  await using alerts = await openAlerts();
  const { found, server, update, shown } = alerts;
  found.failed = [{ ...failed('ada', server), createdAt: new Date(NOW - 25 * 60 * 60_000), settledAt: new Date(NOW) }];

  await update();

  expect((await shown()).map(({ text }) => text)).toEqual([expect.stringContaining('ada')]);
});

test('a problem that returns soon after it was solved has a new alert', async () => {
  await using alerts = await openAlerts();
  const { found, server, clock, update, shown } = alerts;
  const problem = [failed('ada', server)];
  for (const present of [problem, [], problem]) {
    found.failed = present;
    await update();
    await clock.advance(20_000);
  }

  expect((await shown()).map(({ text }) => text)).toEqual([en.alerts.solved, expect.stringContaining(CAUSE.slice(0, 30))]);
});

test('many problems and changes in other servers hide none of the own server', async () => {
  await using alerts = await openAlerts();
  const { found, server, update, shown } = alerts;
  const many = Array.from({ length: 250 }, (_, index) => `${index}`);
  found.failed = [...many.map((id) => failed(id, 'another server')), failed('ada', server)];
  found.actions = [...many.map((id) => changedList(id, 'another server')), changedList('own', server)];
  await update();

  const texts = (await shown()).map(({ text }) => text);
  expect(texts).toEqual([expect.stringContaining('ada'), expect.stringContaining('ada:')]);
});

test('an alert stays open while there are more failures than Fanfare reads', async () => {
  await using alerts = await openAlerts();
  const { found, server, update, shown } = alerts;
  const other = (id: string) => ({ ...failed(id, server), message: 'The channel was deleted.' });
  found.failed = [failed('ada', server)];
  await update();
  found.failed = [...Array.from({ length: 250 }, (_, index) => other(`${index}`)), failed('ada', server)];
  await update();

  const [first, second] = await shown();
  expect(first?.text).toContain('ada');
  expect(second?.text).toContain('200');
  found.failed = [other('1')];
  await update();
  expect((await shown())[0]?.text).toBe(en.alerts.solved);
});

test('who changed what is one message a day', async () => {
  await using alerts = await openAlerts();
  const { found, server, update, shown } = alerts;
  found.actions = [changedList('1', server), changedList('2', 'another server')];
  await update();
  found.actions = [changedList('3', server), ...found.actions];
  await update();

  const [message, ...others] = await shown();
  expect(others).toEqual([]);
  expect(message?.text.match(/ada/gu)).toHaveLength(2);
});

test.for([
  [
    'configureServer',
    'SERVER',
    { before: { channel: null, ping: '1' }, after: { channel: '2', ping: '1' } },
    'Chess Club: channel for announcements',
  ],
  [
    'configureServer',
    'SERVER',
    { before: { zone: null, liveRole: '1' }, after: { zone: 'Europe/Berlin', liveRole: null } },
    'Chess Club: time zone, live role',
  ],
  ['addListEntries', 'followed', { after: { change: 'c', list: 'followed', entries: 2, ids: ['ada', 'grace'] } }, 'followed: ada, grace'],
  ['undoListChange', 'c', { after: { change: 'd', list: 'followed', entries: 1, ids: ['ada'] } }, 'followed: ada'],
  ['resendDelivery', 'd1', { after: { state: 'pending', rule: 'hello-ada', item: 'ada' } }, 'hello-ada: ada'],
  ['announceItem', 'followed', { after: { item: 'followed/1202584131993600001/ada', announcement: 'announced' } }, 'followed: ada'],
  ['setValue', 'hello-ada', { before: { goal: 1 }, after: { goal: 2 } }, 'hello-ada: goal'],
  ['editPost', 'p1', { before: { edits: 0 }, after: { edits: 1, accounts: ['x', 'club'] } }, 'x, club'],
  ['revokeToken', 't1', { before: { name: 'ci', scope: 'read' }, after: { revoked: true } }, 'ci'],
] as const)('the change %s of %s names what people know it by', async ([action, target, values, expected]) => {
  await using alerts = await openAlerts();
  const { found, server, update, shown } = alerts;
  found.actions = [{ ...changedList('1', server), action, target: target === 'SERVER' ? server : target, ...values }];
  await update();

  const [changes] = (await shown()).map(({ text }) => text);
  expect(changes?.replaceAll('\\', '')).toContain(`${en.actions[action]} (${expected})`);
});

test('alerts are in the language of the server, and in another one if it was chosen', async () => {
  await using alerts = await openAlerts('de');
  const { store, found, server, update, shown } = alerts;
  found.failed = [failed('ada', server)];
  found.actions = [changedList('1', server)];
  await update();

  const [failure, changes] = (await shown()).map(({ text }) => text);
  expect(failure).toContain(de.alerts.oneUndelivered('').split('\n')[0]);
  expect(changes).toContain('Änderungen am 22. November 2026');
  expect(changes).toContain(`${de.actions.addListEntries} (followed)`);

  await store.servers.change(server, { language: 'en' });
  await update();
  expect((await shown())[0]?.text).toContain(en.alerts.oneUndelivered('').split('\n')[0]);
});

test.for([
  ['the connection of this process', undefined, false, false],
  ['the connection of the only process', undefined, true, true],
  ['a request, which all processes know', 'unauthorized', false, true],
] as const)('a failure of %s is an alert only if no other process would close it', async ([, fault, isAlone, isShown]) => {
  await using alerts = await openAlerts();
  const { discord, store, channel, found, update, shown } = alerts;
  await store.servers.join({ id: discord.guildId, name: 'Home', joinedAt: new Date(NOW) });
  await store.servers.change(discord.guildId, { problemsChannel: channel });
  const problem = 'Discord does not accept the token.';
  found.accounts = [
    { name: 'discord', platform: 'discord', role: 'chat', sandbox: false, state: 'failed', problem, ...(fault && { fault }) },
  ];

  await update(isAlone);

  expect((await shown()).map(({ text }) => text.includes('discord'))).toEqual(isShown ? [true] : []);
});

test('a webhook whose receiver accepts no events is an alert in the home server only', async () => {
  await using alerts = await openAlerts();
  const { discord, store, found, update, shown } = alerts;
  const general = discord.channelIds.get('general') ?? '';
  await store.servers.join({ id: discord.guildId, name: 'Home', joinedAt: new Date(NOW) });
  await store.servers.change(discord.guildId, { problemsChannel: general });
  const since = new Date(NOW);
  found.lateWebhooks = [
    { webhook: 'pager', since, isGone: false },
    { webhook: 'old', since, isGone: true },
  ];

  await update();

  expect(await shown()).toEqual([]);
  expect((await shown(general)).map(({ text }) => text)).toEqual([
    en.alerts.webhook('pager', `<t:${NOW / 1000}:R>`),
    en.alerts.webhookGone('old'),
  ]);
});

test('a paused rule is resumed in the home server, and other servers learn that its operator can', async () => {
  await using alerts = await openAlerts();
  const { discord, store, found, update, shown } = alerts;
  const general = discord.channelIds.get('general') ?? '';
  await store.servers.join({ id: discord.guildId, name: 'Home', joinedAt: new Date(NOW) });
  await store.servers.change(discord.guildId, { problemsChannel: general });
  found.paused = ['followed', 'live'];

  await update();

  const textsOf = async (channel?: string) => (await shown(channel)).map(({ text }) => text);
  expect(await textsOf()).toEqual([en.following.noRule]);
  expect(await textsOf(general)).toEqual([en.alerts.paused('followed'), en.alerts.paused('live')]);
});

test('processes that read the language of a server before and after it changed show its alerts alike', async () => {
  await using alerts = await openAlerts();
  const { clock, discord, store, found, server, options, shown } = alerts;
  const [before, after] = [preferredLocales(discord.rest(), { clock }), preferredLocales(discord.rest(), { clock })];
  found.failed = [failed('ada', server)];
  await store.servers.change(server, { locale: 'en-US' });
  await updateAlerts(discord.rest(), options, { localeOf: before, retriedAtMs: new Map() });

  await discord.order('/discord/guild', { guild: server, preferredLocale: 'de' });
  await store.servers.change(server, { locale: 'de' });
  for (const localeOf of [after, before, after, before]) await updateAlerts(discord.rest(), options, { localeOf, retriedAtMs: new Map() });

  const [alert] = await shown();
  expect(alert?.text).toContain(de.alerts.oneUndelivered('').split('\n')[0]);
  expect(alert?.edits).toBe(1);
});
