import type { JsonObject } from '#src/operation/json.ts';
import { COMMAND_TYPES, type CommandOption, OPTION_TYPES, isCalled, nameIn } from '../commands/form.ts';
import type { Command } from '../commands/store.ts';
import type { Channel } from '../guild/channel.ts';
import type { Member } from '../guild/members.ts';
import type { Message } from '../messages/message.ts';
import { toMessage } from '../messages/wire.ts';
import { OrderError } from '../order-error.ts';
import type { InGuild } from '../parts.ts';
import { nameChannel, nameFile, nameMentionable, nameRole, nameUser, toResolved } from './resolved.ts';

/** The values of an option. */
type TypedValue = string | number | boolean;

/** What a person types: `game streams`, and its options by name. */
export interface Typed {
  readonly member: Member;
  readonly channel: Channel;
  /** The language of the member's Discord. Commands, options and choices also match their names in it. */
  readonly locale: string;
  readonly command: string;
  readonly options: Readonly<Record<string, TypedValue>>;
  /** Whether Discord does not ask who may use the command. */
  readonly forged: boolean;
  /** The option that the cursor is in; then nothing needs to be complete. */
  readonly focused?: string | undefined;
}

/** The data of the interaction that typing makes; throws an {@link OrderError} where Discord would not let it be sent. */
export function toCommandData(discord: InGuild, { member, channel, locale, command: text, options, forged, focused }: Typed): JsonObject {
  const parts = text.replace(/^\//, '').trim().split(/\s+/);
  const command = discord.commands.findNamed(discord.guild.id, parts[0] ?? '', locale);
  if (!command) throw new OrderError(`there is no command /${parts[0]}; there are ${namesOf(discord)}`);
  if (!forged && !isFor(command, member, discord.guild.permissions(member, channel))) {
    throw new OrderError(`/${command.form.name} is not for ${member.username}`);
  }

  const path = walk(command, parts.slice(1), locale);
  const offered = path.at(-1)?.options ?? (path.length === 0 ? command.form.options : []);
  const unknown = Object.keys(options).find((name) => !offered.some((option) => isCalled(option, name, locale)));
  if (unknown !== undefined)
    throw new OrderError(`/${text} has no option ${unknown}; it has ${offered.map((option) => nameIn(option, locale)).join(', ')}`);

  const typed = offered.flatMap((option) => {
    const value = options[option.name] ?? options[nameIn(option, locale)];
    const isFocused = focused !== undefined && isCalled(option, focused, locale);
    return fill(discord, option, value, { locale, isTyping: focused !== undefined, isFocused }) ?? [];
  });
  const leaf: readonly JsonObject[] = typed.map(({ data }) => data);
  return {
    id: command.id,
    name: command.form.name,
    type: command.form.type,
    guild_id: command.guildId,
    options: path.reduceRight<readonly JsonObject[]>((inner, { name, type }) => [{ name, type, options: inner }], leaf),
    resolved: toResolved(typed.flatMap(({ named }) => named)),
  };
}

/** An application may keep a command for those with some permissions; with `0`, for administrators. */
function isFor({ form }: Command, { owner }: Member, permissions: bigint): boolean {
  if (owner || typeof form.default_member_permissions !== 'string') return true;
  const needed = BigInt(form.default_member_permissions);
  return needed > 0n && (permissions & needed) === needed;
}

function namesOf({ commands, guild }: InGuild): string {
  return [...commands.in(guild.id), ...commands.in(undefined)].map(({ form }) => `/${form.name}`).join(', ') || 'none';
}

/** The subcommand that the words lead to, with the group that it is in. */
function walk(command: Command, parts: readonly string[], locale: string): readonly CommandOption[] {
  let level: readonly CommandOption[] = command.form.options;
  const path = parts.map((word) => {
    const next = level.find((option) => isHolder(option.type) && isCalled(option, word, locale));
    if (!next) throw new OrderError(`/${command.form.name} has no ${word}`);
    level = next.options ?? [];
    return next;
  });
  if (level.some(({ type }) => isHolder(type))) {
    throw new OrderError(
      `/${[command.form.name, ...parts].join(' ')} needs one of ${level.map((option) => nameIn(option, locale)).join(', ')}`,
    );
  }
  return path;
}

function isHolder(type: number): boolean {
  return type === OPTION_TYPES.subcommand || type === OPTION_TYPES.group;
}

interface Filled {
  readonly data: JsonObject;
  readonly named: readonly ReturnType<typeof nameUser>[];
}

interface Cursor {
  readonly locale: string;
  /** Whether the command is still being typed. */
  readonly isTyping: boolean;
  /** Whether the cursor is in this option. */
  readonly isFocused: boolean;
}

function fill(discord: InGuild, option: CommandOption, value: TypedValue | undefined, cursor: Cursor): Filled | undefined {
  const { name, type, required, autocomplete } = option;
  if (cursor.isFocused) {
    if (!autocomplete) throw new OrderError(`the option ${name} completes nothing`);
    return { data: { name, type, value: String(value ?? ''), focused: true }, named: [] };
  }
  if (value === undefined) {
    if (required && !cursor.isTyping) throw new OrderError(`the option ${name} is required`);
    return undefined;
  }
  const named = nameThing(discord, type, String(value));
  return { data: { name, type, value: named?.id ?? toValue(option, value, cursor.locale) }, named: named ? [named] : [] };
}

function nameThing(discord: InGuild, type: number, name: string) {
  switch (type) {
    case OPTION_TYPES.user:
      return nameUser(discord, name);
    case OPTION_TYPES.role:
      return nameRole(discord, name);
    case OPTION_TYPES.channel:
      return nameChannel(discord, name);
    case OPTION_TYPES.mentionable:
      return nameMentionable(discord, name);
    case OPTION_TYPES.attachment:
      return nameFile(discord, name);
    default:
      return undefined;
  }
}

function toValue(option: CommandOption, value: TypedValue, locale: string): TypedValue {
  const { name, type, choices } = option;
  if (choices?.length) {
    const choice = choices.find((each) => each.value === value || isCalled(each, String(value), locale));
    if (!choice) throw new OrderError(`the option ${name} is one of ${choices.map((each) => nameIn(each, locale)).join(', ')}`);
    return choice.value;
  }
  switch (type) {
    case OPTION_TYPES.boolean:
      if (typeof value !== 'boolean') throw new OrderError(`the option ${name} is true or false`);
      return value;
    case OPTION_TYPES.integer:
    case OPTION_TYPES.number:
      return toNumber(option, Number(value));
    default:
      return toText(option, String(value));
  }
}

function toNumber({ name, type, min_value: min = -Infinity, max_value: max = Infinity }: CommandOption, value: number): number {
  const fits = type === OPTION_TYPES.integer ? Number.isInteger(value) : Number.isFinite(value);
  if (!fits || value < min || value > max) throw new OrderError(`the option ${name} is a number from ${min} to ${max}`);
  return value;
}

function toText({ name, min_length: min = 0, max_length: max = 6000 }: CommandOption, value: string): string {
  if (value.length < min || value.length > max) throw new OrderError(`the option ${name} has ${min} to ${max} characters`);
  return value;
}

/** What a person chooses in the menu of a message. */
export interface Chosen extends Pick<Typed, 'member' | 'channel' | 'locale' | 'forged'> {
  readonly message: Message;
  /** The entry, by its name. */
  readonly menu: string;
}

/** The data of the interaction that choosing makes; throws an {@link OrderError} where Discord would not let it be sent. */
export function toMenuData(discord: InGuild, { member, channel, locale, forged, message, menu }: Chosen): JsonObject {
  const command = discord.commands.findNamed(discord.guild.id, menu, locale, COMMAND_TYPES.message);
  if (!command) throw new OrderError(`there is no ${menu} in the menu of a message`);
  if (!forged && !isFor(command, member, discord.guild.permissions(member, channel)))
    throw new OrderError(`${command.form.name} is not for ${member.username}`);
  return {
    id: command.id,
    name: command.form.name,
    type: command.form.type,
    guild_id: command.guildId,
    target_id: message.id,
    resolved: { messages: { [message.id]: toMessage(discord, message) } },
  };
}
