import type { JsonObject } from '#src/operation/json.ts';
import { OPTION_TYPES, type CommandOption } from '../commands/form.ts';
import type { Command } from '../commands/store.ts';
import type { Channel } from '../guild/channels.ts';
import { GUILD_ID } from '../guild/identity.ts';
import type { Member } from '../guild/members.ts';
import { OrderError } from '../order-error.ts';
import type { Discord } from '../parts.ts';
import { nameChannel, nameMentionable, nameRole, nameUser, toResolved } from './resolved.ts';

/** What can stand for an option. */
type TypedValue = string | number | boolean;

/** What a person types: `game streams`, and its options by name. */
export interface Typed {
  readonly member: Member;
  readonly channel: Channel;
  readonly command: string;
  readonly options: Readonly<Record<string, TypedValue>>;
  /** The option that the cursor is in; then nothing needs to be complete. */
  readonly focused?: string | undefined;
}

/** The data of the interaction that typing makes; throws an {@link OrderError} where Discord would not let it be sent. */
export function toCommandData(discord: Discord, { member, channel, command: text, options, focused }: Typed): JsonObject {
  const words = text.replace(/^\//, '').trim().split(/\s+/);
  const command = discord.commands.findNamed(GUILD_ID, words[0] ?? '');
  if (!command) throw new OrderError(`there is no command /${words[0]}; there are ${namesOf(discord)}`);
  if (!isFor(command, member, discord.guild.permissions(member, channel))) {
    throw new OrderError(`/${command.form.name} is not for ${member.username}`);
  }

  const path = walk(command, words.slice(1));
  const offered = path.at(-1)?.options ?? (path.length === 0 ? command.form.options : []);
  const unknown = Object.keys(options).find((name) => !offered.some((option) => option.name === name));
  if (unknown !== undefined)
    throw new OrderError(`/${text} has no option ${unknown}; it has ${offered.map(({ name }) => name).join(', ')}`);

  const given = offered.flatMap((option) => fill(discord, option, options[option.name], focused) ?? []);
  const leaf: readonly JsonObject[] = given.map(({ data }) => data);
  return {
    id: command.id,
    name: command.form.name,
    type: command.form.type,
    guild_id: command.guildId,
    options: path.reduceRight<readonly JsonObject[]>((inner, { name, type }) => [{ name, type, options: inner }], leaf),
    resolved: toResolved(given.flatMap(({ named }) => named)),
  };
}

/** An application may keep a command for those with some permissions; with `0`, for administrators. */
function isFor({ form }: Command, { owner }: Member, permissions: bigint): boolean {
  if (owner || typeof form.default_member_permissions !== 'string') return true;
  const needed = BigInt(form.default_member_permissions);
  return needed > 0n && (permissions & needed) === needed;
}

function namesOf({ commands }: Discord): string {
  return [...commands.in(GUILD_ID), ...commands.in(undefined)].map(({ form }) => `/${form.name}`).join(', ') || 'none';
}

/** The subcommand that the words lead to, with the group that it is in. */
function walk(command: Command, words: readonly string[]): readonly CommandOption[] {
  let level: readonly CommandOption[] = command.form.options;
  const path = words.map((word) => {
    const next = level.find(({ name, type }) => name === word && isHolder(type));
    if (!next) throw new OrderError(`/${command.form.name} has no ${word}`);
    level = next.options ?? [];
    return next;
  });
  if (level.some(({ type }) => isHolder(type))) {
    throw new OrderError(`/${[command.form.name, ...words].join(' ')} needs one of ${level.map(({ name }) => name).join(', ')}`);
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

function fill(discord: Discord, option: CommandOption, value: TypedValue | undefined, focused: string | undefined): Filled | undefined {
  const { name, type, required, autocomplete } = option;
  if (focused === name) {
    if (!autocomplete) throw new OrderError(`the option ${name} completes nothing`);
    return { data: { name, type, value: String(value ?? ''), focused: true }, named: [] };
  }
  if (value === undefined) {
    if (required && focused === undefined) throw new OrderError(`the option ${name} is required`);
    return undefined;
  }
  const named = nameThing(discord, type, String(value));
  return { data: { name, type, value: named?.id ?? toValue(option, value) }, named: named ? [named] : [] };
}

function nameThing(discord: Discord, type: number, name: string) {
  switch (type) {
    case OPTION_TYPES.user:
      return nameUser(discord, name);
    case OPTION_TYPES.role:
      return nameRole(discord, name);
    case OPTION_TYPES.channel:
      return nameChannel(discord, name);
    case OPTION_TYPES.mentionable:
      return nameMentionable(discord, name);
    default:
      return undefined;
  }
}

function toValue(option: CommandOption, value: TypedValue): TypedValue {
  const { name, type, choices } = option;
  if (choices?.length) {
    const choice = choices.find((each) => each.value === value || each.name === value);
    if (!choice) throw new OrderError(`the option ${name} is one of ${choices.map((each) => each.name).join(', ')}`);
    return choice.value;
  }
  switch (type) {
    case OPTION_TYPES.boolean:
      if (typeof value !== 'boolean') throw new OrderError(`the option ${name} is true or false`);
      return value;
    case OPTION_TYPES.integer:
    case OPTION_TYPES.number:
      return toNumber(option, Number(value));
    case OPTION_TYPES.attachment:
      throw new OrderError(`the option ${name} takes a file, which nobody here has`);
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
