import twitterText from 'twitter-text';
import { isJsonList, isJsonObject, type Json, type JsonObject } from '#src/clients/operation/json.ts';
import type { MessageView } from '#sandbox/discord/control/message-view.ts';
import { partsOf } from '#sandbox/mastodon/text.ts';
import type { Sandbox } from '#sandbox/index.ts';
import { controlApi } from '../../../support/control-api.ts';

/** A message as its platform received it, or as a preview shows it. */
export interface ReceivedMessage {
  readonly text: string;
  readonly pings: readonly string[];
  /** The descriptions of its files; on Discord, their number. */
  readonly files: readonly string[] | number;
  readonly channel?: string | undefined;
  readonly cards?: readonly JsonObject[] | undefined;
  readonly buttons?: readonly string[] | undefined;
  readonly warning?: string | undefined;
  readonly poll?: readonly string[] | undefined;
  readonly visibility?: string | undefined;
}

/** Messages by account, oldest first. */
export type Received = Readonly<Record<string, readonly ReceivedMessage[]>>;

/** A message on its platform. */
export interface ReceivedRecord {
  readonly id: string;
  /** The id of the message that it answers. */
  readonly replyTo?: string | undefined;
  readonly isDeleted: boolean;
  readonly message: ReceivedMessage;
}

interface PostView {
  readonly id: string;
  readonly replyTo?: string;
  readonly deletedAt?: string;
  readonly text?: string;
  readonly spoilerText?: string;
  readonly poll?: readonly string[];
  readonly visibility?: string;
  readonly media: readonly { readonly altText?: string }[];
}

/** All messages that the simulated platforms received. */
export async function receivedBy(sandbox: Sandbox): Promise<Received> {
  const records = await recordsBy(sandbox);
  return Object.fromEntries(Object.entries(records).map(([account, list]) => [account, list.map(({ message }) => message)]));
}

/** The records of all messages that the simulated platforms received, by account, oldest first. Bluesky forgets deleted ones. */
export async function recordsBy({ url }: Sandbox): Promise<Readonly<Record<string, readonly ReceivedRecord[]>>> {
  const control = controlApi(url);
  const listed = async <T>(path: string): Promise<readonly T[]> => (await control<{ items: T[] }>(path)).items;
  const [discord, x, bluesky, mastodon] = await Promise.all([
    listed<MessageView>('/messages?limit=1000'),
    listed<PostView>('/x/posts'),
    listed<{ uri: string; record: JsonObject }>('/bluesky/posts'),
    listed<PostView>('/mastodon/posts'),
  ]);
  return {
    discord: discord
      .filter((one) => one.author === 'Fanfare' && !isThreadNote(one))
      .map((one) => ({ ...identityOf(one), message: toMessage(one) })),
    x: x.map((one) => ({ ...identityOf(one), message: toXPost(one) })),
    bluesky: bluesky.map(({ uri, record }) => ({ ...blueskyIdentity(uri, record), message: toBlueskyPost(record) })),
    mastodon: mastodon.map((one) => ({ ...identityOf(one), message: toMastodonPost(one) })),
  };
}

function identityOf({
  id,
  replyTo,
  deletedAt,
}: Pick<PostView, 'id'> & { readonly replyTo?: string | undefined; readonly deletedAt?: unknown }) {
  return { id, replyTo, isDeleted: deletedAt !== undefined };
}

function blueskyIdentity(uri: string, { reply }: JsonObject) {
  const parent = isJsonObject(reply) ? reply['parent'] : undefined;
  return { id: uri, replyTo: isJsonObject(parent) ? textOf(parent['uri']) : undefined, isDeleted: false };
}

function toXPost({ text = '', poll, media }: PostView): ReceivedMessage {
  return { text, pings: handles(twitterText.extractMentions(text)), poll, files: altTexts(media) };
}

function toMastodonPost({ text = '', spoilerText, poll, media, visibility }: PostView): ReceivedMessage {
  return {
    text,
    pings: handles(partsOf(text).flatMap((part) => (part.kind === 'mention' && isHandle(part) ? [part.text.slice(1)] : []))),
    warning: spoilerText || undefined,
    poll,
    files: altTexts(media),
    visibility: visibility === 'private' ? 'followers' : visibility,
  };
}

/** The messages that arrived after the earlier ones. */
export function receivedSince(earlier: Received, now: Received): Received {
  const fresh = Object.entries(now).map(([account, list]) => [account, list.slice(earlier[account]?.length ?? 0)] as const);
  return Object.fromEntries(fresh.filter(([, list]) => list.length > 0));
}

function altTexts(media: PostView['media']): readonly string[] {
  return media.map(({ altText = '' }) => altText);
}

/** Handles in the form of a preview. */
export function handles(names: readonly string[]): readonly string[] {
  return [...new Set(names.map((name) => `@${name.toLowerCase()}`))].toSorted();
}

/** Accounts of the server have no dot in their names. */
function isHandle({ username, domain }: { readonly username: string; readonly domain: string | undefined }): boolean {
  return domain !== undefined || !username.includes('.');
}

