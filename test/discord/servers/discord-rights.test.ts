import {
  ComponentType,
  type Interaction,
  type MessageComponentInteraction,
  OverwriteType,
  PermissionFlagsBits,
  PermissionsBitField,
} from 'discord.js';
import { expect, test } from 'vitest';
import type { ListChange } from '#src/admin/actions/list-store.ts';
import type { ServerSettings } from '#src/admin/servers/server-store.ts';
import type { JsonObject } from '#src/clients/operation/json.ts';
import { systemClock } from '#src/clock.ts';
import { DEFAULT_DISCORD_SETTINGS } from '#src/config/discord-settings.ts';
import { callerOf } from '#src/discord/caller.ts';
import { pingsCommand } from '#src/discord/commands/pings.ts';
import { setupCommand } from '#src/discord/commands/setup.ts';
import { assertOwn } from '#src/discord/following/own-fields.ts';
import { undoFollowed } from '#src/discord/following/change-followed.ts';
import { en } from '#src/discord/language/en/index.ts';

const { ManageRoles, MentionEveryone, Administrator, ViewChannel, SendMessages, ManageChannels, ManageWebhooks } = PermissionFlagsBits;
const [SERVER, OWNER, MEMBER, BOT] = ['1202584131993600001', '42', '43', '44'];
/** The role of the member. */
const HELPER = '1202584131993600002';
const [LOWER, HIGHER] = ['1202584131993600003', '1202584131993600004'];
const CHANNEL = '1202584131993600010';
const BOT_ROLE = '1202584131993600005';
/** In the position of the role of the member. */
const PEER = '1202584131993600006';

interface Overwrite {
  readonly id: string;
  readonly allow?: bigint;
  readonly deny?: bigint;
}

interface Member {
  readonly id?: string;
  /** The permissions of the role of the member. */
  readonly permissions?: bigint;
  /** The permissions that the member has only in the channel of the command. */
  readonly inChannel?: bigint;
  readonly mentionable?: boolean;
  /** The overwrites of the channel. */
  readonly overwrites?: readonly Overwrite[];
  /** The roles that the server offers. */
  readonly pings?: readonly string[];
  /** The stored roles that may follow streamers. */
  readonly mayFollow?: readonly string[];
  /** What announcements ping. */
  readonly ping?: string;
}

function toOverwrite({ id, allow = 0n, deny = 0n }: Overwrite): object {
  return { id, type: id === MEMBER ? OverwriteType.Member : OverwriteType.Role, allow: String(allow), deny: String(deny) };
}

function changeOf(before: JsonObject, after: JsonObject | null, made: Partial<ListChange>): ListChange {
  const by = { name: 'owner', via: 'discord', id: OWNER } as const;
  return { id: '1', list: 'followed', server: SERVER, at: new Date(), by, before: { ada: before }, after: { ada: after }, ...made };
}

/** The changes that a member with the permission to set up can store, in a server whose bot is an administrator. */
function serverWith({
  id = MEMBER,
  permissions = 0n,
  inChannel = 0n,
  mentionable = false,
  overwrites = [],
  pings,
  ping,
  mayFollow = [HELPER],
}: Member = {}) {
  let stored: ServerSettings = {
    id: SERVER,
    name: 'Chess Club',
    roles: { setup: [HELPER], follow: mayFollow, operate: [HELPER] },
    joinedAt: new Date(0),
    pings,
    ...(ping !== undefined && { ping }),
  };
  const role = (roleId: string, position: number, bits = 0n) => ({
    id: roleId,
    name: roleId,
    position,
    permissions: String(bits),
    managed: roleId === BOT_ROLE,
    mentionable,
  });
  const roles = [
    role(SERVER, 0, ViewChannel | SendMessages),
    role(LOWER, 1),
    role(HELPER, 2, permissions),
    role(PEER, 2),
    role(HIGHER, 3),
    role(BOT_ROLE, 4, Administrator),
  ];
  const guild = { id: SERVER, name: 'Chess Club', owner_id: OWNER, roles };
  const answers: Readonly<Record<string, unknown>> = {
    [`/guilds/${SERVER}`]: guild,
    [`/guilds/${SERVER}/members/${BOT}`]: { roles: [BOT_ROLE] },
    [`/guilds/${SERVER}/channels`]: [{ id: CHANNEL, permission_overwrites: overwrites.map(toOverwrite) }],
  };
  const rest = { get: async (route: string) => answers[route] };
  const menu = { type: ComponentType.RoleSelect, data: { default_values: (pings ?? []).map((one) => ({ id: one })) } };
  const interaction = (values: readonly string[]) =>
    ({
      guildId: SERVER,
      locale: 'en-US',
      user: { id, username: 'member' },
      member: { roles: [HELPER] },
      // Discord adds what the overwrites of the channel allow.
      memberPermissions: new PermissionsBitField(permissions | inChannel),
      client: { rest, user: { id: BOT }, application: { id: BOT } },
      isAnySelectMenu: () => values.length > 0,
      values,
      message: { flags: { has: () => true }, resolveComponent: () => menu },
      update: async () => undefined,
      deferUpdate: async () => undefined,
      editReply: async () => undefined,
    }) as unknown as MessageComponentInteraction; // the handlers read nothing else
  const servers = [{ account: 'discord', id: SERVER, zone: 'UTC' }];
  // A click is an interaction of one of the kinds that discord.js distinguishes.
  const caller = () =>
    callerOf(interaction([]) as Interaction, { servers, settings: DEFAULT_DISCORD_SETTINGS, stored, signal: new AbortController().signal });
  const storedServers = { find: async () => stored };
  const controls = {
    async configureServer({ server: _server, ...change }: Partial<ServerSettings> & { readonly server: string }) {
      stored = { ...stored, ...change, roles: { ...stored.roles, ...change.roles } };
      return stored;
    },
  };
  const commands = {
    setup: setupCommand({ controls, storedServers, canFollow: true, clock: systemClock } as never), // they read nothing else
    pings: pingsCommand({ controls, storedServers, clock: systemClock } as never), // as above
  };
  return {
    stored: () => stored,
    click: (command: keyof typeof commands, action: string, parts: readonly string[], values: readonly string[] = []) =>
      commands[command].components?.[action]?.(interaction(values), parts, caller()),
    follow: (fields: object) => assertOwn(fields, interaction([]), caller()),
    /** Takes back a change of the fields of an entry. */
    undo: (before: JsonObject, after: JsonObject | null, made: Partial<ListChange> = {}) =>
      undoFollowed('1', interaction([]), caller(), {
        clock: systemClock,
        lists: { findChange: async () => changeOf(before, after, made) },
        controls: { undoListChange: async () => ({ change: undefined, list: 'followed', entries: [] }) },
      } as never), // as above
  };
}

