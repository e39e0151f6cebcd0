import { type Interaction, PermissionsBitField } from 'discord.js';
import { expect, test } from 'vitest';
import { type Ability, type DiscordServer, DEFAULT_DISCORD_SETTINGS } from '#src/config/discord-settings.ts';
import { type Caller, callerOf, hasRole, may, roleKeys, scopeIn, serverOf } from '#src/discord/caller.ts';
import { refusalOf } from '#src/discord/command.ts';
import { de } from '#src/discord/language/de/index.ts';
import { en } from '#src/discord/language/en/index.ts';
import { loginWith } from '../support/discord-commands.ts';
import { type DiscordSandbox, startDiscordSandbox } from '../support/discord-sandbox.ts';

const ABILITIES: readonly Ability[] = ['look', 'ask', 'post', 'operate'];
const ELSEWHERE = { account: 'berlin', id: '1202584131993600007', zone: 'Europe/Berlin' };

/** The caller of a command in the sandbox's server, for a bot with these servers. */
async function askedBy(
  discord: DiscordSandbox,
  user: string,
  { servers, locale }: { servers: readonly DiscordServer[]; locale?: string },
): Promise<Caller> {
  const received = Promise.withResolvers<Interaction>();
  const client = await loginWith(discord, async (interaction) => {
    if (interaction.isChatInputCommand()) await interaction.reply('ok');
    received.resolve(interaction);
  });
  await discord.interact({ user, channel: 'general', command: 'go', locale });
  await client.destroy();
  return callerOf(await received.promise, {
    servers,
    settings: { ...DEFAULT_DISCORD_SETTINGS, zone: 'Asia/Tokyo' },
    signal: AbortSignal.abort(),
  });
}

function abilities(caller: Caller): readonly Ability[] {
  return ABILITIES.filter((ability) => caller.may(ability));
}

test('a member can read and ask, and a moderator can do everything', async () => {
  await using discord = await startDiscordSandbox();
  const [, moderator, member] = discord.people;
  const servers = [ELSEWHERE, { account: 'discord', id: discord.guildId, zone: 'Europe/Paris' }];

  const caller = await askedBy(discord, member, { servers });

  expect(caller).toMatchObject({ name: member, server: { account: 'discord' }, zone: 'Europe/Paris' });
  expect(abilities(caller)).toEqual(['look', 'ask']);
  expect(abilities(await askedBy(discord, moderator, { servers }))).toEqual(ABILITIES);
});

test('in servers that are not configured, no one has abilities, not even the owner', async () => {
  await using discord = await startDiscordSandbox();
  const [owner] = discord.people;

  const caller = await askedBy(discord, owner, { servers: [ELSEWHERE] });

  expect(caller).toMatchObject({ server: undefined, zone: 'Asia/Tokyo' });
  expect(abilities(caller)).toEqual([]);
});

test('in a direct message, a command that needs a permission asks for a server, and not for the permission', () => {
  const direct = { user: { id: '42', username: 'ada' }, locale: 'en-US', guildLocale: null, guildId: null, member: null };
  const settings = { ...DEFAULT_DISCORD_SETTINGS, servers: 'any' } as const;
  const interaction = direct as unknown as Interaction; // nothing else is read

  const caller = callerOf(interaction, { servers: [ELSEWHERE], settings, signal: AbortSignal.abort() });

  expect(refusalOf({ needs: 'setup' }, caller, null)).toBe(en.setup.noServer);
  expect(refusalOf({ needs: 'look' }, caller, null)).toBeUndefined();
});

test('a bot without configured servers uses the zone of its settings', async () => {
  await using discord = await startDiscordSandbox();

  const caller = await askedBy(discord, discord.people[1], { servers: [] });

  expect(caller).toMatchObject({ server: { id: discord.guildId }, zone: 'Asia/Tokyo' });
  expect(abilities(caller)).toEqual(ABILITIES);
});

test('private texts are in the language of the user, public texts in the language of the server', async () => {
  await using discord = await startDiscordSandbox();
  const servers = [{ account: 'discord', id: discord.guildId, zone: 'UTC' }];

  const german = await askedBy(discord, discord.people[0], { servers, locale: 'de' });

  expect([german.locale, german.texts, german.publicTexts]).toEqual(['de', de, en]);
});

const OPERATORS = '120258413199360000';
const roles = { operate: [OPERATORS, 'Crew'] };

function mayOperate(id: string, name: string): boolean {
  return may('operate', { permissions: new PermissionsBitField(0n), roles: roleKeys([id], [name]) }, { settings: { roles } });
}

test('a role is known by its id, or by its name', () => {
  expect([mayOperate(OPERATORS, 'renamed'), mayOperate('120258413199360001', 'Crew')]).toEqual([true, true]);
  expect(mayOperate('120258413199360001', 'Guests')).toBe(false);
});

test.for([
  ['Crew', true],
  ['@Crew', true],
  [OPERATORS, true],
  [`<@&${OPERATORS}>`, true],
  ['@everyone', true],
  ['Guests', false],
  [`<@&${OPERATORS}1>`, false],
  [`<@${OPERATORS}>`, false],
] as const)('a role that is written as %s is one of a member, or not, for permissions and for questions: %s', ([written, isOne]) => {
  const member = { permissions: new PermissionsBitField(0n), roles: roleKeys([OPERATORS], ['Crew']) };

  expect(may('operate', member, { settings: { roles: { operate: [written] } } })).toBe(isOne);
  expect(hasRole([written], member)).toBe(isOne);
});

test('a role whose name is the id of another role grants no abilities', () => {
  expect(mayOperate('120258413199360001', OPERATORS)).toBe(false);
});

test('without an account discord, the first account serves a server that the file does not name', () => {
  const servers = [ELSEWHERE, { account: 'main', id: '1202584131993600008', zone: 'UTC' }];
  const settings = { servers: 'any', zone: 'UTC' } as const;
  const guest = serverOf('1202584131993600009', servers, settings);

  expect(guest).toMatchObject({ account: ELSEWHERE.account });
  expect(guest && scopeIn(guest, servers, settings)).toEqual({ server: '1202584131993600009' });
  expect(scopeIn(ELSEWHERE, servers, settings)).toEqual({ server: ELSEWHERE.id, accounts: [ELSEWHERE.account] });
});
