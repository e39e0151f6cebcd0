import {
  type APIModalInteractionResponseCallbackData,
  ApplicationCommandOptionType,
  ComponentType,
  Events,
  type Interaction,
  MessageFlags,
  PermissionFlagsBits,
  Routes,
  TextInputStyle,
} from 'discord.js';
import { onTestFinished } from 'vitest';
import type { Operations } from '#src/web/api/operations.ts';
import { openStore } from '#src/store/store.ts';
import { startDiscordSandbox, type DiscordSandbox } from '../support/discord-sandbox.ts';
import { noOperations } from '../support/operations.ts';

const { Subcommand, String, User } = ApplicationCommandOptionType;

const name = { type: String, name: 'name', description: 'Who', required: true, autocomplete: true } as const;

const COMMANDS = [
  {
    name: 'greet',
    name_localizations: { de: 'grüßen' },
    description: 'Greet',
    description_localizations: { de: 'Grüßen' },
    options: [name],
  },
  {
    name: 'show',
    description: 'Show things',
    options: [
      {
        type: Subcommand,
        name: 'panel',
        description: 'Show a panel',
        options: [
          { type: String, name: 'note', description: 'A note' },
          {
            type: String,
            name: 'size',
            description: 'The size',
            choices: [
              { name: 'Very large', value: 'xl' },
              { name: 'Small', value: 's' },
            ],
          },
          { type: User, name: 'who', description: 'A member' },
        ],
      },
    ],
  },
  { name: 'slow', description: 'Think first' },
  { name: 'moderate', description: 'For moderators', default_member_permissions: `${PermissionFlagsBits.ManageMessages}` },
  { name: 'Report', type: 3 },
] as const;

const PEOPLE = ['Grace', 'Gregory', 'Linus'];

/** A sandbox of Discord with a bot of the test, and what a server of the page needs. */
export interface DiscordSite {
  readonly discord: DiscordSandbox;
  readonly sandboxOrigin: string;
  readonly operations: Operations;
  /** Ends the thinking of `/slow`. */
  readonly finish: () => void;
  /** What the bot got, such as `show panel {"size":"xl"} en-US`. */
  readonly got: readonly string[];
}

/** Starts the sandbox and the bot until the end of the test. */
export async function openDiscordSite(text = 'A panel'): Promise<DiscordSite> {
  const discord = await startDiscordSandbox();
  onTestFinished(() => discord[Symbol.asyncDispose]());
  const client = await discord.login();
  await client.rest.put(Routes.applicationGuildCommands(client.application.id, discord.guildId), { body: COMMANDS });
  const got: string[] = [];
  const { promise: finished, resolve: finish } = Promise.withResolvers<void>();
  client.on(Events.InteractionCreate, (interaction) => {
    got.push(describe(interaction));
    void answer(interaction, text, finished);
  });
  const { repeatedRequests } = await openStore();
  return { discord, sandboxOrigin: discord.sandbox.url, operations: { ...noOperations, repeatedRequests }, finish, got };
}

function describe(interaction: Interaction): string {
  const { locale } = interaction;
  if (interaction.isAutocomplete()) return `typing ${interaction.options.getFocused()}`;
  if (interaction.isChatInputCommand()) {
    const subcommand = interaction.options.getSubcommand(false);
    const { data } = interaction.options;
    const options = (subcommand === null ? data : (data[0]?.options ?? [])).map((option) => [option.name, option.value] as const);
    return `${[interaction.commandName, subcommand].filter((part) => part !== null).join(' ')} ${JSON.stringify(Object.fromEntries(options))} ${locale}`;
  }
  if (interaction.isAnySelectMenu()) return `${interaction.customId} ${interaction.values.join(',')}`;
  if (interaction.isModalSubmit()) return `${interaction.customId} ${interaction.fields.getTextInputValue('title')}`;
  if (interaction.isMessageContextMenuCommand()) return interaction.commandName;
  return interaction.isMessageComponent() ? interaction.customId : '';
}

async function answer(interaction: Interaction, text: string, finished: Promise<void>): Promise<unknown> {
  const flags = MessageFlags.Ephemeral;
  if (interaction.isAutocomplete()) {
    const typed = interaction.options.getFocused().toLowerCase();
    const found = PEOPLE.filter((person) => person.toLowerCase().startsWith(typed));
    return interaction.respond(found.map((person) => ({ name: `${person} · live`, value: `id-of-${person.toLowerCase()}` })));
  }
  if (interaction.isChatInputCommand()) {
    if (interaction.commandName === 'show') return interaction.reply(panel(text));
    if (interaction.commandName !== 'slow')
      return interaction.reply({ content: `${interaction.commandName} ${interaction.options.getString('name') ?? ''}`, flags });
    await interaction.deferReply({ flags });
    await finished;
    return interaction.editReply('Thought about it');
  }
  if (interaction.isButton() && interaction.customId === 'edit') return interaction.showModal(form(text));
  if (interaction.isButton() && interaction.customId === 'done')
    return interaction.update({ content: 'Finished', embeds: [], components: [] });
  if (interaction.isButton() || interaction.isAnySelectMenu()) return interaction.update(panel(`${text} ${describe(interaction)}`));
  if (interaction.isModalSubmit() || interaction.isMessageContextMenuCommand())
    return interaction.reply({ content: describe(interaction), flags });
  return undefined;
}

function panel(text: string) {
  return {
    content: text,
    embeds: [{ title: text, description: text, color: 0xff_00_00, fields: [{ name: text, value: text }], footer: { text } }],
    components: [
      {
        type: 1,
        components: [
          { type: 2, style: 1, custom_id: 'next', label: text.slice(0, 40) },
          { type: 2, style: 2, custom_id: 'edit', label: 'Edit' },
          { type: 2, style: 2, custom_id: 'never', label: 'Never', disabled: true },
          { type: 2, style: 2, custom_id: 'done', label: 'Done' },
          { type: 2, style: 5, url: 'https://example.com/', label: 'Link' },
        ],
      },
      {
        type: 1,
        components: [{ type: 3, custom_id: 'color', placeholder: 'Colour', options: [option('Red'), option('Blue')] }],
      },
      {
        type: 1,
        components: [
          { type: 3, custom_id: 'days', placeholder: 'Days', min_values: 1, max_values: 2, options: [option('Monday'), option('Friday')] },
        ],
      },
      { type: 1, components: [{ type: 8, custom_id: 'where', placeholder: 'Where' }] },
      { type: 1, components: [{ type: 2, style: 2, custom_id: `page ${text.length}`, label: 'Next page' }] },
    ],
  };
}

function option(label: string) {
  return { label, value: label.toLowerCase(), description: `About ${label}` };
}

function form(text: string): APIModalInteractionResponseCallbackData {
  const title = { custom_id: 'title', style: TextInputStyle.Short, label: 'Title', value: 'Chess', required: true };
  const row = { type: ComponentType.ActionRow, components: [{ type: ComponentType.TextInput, ...title }] } as const;
  return { custom_id: 'form', title: text.slice(0, 40), components: [{ ...row, components: [...row.components] }] };
}
