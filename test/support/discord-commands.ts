import { ApplicationCommandOptionType, Events, PermissionFlagsBits, Routes, type Client, type Interaction } from 'discord.js';
import type { DiscordSandbox } from './discord-sandbox.ts';

const { Subcommand, String, Boolean } = ApplicationCommandOptionType;

const commands = [
  {
    name: 'game',
    description: 'Games',
    options: [
      {
        type: Subcommand,
        name: 'streams',
        description: 'Who streams a game',
        options: [
          { type: String, name: 'game', description: 'Which', required: true, autocomplete: true },
          { type: String, name: 'count', description: 'How many', choices: [{ name: 'three', value: '3' }] },
          { type: Boolean, name: 'live', description: 'Only live' },
        ],
      },
    ],
  },
  { name: 'go', description: 'Go' },
  { name: 'moderate', description: 'Requires Manage Messages', default_member_permissions: `${PermissionFlagsBits.ManageMessages}` },
];

/** A bot with `/game streams`, `/go` and, for moderators, `/moderate`. `answer` handles the interactions. */
export async function loginWith(discord: DiscordSandbox, answer: (interaction: Interaction) => unknown): Promise<Client<true>> {
  const client = await discord.login();
  await client.rest.put(Routes.applicationGuildCommands(client.application.id, discord.guildId), { body: commands });
  client.on(Events.InteractionCreate, (interaction) => void Promise.resolve(answer(interaction)));
  return client;
}
