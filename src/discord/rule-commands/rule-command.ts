import {
  type APIApplicationCommandBasicOption,
  ApplicationCommandOptionType,
  type ChatInputCommandInteraction,
  type CommandInteractionOption,
  GuildMember,
  MessageFlags,
} from 'discord.js';
import { UserError } from '#src/errors.ts';
import type { Json } from '#src/clients/operation/json.ts';
import type { CommandUse } from '#src/rules/evaluate/command-use.ts';
import type { CommandOption } from '#src/rules/step.ts';
import { countQuestion } from '#src/discord/assistant/quota.ts';
import { requireServer, type Caller } from '#src/discord/caller.ts';
import type { SlashCommand } from '#src/discord/command.ts';
import { NotAllowed } from '#src/discord/explain-error.ts';
import { maySend } from '#src/discord/reply.ts';
import { requireMaySee } from '#src/discord/servers/require-may-see.ts';
import { readServerState } from '#src/discord/servers/server-state.ts';
import { escaped, roleNames } from '#src/discord/text/untrusted-text.ts';
import type { OfferedCommand, RuleCommands } from './rule-commands.ts';
import { waitEnd } from '#src/discord/text/format.ts';

/** More is no text that a member types. */
const LONGEST_TEXT = 1_000;
const LONGEST_REASON = 500;

/** The command of a rule: it shows at once that the bot is thinking, and the deliveries of the rule answer. */
export function ruleCommand(
  { rule, command, asksAssistant }: OfferedCommand,
  commands: Pick<RuleCommands, 'count' | 'quota' | 'run'>,
): SlashCommand {
  const { name, about, options, roles, isPublic } = command;
  return {
    needs: 'look',
    data: { name, description: about, options: options.map(toForm) },

    async run(interaction, caller) {
      const { texts } = caller;
      const { ruleCommands } = texts;
      if (roles && !caller.hasRole(roles)) throw new NotAllowed(ruleCommands.needsRole(roleNames(roles)));
      const isOperator = caller.may('operate') && !caller.scope;
      const reached = isOperator ? undefined : commands.count(caller.id, rule);
      if (reached) throw new UserError(ruleCommands[reached.of === 'minute' ? 'tooMany' : 'tooOften'](waitEnd(reached.freeAtMs)));
      const isSeenByAll = isPublic && maySend(interaction);
      await interaction.deferReply(isSeenByAll ? {} : { flags: MessageFlags.Ephemeral });
      await requireVisible(interaction, caller);
      if (asksAssistant) await countQuestion(interaction.id, caller, commands.quota);
      const { id, applicationId: application, token } = interaction;
      const locale = isSeenByAll ? caller.publicLocale : caller.locale;
      const outcome = await commands.run(rule, toUse(interaction, name), { id, application, token, locale });
      if (outcome.isAnswered) return;
      if (asksAssistant) await commands.quota.counts.giveBack(id);
      const { decision } = outcome;
      throw new UserError(
        decision ? ruleCommands.suppressed(escaped(texts.reasons.decided(decision), LONGEST_REASON)) : ruleCommands.failed,
      );
    },
  };
}

/** The answer may show what is in a chosen channel, so the member must see it. */
async function requireVisible({ options, client }: ChatInputCommandInteraction, caller: Caller): Promise<void> {
  const channels = options.data.flatMap(({ channel }) => channel ?? []);
  if (channels.length === 0) return;
  const state = await readServerState(client.rest, { server: requireServer(caller), bot: client.user.id });
  for (const channel of channels) await requireMaySee(channel, state, caller);
}

const TYPES = {
  string: ApplicationCommandOptionType.String,
  choice: ApplicationCommandOptionType.String,
  integer: ApplicationCommandOptionType.Integer,
  boolean: ApplicationCommandOptionType.Boolean,
  user: ApplicationCommandOptionType.User,
  channel: ApplicationCommandOptionType.Channel,
} as const;

function toForm({ name, type, about, required, choices }: CommandOption): APIApplicationCommandBasicOption {
  const option = { name, description: about, required };
  if (type === 'choice') return { ...option, type: TYPES.choice, choices: (choices ?? []).map((value) => ({ name: value, value })) };
  if (type === 'string') return { ...option, type: TYPES.string, max_length: LONGEST_TEXT };
  return { ...option, type: TYPES[type] } as APIApplicationCommandBasicOption; // these kinds have no further fields
}

function toUse({ id, user, member, channel, channelId, guildId, locale, options }: ChatInputCommandInteraction, name: string): CommandUse {
  const displayName = member instanceof GuildMember ? member.displayName : (user.globalName ?? user.username);
  return {
    id,
    name,
    user: { id: user.id, handle: user.username, displayName },
    channel: { id: channelId, name: channel && 'name' in channel ? (channel.name ?? '') : '' },
    server: guildId ?? '',
    locale,
    options: Object.fromEntries(options.data.map((option) => [option.name, valueOf(option)])),
  };
}

function valueOf({ value, user, member, channel }: CommandInteractionOption): Json {
  if (user) {
    const displayName = member instanceof GuildMember ? member.displayName : (user.globalName ?? user.username);
    return { id: user.id, handle: user.username, displayName };
  }
  if (channel) return { id: channel.id, name: channel.name ?? '' };
  return value ?? null;
}
