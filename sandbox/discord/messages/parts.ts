import { z } from 'zod';
import { isJsonObject, type Json, type JsonObject } from '#src/clients/operation/json.ts';
import type { Journal } from '../../journal.ts';
import { Address } from '../form.ts';
import type { Channel } from '../guild/channel.ts';
import type { Guild } from '../guild/guild.ts';
import type { Member } from '../guild/members.ts';
import { type Snowflakes, toTimestamp } from '../snowflake.ts';
import type { Attachment, Mentions } from './message.ts';

const MAX_CHARACTERS = 6000;

const text = (max: number) => z.string().trim().max(max).nullish();
const address = Address.nullish();
const picture = z.object({ url: address }).nullish();

/** An embed as clients send and receive it. */
export const Embed = z.object({
  title: text(256),
  description: text(4096),
  url: address,
  timestamp: z.iso.datetime({ offset: true }).nullish(),
  color: z.int().min(0).max(0xff_ff_ff).nullish(),
  footer: z.object({ text: z.string().trim().max(2048), icon_url: address }).nullish(),
  image: z.object({ url: address, description: z.string().max(1024).nullish() }).nullish(),
  thumbnail: picture,
  author: z.object({ name: z.string().trim().max(256), url: address, icon_url: address }).nullish(),
  fields: z
    .array(z.object({ name: z.string().trim().min(1).max(256), value: z.string().trim().min(1).max(1024), inline: z.boolean().nullish() }))
    .max(25)
    .nullish(),
});
export type Embed = z.output<typeof Embed>;

/** A color and a link alone are no embed. */
const ShownEmbed = Embed.refine(
  (embed) =>
    Object.entries(embed).some(([key, value]) => key !== 'color' && key !== 'url' && value !== undefined && value !== null && value !== ''),
  { path: ['description'], params: { code: 'BASE_TYPE_REQUIRED' }, message: 'This field is required' },
);

/** The embeds of a message, in the form that Discord stores. */
export const Embeds = z
  .array(ShownEmbed)
  .max(10)
  .refine((embeds) => embeds.reduce((sum, embed) => sum + countCharacters(embed), 0) <= MAX_CHARACTERS, {
    params: { code: 'MAX_EMBED_SIZE_EXCEEDED' },
    message: `Embed size exceeds maximum size of ${MAX_CHARACTERS}`,
  })
  .transform((embeds) => embeds.map(toStored));

/** Replaces `attachment://` addresses in a stored embed. */
export function resolvePictures(embed: JsonObject, address: (filename: string) => string | undefined): JsonObject {
  const resolved = JSON.stringify(embed).replaceAll(/attachment:\/\/([\w.-]+)/g, (whole, filename: string) => address(filename) ?? whole);
  // The embed was an object, and only texts in it changed.
  return JSON.parse(resolved) as JsonObject;
}

interface NamedFile {
  readonly id: string;
  readonly filename: string;
  readonly url: string;
}

/** {@link resolvePictures} of a stored component: its media also get the ids of their files. */
export function resolveFiles(component: JsonObject, files: readonly NamedFile[]): JsonObject {
  const resolved = JSON.stringify(component, (_, value: Json) => {
    const url = isJsonObject(value) ? value['url'] : undefined;
    const file = files.find(({ filename }) => url === `attachment://${filename}`);
    return isJsonObject(value) && file ? { ...value, url: file.url, attachment_id: file.id } : value;
  });
  // As above.
  return JSON.parse(resolved) as JsonObject;
}

function countCharacters({ title, description, footer, author, fields }: Embed): number {
  const texts = [title, description, footer?.text, author?.name, ...(fields ?? []).flatMap(({ name, value }) => [name, value])];
  return texts.reduce((sum, part) => sum + Array.from(part ?? '').length, 0);
}

