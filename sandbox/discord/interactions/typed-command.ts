import type { JsonObject } from '#src/clients/operation/json.ts';
import { COMMAND_TYPES, type CommandOption, OPTION_TYPES, isCalled, isHolder, nameIn } from '../commands/form.ts';
import type { Command } from '../commands/store.ts';
import type { Channel } from '../guild/channel.ts';
import type { Member } from '../guild/members.ts';
import { PERMISSIONS } from '../guild/permissions.ts';
import type { Message } from '../messages/message.ts';
import { toMessage } from '../messages/wire.ts';
import { COMPONENT_TYPES } from '../messages/component.ts';
import { toServerValues } from './server-select.ts';
import { OrderError, shown, unknownName } from '../../control/order-error.ts';
import type { Discord, InGuild } from '../parts.ts';

const DATA_URL = /^data:([\w.+/-]*)(?:;name=([^;,]+))?;base64,([A-Za-z0-9+/]*=*)$/;

/** The value of an option. */
type TypedValue = string | number | boolean;

/** A command that a person enters, for example `game streams`, and its options by name. */
interface Typed {
  readonly member: Member;
  readonly channel: Channel;
  /** The language of the member. Commands, options and choices also match their names in this language. */
  readonly locale: string;
  readonly command: string;
  readonly options: Readonly<Record<string, TypedValue>>;
  /** A forged command skips the permission check. */
  readonly forged: boolean;
  /** The option with the cursor. A command with a cursor can be incomplete. */
  readonly focused?: string | undefined;
}

