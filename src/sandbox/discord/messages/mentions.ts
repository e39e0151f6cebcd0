import type { JsonObject } from '#src/operation/json.ts';
import type { Channel } from '../guild/channel.ts';
import type { Guild } from '../guild/guild.ts';
import type { Member } from '../guild/members.ts';
import { readComponents } from './component.ts';
import type { Mentions } from './message.ts';

/** Which mentions in a text may ping. */
export interface AllowedMentions {
  readonly parse: readonly ('users' | 'roles' | 'everyone')[];
  readonly users: readonly string[];
  readonly roles: readonly string[];
  readonly repliedUser: boolean;
}

/** What holds in a channel where a message says nothing. */
export const ALL_MENTIONS: AllowedMentions = { parse: ['users', 'roles', 'everyone'], users: [], roles: [], repliedUser: true };
/** What holds in the answer to an interaction that says nothing. */
export const USER_MENTIONS: AllowedMentions = { parse: ['users'], users: [], roles: [], repliedUser: false };

interface Mentioning {
  readonly text: string;
  readonly allowed: AllowedMentions;
  readonly author: Member;
  readonly channel: Channel;
  /** Whom the message answers. */
  readonly repliedUserId?: string | undefined;
}

/** Whom a text really pings: named in it, allowed by its request, and within its author's permissions. */
export function findMentions(guild: Guild, { text, allowed, author, channel, repliedUserId }: Mentioning): Mentions {
  const mayMentionAll = guild.may(author, 'MentionEveryone', channel);
  const users = named(text, /<@!?(\d+)>/g)
    .filter((id) => allowed.parse.includes('users') || allowed.users.includes(id))
    .filter((id) => guild.members.find(id) !== undefined);
  const roleIds = named(text, /<@&(\d+)>/g)
    .filter((id) => allowed.parse.includes('roles') || allowed.roles.includes(id))
    .filter((id) => guild.roles.some((role) => role.id === id && (role.mentionable || mayMentionAll)));
  const replied = repliedUserId !== undefined && allowed.repliedUser ? [repliedUserId] : [];
  return {
    everyone: mayMentionAll && allowed.parse.includes('everyone') && /@(?:everyone|here)\b/.test(text),
    roleIds,
    userIds: [...new Set([...users, ...replied])],
  };
}

/** All that is written in a message: its content, or the texts of its components. */
export function textOf(content: string, components: readonly JsonObject[]): string {
  return [content, ...readComponents(components).flatMap((component) => component.content ?? [])].join('\n');
}

function named(text: string, mention: RegExp): string[] {
  return [...new Set([...text.matchAll(mention)].flatMap(([, id]) => id ?? []))];
}