function toStored(embed: Embed): JsonObject {
  const present = Object.fromEntries(Object.entries(embed).filter(([, value]) => value !== null && value !== undefined && value !== ''));
  return {
    type: 'rich',
    ...present,
    ...(embed.timestamp && { timestamp: toTimestamp(Date.parse(embed.timestamp)) }),
    ...(embed.fields && { fields: embed.fields.map(({ name, value, inline }) => ({ name, value, inline: inline ?? false })) }),
  };
}

const COLLECTION = 'discord.files';

const StoredFile = z.object({ contentType: z.string().optional(), base64: z.string() });

/** A file in a request. */
export interface Upload {
  readonly filename: string;
  readonly contentType?: string | undefined;
  readonly bytes: Uint8Array;
}

/** The attachments of messages. The journal stores them. */
export class Files {
  readonly #journal: Journal;
  readonly #ids: Snowflakes;

  constructor({ journal, ids }: { readonly journal: Journal; readonly ids: Snowflakes }) {
    this.#journal = journal;
    this.#ids = ids;
  }

  keep({ filename, contentType, bytes }: Upload, description: string | undefined): Attachment {
    const id = this.#ids.next();
    this.#journal.put(COLLECTION, id, { contentType, base64: Buffer.from(bytes).toString('base64') });
    return { id, filename: filename.replaceAll(/[^\w.-]+/g, '_'), sizeBytes: bytes.byteLength, contentType, description };
  }

  find(id: string): { readonly contentType: string | undefined; readonly bytes: Buffer<ArrayBuffer> } | undefined {
    const document = this.#journal.get(COLLECTION, id);
    if (document === undefined) return undefined;
    const { contentType, base64 } = StoredFile.parse(document);
    return { contentType, bytes: Buffer.from(base64, 'base64') };
  }
}

/** The mentions that may ping. */
export interface AllowedMentions {
  readonly parse: readonly ('users' | 'roles' | 'everyone')[];
  readonly users: readonly string[];
  readonly roles: readonly string[];
  readonly repliedUser: boolean;
}

/** The default in a channel. */
export const ALL_MENTIONS: AllowedMentions = { parse: ['users', 'roles', 'everyone'], users: [], roles: [], repliedUser: true };
export const NO_MENTIONS: AllowedMentions = { parse: [], users: [], roles: [], repliedUser: false };
/** The default in answers to interactions. */
export const USER_MENTIONS: AllowedMentions = { parse: ['users'], users: [], roles: [], repliedUser: false };

interface Mentioning {
  readonly text: string;
  readonly allowed: AllowedMentions;
  readonly author: Member;
  readonly channel: Channel;
  readonly repliedUserId?: string | undefined;
}

/** The users and roles that a text pings: mentioned in it, allowed by the request, and permitted for the author. */
export function findMentions(guild: Guild, { text, allowed, author, channel, repliedUserId }: Mentioning): Mentions {
  const mayMentionAll = guild.may(author, 'MentionEveryone', channel);
  const users = named(text, /<@!?(\d+)>/g)
    .filter((id) => allowed.parse.includes('users') || allowed.users.includes(id))
    .filter((id) => guild.members.find(id) !== undefined);
  const roleIds = named(text, /<@&(\d+)>/g)
    // The role of all members pings no one: members read `@@everyone`.
    .filter((id) => id !== guild.id)
    .filter((id) => allowed.parse.includes('roles') || allowed.roles.includes(id))
    .filter((id) => guild.roles.some((role) => role.id === id && (role.mentionable || mayMentionAll)));
  const replied = repliedUserId !== undefined && allowed.repliedUser ? [repliedUserId] : [];
  return {
    everyone: mayMentionAll && allowed.parse.includes('everyone') && /@(?:everyone|here)\b/.test(text),
    roleIds,
    userIds: [...new Set([...users, ...replied])],
  };
}

function named(text: string, mention: RegExp): string[] {
  return [...new Set([...text.matchAll(mention)].flatMap(([, id]) => id ?? []))];
}
