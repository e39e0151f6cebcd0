import { ApplicationCommandOptionType, Events, PermissionFlagsBits, Routes, type Client, type Interaction } from 'discord.js';
import type { DiscordSandbox } from './discord-sandbox.ts';

const { Subcommand, String, Integer, User } = ApplicationCommandOptionType;

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
          { type: Integer, name: 'most', description: 'How many', min_value: 1, max_value: 10 },
          { type: User, name: 'user', description: 'Who' },
        ],
      },
    ],
  },
  { name: 'go', description: 'Go' },
  { name: 'tidy', description: 'For those who may manage messages', default_member_permissions: `${PermissionFlagsBits.ManageMessages}` },
];

/** A bot with `/game streams`, `/go` and, for moderators, `/tidy`, that answers as it is told. */
export async function loginWith(discord: DiscordSandbox, answer: (interaction: Interaction) => unknown): Promise<Client<true>> {
  const client = await discord.login();
  await client.rest.put(Routes.applicationGuildCommands(client.application.id, discord.guildId), { body: commands });
  client.on(Events.InteractionCreate, (interaction) => void Promise.resolve(answer(interaction)));
  return client;
}