/** The interaction data of a command. Throws an {@link OrderError} if Discord would not send the command. */
export function toCommandData(discord: InGuild, { member, channel, locale, command: text, options, forged, focused }: Typed): JsonObject {
  const parts = text.replace(/^\//, '').trim().split(/\s+/);
  const command = discord.commands.findNamed(discord.guild.id, parts[0] ?? '', locale);
  if (!command) throw unknownName({ field: 'command', noun: 'command', name: parts[0], known: namesOf(discord) });
  if (!forged && !isAllowed(command, member, discord.guild.permissions(member, channel))) {
    throw notAllowed(command, `/${command.form.name}`, member);
  }

  const path = findSubcommand(command, parts.slice(1), locale);
  const offered = path.at(-1)?.options ?? (path.length === 0 ? command.form.options : []);
  const unknown = Object.keys(options).find((name) => !offered.some((option) => isCalled(option, name, locale)));
  if (unknown !== undefined) {
    const known = offered.map((option) => nameIn(option, locale));
    throw unknownName({ field: 'options', noun: 'option', where: `of /${text.replace(/^\//, '')}`, name: unknown, known });
  }

  const typed = offered.flatMap((option) => {
    const value = options[option.name] ?? options[nameIn(option, locale)];
    const isFocused = focused !== undefined && isCalled(option, focused, locale);
    return fill(discord, option, value, { locale, isTyping: focused !== undefined, isFocused }) ?? [];
  });
  const leaf: readonly JsonObject[] = typed.map(({ data }) => data);
  const attachments = typed.flatMap(({ attachment }) => (attachment ? [[attachment.id, attachment] as const] : []));
  return {
    id: command.id,
    name: command.form.name,
    type: command.form.type,
    guild_id: command.guildId,
    options: path.reduceRight<readonly JsonObject[]>((inner, { name, type }) => [{ name, type, options: inner }], leaf),
    resolved: typed.some(({ resolved }) => resolved) || attachments.length > 0 ? resolvedOf(typed, attachments) : undefined,
  };
}

/** All objects that options name, by their kind and id. */
function resolvedOf(typed: readonly Filled[], attachments: readonly (readonly [string, Attached])[]): JsonObject {
  const kinds = ['users', 'members', 'roles', 'channels'] as const;
  const of = (kind: string) => Object.assign({}, ...typed.map(({ resolved }) => resolved?.[kind] ?? {})) as JsonObject; // by id
  return {
    ...Object.fromEntries(kinds.map((kind) => [kind, of(kind)])),
    ...(attachments.length > 0 && { attachments: Object.fromEntries(attachments) }),
  };
}

/** A command can require permissions. `0` restricts it to administrators. */
export function isAllowed({ form }: Command, { owner }: Member, permissions: bigint): boolean {
  if (owner || typeof form.default_member_permissions !== 'string') return true;
  const needed = BigInt(form.default_member_permissions);
  return needed > 0n && (permissions & needed) === needed;
}

function notAllowed({ form }: Command, name: string, { username }: Member): OrderError {
  const needed = BigInt(form.default_member_permissions ?? 0) || PERMISSIONS.Administrator;
  const names = Object.entries(PERMISSIONS).flatMap(([permission, bit]) => ((needed & bit) === 0n ? [] : [permission]));
  return new OrderError(`user: ${name} is not for ${username}, who does not have ${names.join(' and ')} in this channel.`);
}

function namesOf({ commands, guild }: InGuild): readonly string[] {
  return [...commands.in(guild.id), ...commands.in(undefined)]
    .filter(({ form }) => form.type === COMMAND_TYPES.slash)
    .map(({ form }) => form.name);
}

/** The subcommand and its group. */
function findSubcommand(command: Command, parts: readonly string[], locale: string): readonly CommandOption[] {
  let level: readonly CommandOption[] = command.form.options;
  const path = parts.map((word) => {
    const next = level.find((option) => isHolder(option.type) && isCalled(option, word, locale));
    if (!next) {
      const known = level.filter(({ type }) => isHolder(type)).map((option) => nameIn(option, locale));
      throw unknownName({ field: 'command', noun: 'subcommand', where: `of /${command.form.name}`, name: word, known });
    }
    level = next.options ?? [];
    return next;
  });
  if (level.some(({ type }) => isHolder(type))) {
    throw new OrderError(
      `command: /${[command.form.name, ...parts].join(' ')} needs a subcommand. Allowed: ${level.map((option) => nameIn(option, locale)).join(', ')}.`,
    );
  }
  return path;
}

/** An option as Discord sends it, with the objects that it names. */
interface Filled {
  readonly data: JsonObject;
  readonly attachment?: Attached;
  readonly resolved?: JsonObject;
}

/** The menus that offer the same objects as an option. */
const SELECTS: ReadonlyMap<number, number> = new Map([
  [OPTION_TYPES.user, COMPONENT_TYPES.userSelect],
  [OPTION_TYPES.channel, COMPONENT_TYPES.channelSelect],
  [OPTION_TYPES.role, COMPONENT_TYPES.roleSelect],
]);

function fill(
  discord: InGuild,
  option: CommandOption,
  value: TypedValue | undefined,
  cursor: { readonly locale: string; readonly isTyping: boolean; readonly isFocused: boolean },
): Filled | undefined {
  const { name, type, required, autocomplete } = option;
  if (cursor.isFocused) {
    if (!autocomplete) throw new OrderError(`focused: the option ${name} has no autocomplete.`);
    return { data: { name, type, value: String(value ?? ''), focused: true } };
  }
  if (value === undefined) {
    if (required && !cursor.isTyping) throw new OrderError(`options.${name}: required.`);
    return undefined;
  }
  const select = SELECTS.get(type);
  if (select !== undefined) {
    const { values, resolved } = toServerValues(discord, { type: select, channelTypes: option.channel_types ?? [] }, [String(value)]);
    return { data: { name, type, value: values[0] ?? null }, resolved };
  }
  if (type !== OPTION_TYPES.attachment) return { data: { name, type, value: toValue(option, value, cursor.locale) } };
  const attachment = attach(discord, String(value));
  return { data: { name, type, value: attachment.id }, attachment };
}

type Attached = ReturnType<typeof attach>;

/** Uploads the file in a data URL, for example `data:image/png;name=card.png;base64,…`. */
function attach({ files, context }: Discord, address: string) {
  const [, contentType = '', filename = 'file', base64] = DATA_URL.exec(address) ?? [];
  if (base64 === undefined) throw new OrderError('options: a file must be a data URL, such as data:image/png;name=card.png;base64,….');
  const bytes = Buffer.from(base64, 'base64');
  const { id, filename: name } = files.keep({ filename, contentType, bytes }, undefined);
  const url = `${context.url()}/discord/cdn/attachments/0/${id}/${name}`;
  return { id, filename: name, size: bytes.length, url, proxy_url: url, content_type: contentType, ephemeral: true };
}

function toValue(
  { name, type, choices, min_length: min = 0, max_length: max = 6000 }: CommandOption,
  value: TypedValue,
  locale: string,
): TypedValue {
  if (choices?.length) {
    const choice = choices.find((each) => each.value === value || isCalled(each, String(value), locale));
    if (!choice) {
      throw unknownName({ field: `options.${name}`, noun: 'choice', name: value, known: choices.map((each) => nameIn(each, locale)) });
    }
    return choice.value;
  }
  if (type === OPTION_TYPES.boolean) {
    if (typeof value !== 'boolean') throw new OrderError(`options.${name}: expected true or false, got ${shown(value)}.`);
    return value;
  }
  if (type === OPTION_TYPES.integer) {
    const number = Number(value);
    if (value === '' || !Number.isSafeInteger(number))
      throw new OrderError(`options.${name}: expected a whole number, got ${shown(value)}.`);
    return number;
  }
  const text = String(value);
  if (text.length < min || text.length > max)
    throw new OrderError(`options.${name}: expected a text of ${min} to ${max} characters, got ${shown(text)}.`);
  return text;
}

/** The entry of a message's menu that a person chooses. */
interface Chosen extends Pick<Typed, 'member' | 'channel' | 'locale' | 'forged'> {
  readonly message: Message;
  readonly menu: string;
}

/** The interaction data of a menu entry. Throws an {@link OrderError} if Discord does not offer the entry to the person. */
export function toMenuData(discord: InGuild, { member, channel, locale, forged, message, menu }: Chosen): JsonObject {
  const command = discord.commands.findNamed(discord.guild.id, menu, locale, COMMAND_TYPES.message);
  if (!command) {
    const { commands, guild } = discord;
    const all = [...commands.in(guild.id), ...commands.in(undefined)].filter(({ form }) => form.type === COMMAND_TYPES.message);
    throw unknownName({ field: 'menu', noun: 'entry', name: menu, known: all.map(({ form }) => form.name) });
  }
  if (!forged && !isAllowed(command, member, discord.guild.permissions(member, channel)))
    throw notAllowed(command, command.form.name, member);
  return {
    id: command.id,
    name: command.form.name,
    type: command.form.type,
    guild_id: command.guildId,
    target_id: message.id,
    resolved: { messages: { [message.id]: toMessage(discord, message) } },
  };
}
