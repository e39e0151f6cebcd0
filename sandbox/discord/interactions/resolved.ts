import type { JsonObject } from '#src/operation/json.ts';
import { toChannel, toPartialMember, toRole, toUser } from '../guild/wire.ts';
import { OrderError } from '../order-error.ts';
import { channelNamed, memberNamed, roleNamed } from '../named.ts';
import type { Discord, InGuild } from '../parts.ts';

const DATA_ADDRESS = /^data:([\w.+/-]*)(?:;name=([^;,]+))?;base64,([A-Za-z0-9+/]*=*)$/;

/** Somebody or something that a person named in an interaction. */
interface Named {
  readonly id: string;
  readonly users?: JsonObject;
  readonly members?: JsonObject;
  readonly roles?: JsonObject;
  readonly channels?: JsonObject;
  readonly attachments?: JsonObject;
}

export function nameUser(discord: InGuild, name: string): Named {
  const member = memberNamed(discord, name);
  const id = member.userId;
  return { id, users: { [id]: toUser(member) }, members: { [id]: toPartialMember(member) } };
}

export function nameRole(discord: InGuild, name: string): Named {
  const role = roleNamed(discord, name);
  return { id: role.id, roles: { [role.id]: toRole(role) } };
}

export function nameChannel(discord: InGuild, name: string): Named {
  const channel = channelNamed(discord, name);
  const { id } = channel;
  return { id, channels: { [id]: { ...toChannel(discord.guild, channel, discord.messages.lastId(id)), permissions: '0' } } };
}

export function nameMentionable(discord: InGuild, name: string): Named {
  return discord.guild.members.findNamed(name) ? nameUser(discord, name) : nameRole(discord, name);
}

/** A file that a person has, as its `data:` address, with a name where it has one: `data:image/png;name=card.png;base64,…`. */
export function nameFile({ files, context }: Discord, address: string): Named {
  const [, contentType = '', filename = 'file', base64] = DATA_ADDRESS.exec(address) ?? [];
  if (base64 === undefined) throw new OrderError('a file is given as its address, data:image/png;name=card.png;base64,…');
  const bytes = Buffer.from(base64, 'base64');
  const kept = files.keep({ filename, contentType, bytes }, undefined);
  const url = `${context.url()}/discord/cdn/attachments/0/${kept.id}/${kept.filename}`;
  const attachment = {
    id: kept.id,
    filename: kept.filename,
    size: bytes.length,
    url,
    proxy_url: url,
    content_type: contentType,
    ephemeral: true,
  };
  return { id: kept.id, attachments: { [kept.id]: attachment } };
}

/** The resolved users, roles, channels and messages of an interaction. */
export function toResolved(named: readonly Named[]): JsonObject | undefined {
  const merge = (kind: 'users' | 'members' | 'roles' | 'channels' | 'attachments') => {
    const entries = named.flatMap((each) => Object.entries(each[kind] ?? {}));
    return entries.length > 0 ? { [kind]: Object.fromEntries(entries) } : {};
  };
  return named.length > 0
    ? { ...merge('users'), ...merge('members'), ...merge('roles'), ...merge('channels'), ...merge('attachments') }
    : undefined;
}
