import type { MessageComponentInteraction } from 'discord.js';
import { expect, test } from 'vitest';
import { createServerActions } from '#src/admin/actions/server-actions.ts';
import type { ServerStore } from '#src/admin/servers/server-store.ts';
import type { Caller } from '#src/discord/caller.ts';
import { pingsCommand } from '#src/discord/commands/pings.ts';
import { setupCommand } from '#src/discord/commands/setup.ts';
import { en } from '#src/discord/language/en/index.ts';
import { openStore } from '#src/store/store.ts';
import { ManualClock } from '../../support/manual-clock.ts';

const SERVER = '300000000000000001';
const ROLES = ['300000000000000011', '300000000000000012'] as const;
/** The owner may give all permissions and roles. */
const OWNER = '300000000000000021';

const BOT_ROLE = '300000000000000013';
const roles = [...ROLES, BOT_ROLE].map((id, position) => ({ id, name: id, permissions: '0', position, managed: false, mentionable: true }));
const GUILD = { id: SERVER, name: 'Club', owner_id: OWNER, roles };

const caller = {
  id: OWNER,
  name: 'ada',
  server: { id: SERVER, account: 'discord', zone: 'UTC' },
  texts: en,
  publicTexts: en,
  locale: 'en-US',
  roleIds: [],
  may: () => true,
  hasPermission: () => true,
} as unknown as Caller; // what the commands need

/** A menu of roles in which a member chose one. */
function choice(role: string, customId: string): MessageComponentInteraction {
  const rest = { get: async (route: string) => (route.includes('/members/') ? { user: { id: '1' }, roles: [BOT_ROLE] } : GUILD) };
  const menu = {
    customId,
    values: [role],
    client: { rest, user: { id: '1' } },
    user: { id: OWNER },
    message: { resolveComponent: () => undefined, flags: { has: () => true } },
    isAnySelectMenu: () => true,
    update: async () => undefined,
  };
  return menu as unknown as MessageComponentInteraction; // what the commands need
}

/** Two processes with both commands, over a store that two members read before either of them writes. */
async function openCommands() {
  const clock = new ManualClock();
  const store = await openStore({ clock });
  await store.servers.join({ id: SERVER, name: 'Club', joinedAt: new Date(clock.nowMs()) });
  const storedServers: ServerStore = {
    ...store.servers,
    async change(...change) {
      for (let tick = 0; tick < 5; tick++) await new Promise((resolve) => setImmediate(resolve));
      return store.servers.change(...change);
    },
  };
  const controls = createServerActions({ storedServers, auditLog: store.auditLog });
  const commands = () => ({
    setup: setupCommand({ controls, storedServers, canFollow: true, clock }).components ?? {},
    pings: pingsCommand({ controls, storedServers, clock }).components ?? {},
  });
  return {
    processes: [commands(), commands()] as const,
    stored: () => store.servers.find(SERVER),
    [Symbol.asyncDispose]: () => store[Symbol.asyncDispose](),
  };
}

/** Which process handles the choice of each administrator. */
const PROCESSES = [
  [0, 0],
  [0, 1],
] as const;

test.for([
  ['two permissions', ['follow', 'answer'], { follow: [ROLES[0]], answer: [ROLES[1]] }],
  ['one permission', ['follow', 'follow'], { follow: [...ROLES] }],
] as const)('of two administrators who give roles %s at the same moment, both choices are stored', async ([, abilities, expected]) => {
  for (const processes of PROCESSES) {
    await using commands = await openCommands();

    await Promise.all(
      abilities.map(async (ability, index) => {
        const { setup } = commands.processes[processes[index] ?? 0];
        await setup['roles']?.(choice(ROLES[index] ?? '', `setup:roles:${ability}`), [ability], caller);
      }),
    );

    expect((await commands.stored())?.roles).toEqual(expected);
  }
});

test('of two administrators who offer roles at the same moment, both roles are offered', async () => {
  for (const processes of PROCESSES) {
    await using commands = await openCommands();

    await Promise.all(
      ROLES.map(async (role, index) => {
        const { pings } = commands.processes[processes[index] ?? 0];
        await pings['offer']?.(choice(role, 'pings:offer'), [], caller);
      }),
    );

    expect((await commands.stored())?.pings?.toSorted()).toEqual([...ROLES]);
  }
});