const { needsMentionEveryone, needsManageRoles, rolesAbove } = en.setup;

test.for([{}, { inChannel: MentionEveryone }])(
  'a member without Mention Everyone in the server makes the bot ping neither everyone nor a role: %o',
  async (member) => {
    const server = serverWith(member);

    await expect(server.click('setup', 'everyone', ['yes'])).rejects.toThrow(needsMentionEveryone);
    await expect(server.click('setup', 'everyone', [])).rejects.toThrow(needsMentionEveryone);
    await expect(server.click('setup', 'ping', [], [SERVER])).rejects.toThrow(needsMentionEveryone);
    await expect(server.click('setup', 'ping', [], [HIGHER])).rejects.toThrow(needsMentionEveryone);
    await expect(server.follow({ ping: HIGHER })).rejects.toThrow(needsMentionEveryone);
    expect(server.stored()).not.toHaveProperty('ping');

    const pinging = serverWith({ ...member, ping: 'everyone' });
    await pinging.click('setup', 'everyone', ['no']);
    expect(pinging.stored()).toMatchObject({ ping: '' });
  },
);

test('a member may choose a role that everyone may mention, but not everyone', async () => {
  const server = serverWith({ mentionable: true });
  for (const ping of ['everyone', 'here', SERVER]) await expect(server.follow({ ping })).rejects.toThrow(en.following.everyone);

  await server.click('setup', 'ping', [], [HIGHER]);
  await server.follow({ ping: HIGHER });
  await expect(server.click('setup', 'everyone', ['yes'])).rejects.toThrow(needsMentionEveryone);

  expect(server.stored()).toMatchObject({ ping: HIGHER });
});

test.for([{ permissions: MentionEveryone }, { permissions: Administrator }, { id: OWNER }])(
  'others may choose any role, and everyone: %o',
  async (member) => {
    const server = serverWith(member);

    await server.click('setup', 'ping', [], [HIGHER]);
    await server.follow({ ping: HIGHER });
    expect(server.stored()).toMatchObject({ ping: HIGHER });
    await server.click('setup', 'everyone', ['yes']);

    expect(server.stored()).toMatchObject({ ping: 'everyone' });
  },
);

test('a member offers and chooses only roles below their own highest role', async () => {
  const server = serverWith({ permissions: ManageRoles });

  for (const role of [PEER, HIGHER]) {
    await expect(server.click('pings', 'offer', [], [LOWER, role])).rejects.toThrow(rolesAbove);
    await expect(server.click('setup', 'live', [], [role])).rejects.toThrow(rolesAbove);
  }
  expect(server.stored()).toMatchObject({ pings: undefined });
  expect(server.stored()).not.toHaveProperty('liveRole');
  await server.click('pings', 'offer', [], [LOWER]);
  await server.click('setup', 'live', [], [LOWER]);

  expect(server.stored()).toMatchObject({ pings: [LOWER], liveRole: LOWER });
});

