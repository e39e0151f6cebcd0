import type { Interaction } from 'discord.js';
import { expect, test } from 'vitest';
import { USUAL_DISCORD_SETTINGS, type Ability, type DiscordServer } from '#src/config/discord-settings.ts';
import { askerOf, type Asker } from '#src/discord/asker.ts';
import { de } from '#src/discord/language/de/index.ts';
import { en } from '#src/discord/language/en/index.ts';
import { loginWith } from '../support/discord-commands.ts';
import { startDiscordSandbox, type DiscordSandbox } from '../support/discord-sandbox.ts';

const ABILITIES: readonly Ability[] = ['look', 'ask', 'post', 'operate'];
const ELSEWHERE = { account: 'berlin', id: '1202584131993600007', zone: 'Europe/Berlin' };

/** Who a bot that is at home in `servers` takes somebody for who gives a command in the sandbox's one. */
async function askedBy(
  discord: DiscordSandbox,
  user: string,
  { servers, locale }: { servers: readonly DiscordServer[]; locale?: string },
): Promise<Asker> {
  const heard = Promise.withResolvers<Interaction>();
  const client = await loginWith(discord, async (interaction) => {
    if (interaction.isChatInputCommand()) await interaction.reply('ok');
    heard.resolve(interaction);
  });
  await discord.interact({ user, channel: 'general', command: 'go', locale });
  await client.destroy();
  return askerOf(await heard.promise, {
    servers,
    settings: { ...USUAL_DISCORD_SETTINGS, zone: 'Asia/Tokyo' },
    signal: AbortSignal.abort(),
  });
}

function abilities(asker: Asker): readonly Ability[] {
  return ABILITIES.filter((ability) => asker.may(ability));
}

test('a member looks and asks, a moderator does all', async () => {
  await using discord = await startDiscordSandbox();
  const [, moderator, member] = discord.people;
  const servers = [ELSEWHERE, { account: 'discord', id: discord.guildId, zone: 'Europe/Paris' }];

  const asker = await askedBy(discord, member, { servers });

  expect(asker).toMatchObject({ name: member, server: { account: 'discord' }, zone: 'Europe/Paris' });
  expect(abilities(asker)).toEqual(['look', 'ask']);
  expect(abilities(await askedBy(discord, moderator, { servers }))).toEqual(ABILITIES);
});

test('where the bot is not at home, nobody may anything, its owner included', async () => {
  await using discord = await startDiscordSandbox();
  const [owner] = discord.people;

  const asker = await askedBy(discord, owner, { servers: [ELSEWHERE] });

  expect(asker).toMatchObject({ server: undefined, zone: 'Asia/Tokyo' });
  expect(abilities(asker)).toEqual([]);
});

test('a bot that is at home everywhere takes the zone of its settings', async () => {
  await using discord = await startDiscordSandbox();

  const asker = await askedBy(discord, discord.people[1], { servers: [] });

  expect(asker).toMatchObject({ server: { id: discord.guildId }, zone: 'Asia/Tokyo' });
  expect(abilities(asker)).toEqual(ABILITIES);
});

test('they are spoken to in their language, and all others in the one of the server', async () => {
  await using discord = await startDiscordSandbox();
  const servers = [{ account: 'discord', id: discord.guildId, zone: 'UTC' }];

  const german = await askedBy(discord, discord.people[0], { servers, locale: 'de' });

  expect([german.locale, german.words, german.publicWords]).toEqual(['de', de, en]);
});
