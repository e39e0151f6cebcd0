import { createHash } from 'node:crypto';
import { z } from 'zod';
import type { Button } from '#src/clients/chat/buttons.ts';
import { buttonsOf, type Layout } from '#src/clients/chat/layout.ts';
import type { EmbedDraft, Files } from '#src/clients/chat/parameters.ts';
import { cardsOf } from '#src/clients/chat/sendable-cards.ts';
import type { Clock } from '#src/clock.ts';
import { forRefusedPart } from '#src/clients/operation/part.ts';
import { shortenMarkdown } from '#src/clients/operation/text/shorten-markdown.ts';
import { attach, type FileSources, keepPictures } from './attachments.ts';
import { EVERYONE, type Channels, type Named, type NamedThings } from './channels.ts';
import { type Attached, type DiscordApi, toAttachments } from './client.ts';
import type { EditPace } from './edit-pace.ts';
import { missing } from './errors.ts';
import type { ChannelHistory } from './history.ts';
import { toWireComponents } from './wire/components.ts';
import { toWireEmbeds } from './wire/embed.ts';
import { WireMessage } from './wire/message.ts';

/** The pings of a message. */
interface Mentions {
  /** Discord's `allowed_mentions`: the only mentions that ping. */
  readonly allowed: object;
  /** The text. Missing mentions are added at its start, and its end is cut if necessary. */
  into(content: string | undefined): string | undefined;
}

interface Mention {
  readonly list: 'parse' | 'roles' | 'users';
  readonly id: string;
  readonly text: string;
}

const SNOWFLAKE = /^\d{15,}$/;
/** Discord's limit for a message. */
const MOST_CHARACTERS = 2000;

/** The mentions of a rule: a role by name or id, a user by id, `everyone` or `here`. An id can be in the form of a mention. */
export async function toMentions(names: readonly string[] = [], roles: NamedThings, signal?: AbortSignal): Promise<Mentions> {
  const mentions: Mention[] = [];
  for (const [index, name] of names.entries()) {
    if (names.indexOf(name) !== index) continue;
    mentions.push(await forRefusedPart({ parameter: 'mention', index }, toMention(name, roles, signal)));
  }
  const idsIn = (wanted: Mention['list']): readonly string[] => mentions.filter(({ list }) => list === wanted).map(({ id }) => id);

  return {
    allowed: { parse: idsIn('parse').slice(0, 1), roles: idsIn('roles'), users: idsIn('users'), replied_user: false },
    into: (content = '') =>
      withMentions(
        mentions.map(({ text }) => text),
        content,
      ) || undefined,
  };
}

/** A text with the mentions that it lacks at its start. Its end is cut if necessary. */
function withMentions(mentions: readonly string[], content: string): string {
  // A mention in the part that is cut away would ping no one.
  const kept = shortenMarkdown(content, MOST_CHARACTERS - mentions.join(' ').length - 1);
  const lead = mentions.flatMap((text) => (hasMention(kept, text) ? [] : `${text} `)).join('');
  return (lead + shortenMarkdown(content, MOST_CHARACTERS - lead.length)).trimEnd();
}

/** `@everyone1` mentions no one. */
function hasMention(content: string, mention: string): boolean {
  return content.split(mention).some((after, index) => index > 0 && !/^\w/u.test(after));
}

const LEADING_MENTIONS = /^(?:(?:<@[&!]?\d+>|@everyone|@here)(?: |$))+/u;

/**
 * The new text of a message, with the mentions at the start of its current text: an edit pings no one, and the ping stays visible. The text
 * of a rule leaves room for the pings of its message. Other mentions at the start are left out if there is no room.
 */
export function keepMentions(current: string, content: string): string {
  // An empty text removes the whole text.
  if (content === '') return content;
  const [before = ''] = LEADING_MENTIONS.exec(current) ?? [];
  const kept = before.split(' ').filter((mention) => mention !== '' && !hasMention(content, mention));
  const text = [...kept, content].join(' ');
  return (text.length > MOST_CHARACTERS ? content : text).trimEnd();
}