test('the owner offers any role, and a member keeps and removes what the owner offered', async () => {
  const owner = serverWith({ id: OWNER });
  await owner.click('pings', 'offer', [], [LOWER, HIGHER]);
  await owner.click('setup', 'live', [], [HIGHER]);
  expect(owner.stored()).toMatchObject({ pings: [LOWER, HIGHER], liveRole: HIGHER });

  const server = serverWith({ pings: [LOWER, HIGHER] });
  await server.click('pings', 'offer', [], [HIGHER]);

  expect(server.stored()).toMatchObject({ pings: [HIGHER] });
});

test('roles are chosen although one of the stored roles was deleted, which Discord does not show', async () => {
  const server = serverWith({ mayFollow: [HELPER, '1202584131993600011'] });

  await server.click('setup', 'roles', ['follow'], [HELPER, LOWER]);

  expect(server.stored()).toMatchObject({ roles: { setup: [HELPER], follow: [HELPER, LOWER] } });
});

test('Manage Permissions of a channel is not Manage Roles of the server', async () => {
  const server = serverWith({ inChannel: ManageRoles });

  await expect(server.click('pings', 'offer', [], [LOWER])).rejects.toThrow(needsManageRoles);
  await expect(server.click('setup', 'live', [], [LOWER])).rejects.toThrow(needsManageRoles);
});

const { cannotPostIn, foreignChannel } = en.setup;

test.for([
  ['hidden', [{ id: SERVER, deny: ViewChannel }]],
  ['read-only', [{ id: SERVER, deny: SendMessages }]],
  ['read-only for the role', [{ id: HELPER, deny: SendMessages }]],
  ['read-only for the member', [{ id: MEMBER, deny: SendMessages }]],
] as const)('a member cannot choose a channel that is %s', async ([, overwrites]) => {
  const server = serverWith({ overwrites });

  await expect(server.click('setup', 'channel', [], [CHANNEL])).rejects.toThrow(cannotPostIn);
  await expect(server.click('setup', 'problems', [], [CHANNEL])).rejects.toThrow(cannotPostIn);
  await expect(server.follow({ channel: CHANNEL })).rejects.toThrow(cannotPostIn);
  await expect(server.follow({ channel: '1202584131993600011' })).rejects.toThrow(foreignChannel);
  await server.click('setup', 'problems', []);

  expect(server.stored()).toMatchObject({ problemsChannel: '' });
});

test.for([
  {},
  {
    overwrites: [
      { id: SERVER, deny: ViewChannel },
      { id: HELPER, allow: ViewChannel },
    ],
  },
  // Members who manage the webhooks of a channel can post there.
  {
    overwrites: [
      { id: SERVER, deny: SendMessages },
      { id: MEMBER, allow: ManageWebhooks },
    ],
  },
  // Members who manage a channel can allow themselves to post there.
  {
    overwrites: [
      { id: SERVER, deny: SendMessages },
      { id: MEMBER, allow: ManageChannels },
    ],
  },
  { overwrites: [{ id: SERVER, deny: ViewChannel }], permissions: Administrator },
  { overwrites: [{ id: SERVER, deny: ViewChannel }], id: OWNER },
])('others can choose it: %o', async (member) => {
  const server = serverWith(member);

  await server.click('setup', 'channel', [], [CHANNEL]);
  await server.follow({ channel: CHANNEL });

  expect(server.stored()).toMatchObject({ channel: CHANNEL });
});

test.for([
  ['a role', { ping: HIGHER }, needsMentionEveryone],
  ['everyone', { ping: 'everyone' }, needsMentionEveryone],
  ['a role that was deleted', { ping: '1202584131993600011' }, needsMentionEveryone],
  ['the live role', { liveRole: LOWER }, needsManageRoles],
] as const)('Undo restores %s only for members who may choose it', async ([, fields, refusal]) => {
  const server = serverWith();
  for (const after of [{}, null]) await expect(server.undo(fields, after)).rejects.toThrow(refusal);
  await expect(server.undo(fields, {}, { by: { name: 'member', via: 'discord', id: MEMBER } })).rejects.toThrow(refusal);

  await expect(server.undo(fields, fields)).resolves.toBeDefined();
  await expect(serverWith({ id: OWNER }).undo(fields, null)).resolves.toBeDefined();
});

test('Undo restores a role that everyone may mention', async () => {
  await expect(serverWith({ mentionable: true }).undo({ ping: HIGHER }, {})).resolves.toBeDefined();
});

test('Undo restores a channel only for members who can post there, and one that was deleted', async () => {
  const server = serverWith({ overwrites: [{ id: SERVER, deny: SendMessages }] });

  await expect(server.undo({ channel: CHANNEL }, {})).rejects.toThrow(cannotPostIn);
  await expect(server.undo({ channel: '1202584131993600011' }, {})).resolves.toBeDefined();
});

test('a member takes their own removal of a streamer back at once, with its ping, but not later', async () => {
  const by = { name: 'member', via: 'discord', id: MEMBER } as const;
  const before = { ping: HIGHER };

  await expect(serverWith().undo(before, null, { by })).resolves.toBeDefined();
  await expect(serverWith().undo(before, null, { by, at: new Date(Date.now() - 16 * 60_000) })).rejects.toThrow(needsMentionEveryone);
});