const TEXT_CHANNELS: readonly string[] = ['live', 'general', 'moderators'];

function toMessage({ channel: { name = '' }, content, embeds, components, files, pinged }: MessageView): ReceivedMessage {
  const parts = partsIn(components as unknown as Json); // the answer of the control API is JSON
  // People see the files of a layout in its parts only.
  const isLayout = parts.some(({ type }) => type !== PARTS.row && type !== PARTS.button);
  return {
    // A post of a forum is in a thread with another name.
    channel: TEXT_CHANNELS.find((one) => name === one || name.startsWith(`${one}-thread`)) ?? 'guides',
    text: withoutPings(content),
    pings: [...pinged.roles, ...(pinged.everyone ? ['everyone'] : [])].toSorted(),
    cards: [...(embeds as unknown as readonly JsonObject[]), ...layoutOf(parts)].map(cardOf), // as before
    buttons: parts.flatMap(({ label }) => (typeof label === 'string' ? [label] : [])),
    files: isLayout ? filesIn(parts).length : files.length,
  };
}

/** Whether Discord wrote a message in a channel, because a thread began there. */
function isThreadNote({ channel: { name = '' }, content }: MessageView): boolean {
  return content === `${name}-thread`;
}

/** The text without the pings at its start, which previews show separately. */
export function withoutPings(text: string): string {
  return text.replace(/^\s*(?:(?:<@[&!]?\d+>|@everyone|@here)(?:\s+|$))+/u, '');
}

/** The types of the parts of a layout. */
const PARTS = { row: 1, button: 2, text: 10, container: 17 };

/** The parts of a message in their order, each before the parts in it. */
function partsIn(components: Json | undefined): readonly JsonObject[] {
  if (!isJsonList(components)) return [];
  return components.filter(isJsonObject).flatMap((one) => [one, ...partsIn(one['components'])]);
}

/** The addresses of the files that parts show. */
function filesIn(parts: readonly JsonObject[]): readonly string[] {
  const media = parts.flatMap(({ items, file }) => [
    ...(isJsonList(items) ? items.filter(isJsonObject).map((one) => one['media']) : []),
    file,
  ]);
  return media
    .filter(isJsonObject)
    .map(({ url }) => textOf(url))
    .filter(isFile);
}

function isFile(address: string): boolean {
  return address.startsWith('attachment://');
}

/** A layout as a card: its texts and its first picture; none if it has neither. */
function layoutOf(parts: readonly JsonObject[]): readonly JsonObject[] {
  const texts = parts.flatMap(({ type, content }) => (type === PARTS.text ? [textOf(content)] : []));
  const pictures = parts.flatMap(({ items }) => (isJsonList(items) ? items.filter(isJsonObject).map((one) => one['media']) : []));
  const picture = pictures.find((one) => isJsonObject(one) && !isFile(textOf(one['url'])));
  // The pings of a layout are above it.
  const description = withoutPings(texts.join('\n'));
  if (description === '' && picture === undefined) return [];
  const color = parts.find(({ type }) => type === PARTS.container)?.['accent_color'];
  return [{ description, image: picture, color }];
}

/** The fields of a card that members read. */
export function cardOf({ title, url, description, author, image, thumbnail, footer, fields, color }: JsonObject): JsonObject {
  const part = (of: Json | undefined, key: string): Json | undefined => (isJsonObject(of) ? of[key] : undefined);
  const rows = isJsonList(fields) ? fields.filter(isJsonObject).map(({ name, value }) => ({ name, value })) : [];
  return {
    title,
    url,
    description,
    color,
    fields: rows,
    author: part(author, 'name'),
    image: part(image, 'url'),
    thumbnail: part(thumbnail, 'url'),
    footer: part(footer, 'text'),
  };
}

export function textOf(value: Json | undefined): string {
  return typeof value === 'string' ? value : '';
}

function toBlueskyPost({ text, embed, facets, labels }: JsonObject): ReceivedMessage {
  const written = textOf(text);
  const bytes = Buffer.from(written);
  const objects = (list: Json | undefined): readonly JsonObject[] => (isJsonList(list) ? list.filter(isJsonObject) : []);
  const called = objects(facets).flatMap(({ index, features }) => {
    const isMention = objects(features).some(({ $type }) => textOf($type).endsWith('#mention'));
    return isMention && isJsonObject(index) ? [bytes.subarray(Number(index['byteStart']) + 1, Number(index['byteEnd'])).toString()] : [];
  });
  const values = isJsonObject(labels) ? objects(labels['values']).map(({ val }) => val) : [];
  return {
    text: written,
    pings: handles(called),
    warning: values.includes('nudity') ? 'Nudity' : undefined,
    poll: undefined,
    files: (isJsonObject(embed) ? (isJsonObject(embed['video']) ? [embed] : objects(embed['images'])) : []).map(({ alt }) => textOf(alt)),
  };
}
