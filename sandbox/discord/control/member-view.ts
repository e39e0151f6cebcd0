import { COMMAND_TYPES, OPTION_TYPES, type CommandOption, descriptionIn, isHolder, nameIn } from '../commands/form.ts';
import { isForum, type Channel } from '../guild/channel.ts';
import type { Member } from '../guild/members.ts';
import { isAllowed } from '../interactions/typed-command.ts';
import { channelFor, inGuild, personNamed } from '../named.ts';
import type { Discord, InGuild } from '../parts.ts';
import type { z } from 'zod';
import type { MemberQuery } from './orders.ts';

/** What a member sees in a server: the channels, and the commands that the member may use in one of them. */
export function toMemberView(discord: Discord, { guild: name, channel: wanted, user, locale }: z.output<typeof MemberQuery>) {
  const scope = inGuild(discord, { guild: name, channel: wanted });
  const { guild, guilds } = scope;
  const member = user === undefined ? guild.members.owner : personNamed(scope, user);
  const visible = guild.channels.all().filter((channel) => guild.may(member, 'ViewChannel', channel));
  const [first] = visible;
  const channel =
    wanted === undefined && first ? (guild.channels.findNamed('general') ?? first) : channelFor(scope, wanted ?? '', member, 'ViewChannel');
  return {
    guild: { id: guild.id, name: guild.name },
    guilds: guilds.all.filter(({ hasBot }) => hasBot).map((each) => ({ id: each.id, name: each.name })),
    member: toPerson(member),
    members: guild.members.all().map(toPerson),
    roles: guild.roles.map((role) => ({ id: role.id, name: role.name })),
    channel: { ...toPlace(channel), topic: channel.topic, mayWrite: !isForum(channel) && guild.may(member, 'SendMessages', channel) },
    channels: visible.map(toPlace),
    ...commandsOf(scope, member, channel, locale),
  };
}

function toPerson({ userId, username, displayName, bot, owner, roleIds }: Member) {
  return { id: userId, username, displayName, bot, owner, roles: roleIds };
}

function toPlace(channel: Channel) {
  return { id: channel.id, name: channel.name, kind: channel.kind, parent: channel.thread?.parentId };
}

/** The commands and the entries of menus that Discord offers the member, in the language of the member. */
function commandsOf({ commands, guild }: InGuild, member: Member, channel: Channel, locale: string) {
  const permissions = guild.permissions(member, channel);
  const own = commands.in(guild.id);
  const global = commands
    .in(undefined)
    .filter(({ form }) => !own.some((each) => each.form.name === form.name && each.form.type === form.type));
  const isOffered = guild.may(member, 'UseApplicationCommands', channel) && guild.hasBot;
  const forms = [...own, ...global].filter((command) => isOffered && isAllowed(command, member, permissions)).map(({ form }) => form);
  return {
    commands: forms.filter(({ type }) => type === COMMAND_TYPES.slash).flatMap((form) => leavesOf(form, locale, '')),
    menus: forms.filter(({ type }) => type === COMMAND_TYPES.message).map((form) => nameIn(form, locale)),
  };
}

type Part = Pick<CommandOption, 'name' | 'name_localizations' | 'description' | 'description_localizations' | 'options'>;

interface TypedCommand {
  /** With its subcommands, such as `post now`. */
  readonly command: string;
  readonly description: string;
  readonly options: readonly ReturnType<typeof toOption>[];
}

/** The command, or each of its subcommands. */
function leavesOf(part: Part, locale: string, above: string): readonly TypedCommand[] {
  const command = `${above}${nameIn(part, locale)}`;
  const options = part.options ?? [];
  const inner = options.filter(({ type }) => isHolder(type));
  if (inner.length > 0) return inner.flatMap((each) => leavesOf(each, locale, `${command} `));
  return [{ command, description: descriptionIn(part, locale), options: options.map((option) => toOption(option, locale)) }];
}

const KINDS: Readonly<Record<number, 'integer' | 'boolean' | 'user' | 'channel' | 'role' | 'file'>> = {
  [OPTION_TYPES.integer]: 'integer',
  [OPTION_TYPES.boolean]: 'boolean',
  [OPTION_TYPES.user]: 'user',
  [OPTION_TYPES.channel]: 'channel',
  [OPTION_TYPES.role]: 'role',
  [OPTION_TYPES.attachment]: 'file',
};

function toOption(option: CommandOption, locale: string) {
  const { type, required = false, autocomplete = false, choices = [] } = option;
  return {
    name: nameIn(option, locale),
    description: descriptionIn(option, locale),
    kind: KINDS[type] ?? 'text',
    required,
    autocomplete,
    choices: choices.map((choice) => ({ name: nameIn(choice, locale), value: choice.value })),
  };
}
