import type { Channel } from '../guild/channel.ts';
import type { Member } from '../guild/members.ts';
import type { Discord } from '../parts.ts';
import { invalidForm, refusals } from '../refusal.ts';
import { dispatchCreated, dispatchDeleted, dispatchUpdated } from './events.ts';
import { checkLayout, textOf } from './layout.ts';
import { ALL_MENTIONS, type AllowedMentions, type Upload, findMentions } from './parts.ts';
import type { MessageForm } from './form.ts';
import { type Attachment, FLAGS, MESSAGE_TYPES, type Message, type Origin, type Version, currentOf } from './message.ts';

export type Uploads = ReadonlyMap<string, Upload>;

export interface Draft {
  readonly channel: Channel;
  readonly author: Member;
  readonly form: MessageForm;
  readonly uploads?: Uploads | undefined;
  /** The mentions that may ping by default. */
  readonly mentions?: AllowedMentions | undefined;
  /** The interaction that the message answers. */
  readonly origin?: Origin | undefined;
  readonly type?: number | undefined;
  readonly webhook?: { readonly id: string; readonly sender: NonNullable<Message['sender']> } | undefined;
  readonly visibleAtMs?: number | undefined;
  /** The first message of a forum thread has the id of the thread. */
  readonly id?: string | undefined;
}

const SENT_FLAGS = FLAGS.SuppressEmbeds | FLAGS.SuppressNotifications | FLAGS.IsComponentsV2;
const MAX_VERSIONS = 20;
const ANSWER_FLAGS = SENT_FLAGS | FLAGS.Ephemeral | FLAGS.Loading;

/** Creates a message in a channel and sends the event. */
export function post(
  discord: Discord,
  { channel, author, form, uploads, mentions, origin, type, webhook, visibleAtMs, id }: Draft,
): Message {
  const repliedTo = findReplied(discord, channel, form);
  const version = compose(discord, { channel, author, form, uploads, mentions, repliedTo }, undefined);
  const flags = (form.flags ?? 0) & (origin ? ANSWER_FLAGS : SENT_FLAGS);
  if (!(flags & FLAGS.Loading) && isEmpty(version)) throw refusals.emptyMessage();
  checkLayout({ ...version, flags });

  const message: Message = {
    id: id ?? discord.ids.next(),
    channelId: channel.id,
    authorId: webhook?.id ?? author.userId,
    ...(webhook && { sender: webhook.sender }),
    type: type ?? (repliedTo ? MESSAGE_TYPES.reply : MESSAGE_TYPES.normal),
    nonce: form.nonce,
    versions: [{ ...version, flags }],
    replyTo: repliedTo?.id,
    origin,
    reactions: [],
    visibleAtMs,
  };
  discord.messages.put(message);
  dispatchCreated(discord, message);
  return message;
}

/** Changes a message, stores the previous version, and sends the event. */
export function edit(
  discord: Discord,
  message: Message,
  { form, uploads, mentions }: Pick<Draft, 'form' | 'uploads' | 'mentions'>,
): Message {
  const { channels, members } = discord.guilds.of(message.channelId);
  const [channel, author] = [channels.find(message.channelId), message.sender ? members.bot : members.find(message.authorId)];
  if (!channel || !author) throw refusals.unknownMessage();

  const before = currentOf(message);
  const repliedTo = message.replyTo === undefined ? undefined : discord.messages.find(message.replyTo);
  const version = compose(discord, { channel, author, form, uploads, mentions, repliedTo }, before);
  if (isEmpty(version)) throw refusals.emptyMessage();
  checkLayout(version);

  const edited = { ...message, versions: latestVersions([...message.versions, version]) };
  discord.messages.put(edited);
  dispatchUpdated(discord, edited);
  return edited;
}

export function remove(discord: Discord, message: Message): void {
  discord.messages.put({ ...message, deletedAt: now(discord) });
  dispatchDeleted(discord, message);
}

interface Composing extends Pick<Draft, 'channel' | 'author' | 'form' | 'uploads' | 'mentions'> {
  readonly repliedTo: Message | undefined;
}

/** The version of a message after a change. */
function compose(discord: Discord, composing: Composing, before: Version | undefined): Version {
  const { channel, author, form, uploads, mentions = ALL_MENTIONS, repliedTo } = composing;
  const guild = discord.guilds.of(channel.id);
  const sizes = [...(uploads?.values() ?? [])].map(({ bytes }) => bytes.length);
  if (Math.max(0, ...sizes) > guild.fileBytes || sizes.reduce((sum, size) => sum + size, 0) > guild.requestBytes) throw refusals.tooLarge();
  const content = form.content === undefined ? (before?.content ?? '') : (form.content ?? '');
  const components = form.components === undefined ? (before?.components ?? []) : (form.components ?? []);
  return {
    at: now(discord),
    content,
    embeds: form.embeds === undefined ? (before?.embeds ?? []) : (form.embeds ?? []),
    components,
    attachments: [...keptAttachments(form, before), ...newAttachments(discord, form, uploads)],
    flags: before ? editedFlags(before.flags, form.flags) : 0,
    mentions: findMentions(guild, {
      text: [content, textOf(components)].join('\n'),
      allowed: form.allowedMentions ?? mentions,
      author,
      channel,
      repliedUserId: repliedTo?.authorId,
    }),
  };
}

function keptAttachments({ attachments: kept }: MessageForm, before: Version | undefined): readonly Attachment[] {
  const all = before?.attachments ?? [];
  return kept === undefined ? all : all.filter(({ id }) => kept?.some((attachment) => attachment.id === id));
}

function newAttachments({ files }: Discord, { attachments }: MessageForm, uploads: Uploads = new Map()): readonly Attachment[] {
  return [...uploads].map(([number, upload]) => files.keep(upload, attachments?.find(({ id }) => id === number)?.description));
}

/** An edit can hide or show embeds, turns a message into Components V2 but not back, and ends "is thinking". Other flags stay. */
function editedFlags(before: number, wanted = before): number {
  return (before & ~FLAGS.Loading & ~FLAGS.SuppressEmbeds) | (wanted & (FLAGS.SuppressEmbeds | FLAGS.IsComponentsV2));
}

function findReplied(discord: Discord, channel: Channel, { replyTo }: MessageForm): Message | undefined {
  if (!replyTo) return undefined;
  const message = discord.messages.existing(channel.id, replyTo.messageId);
  if (message || replyTo.mayBeMissing) return message;
  throw invalidForm([{ path: ['message_reference'], code: 'REPLIES_UNKNOWN_MESSAGE', message: 'Unknown message' }]);
}

function isEmpty({ content, embeds, components, attachments }: Version): boolean {
  return content === '' && embeds.length + components.length + attachments.length === 0;
}

function now({ context }: Discord): string {
  return new Date(context.clock.nowMs()).toISOString();
}

/** The first version and the latest versions. A card can be edited for hours. */
function latestVersions(versions: readonly Version[]): readonly Version[] {
  return versions.length <= MAX_VERSIONS ? versions : [...versions.slice(0, 1), ...versions.slice(1 - MAX_VERSIONS)];
}
