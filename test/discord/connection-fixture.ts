import {
  type Client,
  type GatewayIntentBits,
  MessageFlags,
  type MessageComponentInteraction,
  type ModalSubmitInteraction,
  SlashCommandBuilder,
} from 'discord.js';
import { systemClock } from '#src/clock.ts';
import { type DiscordServer, type DiscordSettings, DEFAULT_DISCORD_SETTINGS } from '#src/config/discord-settings.ts';
import { callerOf } from '#src/discord/caller.ts';
import type { SlashCommand } from '#src/discord/command.ts';
import { type Connection, type ConnectionOptions, openConnection } from '#src/discord/connection.ts';
import { dispatcher } from '#src/discord/dispatch.ts';
import type { ConnectionState } from '#src/discord/gateway/connection-state.ts';
import type { Questions } from '#src/discord/questions.ts';
import { UserError } from '#src/errors.ts';
import { createLog } from '#src/log.ts';
import { type DiscordSandbox, type DiscordSandboxOptions, type InteractionView, startDiscordSandbox } from '../support/discord-sandbox.ts';

export interface ConnectionFixture extends AsyncDisposable {
  readonly discord: DiscordSandbox;
  readonly online: Connection;
  /** All states of the connection. */
  readonly states: readonly ConnectionState[];
  readonly lines: readonly string[];
  /** The text of each run of the command. */
  readonly ran: readonly string[];
  /** The number of gateway connections. */
  connections(): Promise<number>;
  disturb(order: unknown): Promise<unknown>;
  /** Runs `/echo`. */
  echo(text: string): Promise<InteractionView>;
}

export interface ConnectionFixtureOptions extends DiscordSandboxOptions {
  readonly settings?: Partial<DiscordSettings>;
  readonly token?: string;
  readonly optionalIntents?: readonly GatewayIntentBits[];
  readonly prepare?: (client: Client) => void;
  /** Called before the bot connects. */
  readonly before?: (discord: DiscordSandbox) => Promise<unknown>;
  /** A running sandbox; absent: a new one. */
  readonly on?: DiscordSandbox;
  /** The state that several bots share. */
  readonly shared?: Pick<ConnectionOptions, 'shards' | 'handled' | 'http'>;
  readonly servers?: readonly DiscordServer[];
  /** The questions of rules. */
  readonly questions?: Questions;
}

/** A bot with the command `/echo` on the simulated Discord, with the real connection and dispatcher. */
export async function openBotConnection({
  settings,
  token,
  optionalIntents,
  prepare,
  before,
  on,
  shared,
  servers: configured,
  questions,
  ...options
}: ConnectionFixtureOptions = {}): Promise<ConnectionFixture> {
  const discord = on ?? (await startDiscordSandbox(options));
  await before?.(discord);
  const states: ConnectionState[] = [];
  const lines: string[] = [];
  const ran: string[] = [];
  const stopping = new AbortController();
  const { signal } = stopping;
  const log = createLog({ level: 'info', secrets: [], write: (line) => void lines.push(line), color: false });
  const all = { ...DEFAULT_DISCORD_SETTINGS, ...settings };
  const servers = configured ?? [{ account: 'discord', id: discord.guildId, zone: 'UTC' }];
  const commands = [echo(ran)];
  const online = openConnection({
    token: token ?? discord.token,
    apiUrl: discord.sandbox.environment['DISCORD_API_URL'],
    servers,
    settings: all,
    commands,
    handle: dispatcher({
      commands,
      callerOf: (interaction) => callerOf(interaction, { servers, settings: all, signal }),
      questions,
      log,
      signal,
    }),
    prepare,
    optionalIntents,
    ...shared,
    onConnection: (state) => void states.push(state),
    clock: options.clock ?? systemClock,
    log,
    signal,
  });
  const [user] = discord.people;
  return {
    discord,
    online,
    states,
    lines,
    ran,
    connections: async () => (await discord.order<{ connections: number }>('/discord', undefined)).connections,
    disturb: (order) => discord.order('/discord/gateway', order),
    echo: (text) => discord.interact({ user, channel: 'general', command: 'echo', options: { text } }),
    async [Symbol.asyncDispose]() {
      stopping.abort();
      await online[Symbol.asyncDispose]();
      if (!on) await discord[Symbol.asyncDispose]();
    },
  };
}

/** Repeats the text. `later` is deferred, `form` opens a form. The suggestions for `what?` and `bug` fail. */
function echo(ran: string[]): SlashCommand {
  async function repeat(interaction: MessageComponentInteraction | ModalSubmitInteraction, text: string): Promise<void> {
    ran.push(`again ${text}`);
    await interaction.reply({ content: `again ${text}`, flags: MessageFlags.Ephemeral });
  }

  return {
    data: new SlashCommandBuilder()
      .setName('echo')
      .setDescription('Says it again')
      .addStringOption((option) => option.setName('text').setDescription('What').setRequired(true).setAutocomplete(true))
      .toJSON(),
    needs: 'look',
    async run(interaction) {
      const text = interaction.options.getString('text', true);
      ran.push(text);
      if (text === 'form') {
        const field = { type: 4, custom_id: 'text', label: 'Text', style: 1 } as const;
        await interaction.showModal({ custom_id: 'echo:form', title: 'What?', components: [{ type: 1, components: [field] }] });
      } else if (text === 'later') {
        await interaction.deferReply();
        await interaction.editReply({ content: text });
      } else {
        const button = { type: 2, style: 2, custom_id: `echo:again:${text}`, label: 'Again' } as const;
        await interaction.reply({ content: text, components: [{ type: 1, components: [button] }] });
      }
    },
    components: { again: (interaction, parts) => repeat(interaction, parts.join(':')) },
    forms: { form: (interaction) => repeat(interaction, interaction.fields.getTextInputValue('text')) },
    async suggest(interaction) {
      const typed = interaction.options.getFocused();
      if (typed === 'what?') throw new UserError('There is nothing like that.');
      if (typed === 'bug') throw new Error('a bug of ours');
      if (typed === 'twins') return [{ name: 'Twin', value: 'a' }, { name: 'twin', value: 'b' }, 'other', 'Other'];
      return ['first', 'second'];
    },
  };
}