async function toMention(written: string, roles: NamedThings, signal: AbortSignal | undefined): Promise<Mention> {
  const name = /^<@!?(\d+)>$/u.exec(written)?.[1] ?? written.replace(/^@/u, '');
  if (name === 'everyone' || name === 'here') return { list: 'parse', id: 'everyone', text: `@${name}` };
  const role = await findRole(name, roles, signal);
  if (role) return { list: 'roles', id: role.id, text: `<@&${role.id}>` };
  if (SNOWFLAKE.test(name)) return { list: 'users', id: name, text: `<@${name}>` };
  throw missing(`The Discord server has no role "${name}". To mention a user, write the id, for example 123456789012345678.`);
}

/**
 * A role other than that of all members. Only `everyone` and `@everyone` stand for all members: a text of a platform can contain the id of
 * the server, which is the id of that role, and Discord pings no one for it.
 */
async function findRole(name: string, roles: NamedThings, signal: AbortSignal | undefined): Promise<Named | undefined> {
  const role = await roles.find(name, signal);
  if (role?.name === EVERYONE) throw missing(`"${name}" is the role of all members: write ${EVERYONE}, or name another role.`);
  return role;
}

/** Throws `missing` if the server lacks one of these roles. */
export async function requireRoles(names: readonly string[] = [], roles: NamedThings, signal?: AbortSignal): Promise<void> {
  for (const name of names) {
    if (name === EVERYONE) continue;
    if (!(await findRole(name, roles, signal))) await roles.require(name, signal);
  }
}

/** One Discord server of an account. */
export interface Server extends FileSources {
  readonly guildId: string;
  readonly account: string;
  readonly api: DiscordApi;
  readonly channels: Channels;
  readonly roles: NamedThings;
  readonly history: ChannelHistory;
  readonly pace: EditPace;
  readonly clock: Clock;
}

/** An ignored answer. */
export const NoAnswer = z.unknown();

/** The content of a new message. */
export interface Draft {
  readonly content?: string | undefined;
  readonly embed?: EmbedDraft | undefined;
  readonly embeds?: readonly EmbedDraft[] | undefined;
  readonly layout?: Layout | undefined;
  readonly buttons?: readonly Button[] | undefined;
  /** The key of the write, by which a press of a button finds it. */
  readonly key?: string | undefined;
  readonly mention?: readonly string[] | undefined;
  readonly nonce?: string | undefined;
  /** Other fields of Discord's form. */
  readonly more?: object | undefined;
  readonly files?: z.output<typeof Files>;
}

/** Throws if the server lacks a role of a button. */
export async function requireButtonRoles(
  message: Pick<Draft, 'buttons' | 'layout'>,
  roles: NamedThings,
  signal?: AbortSignal,
): Promise<void> {
  for (const button of buttonsOf(message)) {
    if ('role' in button) await roles.require(button.role, signal);
    else if ('allow' in button) await requireRoles(button.allow, roles, signal);
  }
}

/** The form of a message, and its files. */
interface Composed {
  readonly form: object;
  readonly files: readonly Attached[];
}

/** Loads the attachments of a message, and resolves its mentions. */
export async function compose(
  { roles, ...sources }: Pick<Server, 'roles' | keyof FileSources>,
  { content, layout, buttons, key, mention, nonce, more, files: wanted = [], ...draft }: Draft,
  signal: AbortSignal | undefined,
): Promise<Composed> {
  const mentions = await toMentions(mention, roles, signal);
  const attached = await attach(wanted, sources, signal);
  await requireButtonRoles({ buttons, layout }, roles, signal);
  const { cards, files: pictures } = await keepPictures(cardsOf(draft), { ...sources, signal });
  const files = [...attached, ...pictures];
  const text = mentions.into(content);
  return {
    form: {
      ...(layout === undefined && { content: text, embeds: cards.length > 0 ? toWireEmbeds(cards) : undefined }),
      ...toWireComponents({ buttons, layout, files }, key, text),
      allowed_mentions: mentions.allowed,
      ...(files.length > 0 && { attachments: toAttachments(files) }),
      ...(nonce !== undefined && { nonce, enforce_nonce: true }),
      ...more,
    },
    files,
  };
}

/** Sends a message to a channel. */
export async function write(server: Server, channelId: string, draft: Draft, signal: AbortSignal | undefined): Promise<WireMessage> {
  const { form, files } = await compose(server, draft, signal);
  return server.api({ method: 'POST', path: `/channels/${channelId}/messages`, body: form, files, answer: WireMessage, signal });
}

/** The nonce of a write. It is the same for every attempt and has at most 25 characters. */
export function toNonce(key: string): string {
  return createHash('sha256').update(key).digest('base64url').slice(0, 25);
}
