import { readFile, stat } from 'node:fs/promises';
import { basename, resolve } from 'node:path';
import type { z } from 'zod';
import type { EmbedDraft, Files } from '#src/clients/chat/parameters.ts';
import { PlatformError, ValidationError } from '#src/errors.ts';
import { fileKindError, privateFileError, readErrorText } from '#src/http/media/file-errors.ts';
import { type FetchFile, type FileLimit, fileNameOf, toFileName } from '#src/http/media/fetch-file.ts';
import { sizeText } from '#src/http/media/medium.ts';
import { forPart } from '#src/clients/operation/part.ts';
import type { Attached } from './client.ts';
import { USUAL_BYTES } from './upload-limit.ts';
import type { WireMessage } from './wire/message.ts';

type Wanted = NonNullable<z.output<typeof Files>>[number];

/** Loads the attachments of a message, with the limit of their size. */
interface FileSource {
  readonly fetchFile: FetchFile;
  readonly fileLimit: FileLimit;
}

/** The sources of files of the usual size, and of a file that is alone in its message. */
export interface FileSources {
  readonly fetchFile: FetchFile;
  readonly single: FileSource;
}

/** The source of the attachments of a message. */
export function sourceOf(wanted: readonly unknown[], { fetchFile, single }: FileSources): FileSource {
  return wanted.length === 1 ? single : { fetchFile, fileLimit: () => Promise.resolve(USUAL_BYTES) };
}

/** Loads attachments. Optional attachments that cannot be loaded are left out. */
export async function attach(wanted: readonly Wanted[], sources: FileSources, signal?: AbortSignal): Promise<readonly Attached[]> {
  const source = sourceOf(wanted, sources);
  const found = await Promise.all(
    wanted.map((one, index) =>
      isOptional(one) ? attempt(one, source, signal) : forPart({ parameter: 'files', index }, read(one, source, signal)),
    ),
  );
  return withUniqueNames(found.filter((one) => one !== undefined));
}

/** The file name that Discord stores. Recovery compares it. */
export function fileName(file: Wanted): string {
  if (typeof file === 'string') return fileNameOf(file);
  if ('url' in file) return fileNameOf(file.url);
  return toFileName('path' in file ? basename(file.path) : file.name);
}

export function isOptional(file: Wanted): boolean {
  return typeof file === 'object' && file.optional === true;
}

async function attempt(file: Wanted, source: FileSource, signal?: AbortSignal): Promise<Attached | undefined> {
  try {
    return await read(file, source, signal);
  } catch (error) {
    if (error instanceof PlatformError || error instanceof ValidationError) return undefined;
    throw error;
  }
}

/** An attached file. */
export async function read(file: Wanted, { fetchFile, fileLimit }: FileSource, signal?: AbortSignal): Promise<Attached> {
  if (typeof file === 'string') return fetchFile(file, signal);
  const { altText } = file;
  if ('url' in file) return { ...(await fetchFile(file.url, signal)), altText };
  const bytes = 'path' in file ? await contentOf(file.path, fileLimit, signal) : Buffer.from(file.base64, 'base64');
  const name = fileName(file);
  const most = await fileLimit(bytes.length, signal);
  if (bytes.length > most) {
    throw new PlatformError(`The file ${name} cannot be attached: it is larger than ${sizeText(most)}.`, {
      platform: 'discord',
      fault: 'rejected',
    });
  }
  return { name, contentType: 'application/octet-stream', bytes, altText };
}

async function contentOf(path: string, fileLimit: FileLimit, signal?: AbortSignal): Promise<Buffer<ArrayBuffer>> {
  const refused = (why: string, cause?: unknown): ValidationError =>
    new ValidationError(`the file ${resolve(path)} cannot be attached: ${why}`, { path: 'files', cause });
  try {
    const found = await stat(path);
    const why = fileKindError(found) ?? privateFileError(path, found);
    if (why !== undefined) throw refused(why);
    const most = await fileLimit(found.size, signal);
    if (found.size > most) throw refused(`it is larger than ${sizeText(most)}`);
    return await readFile(path, { signal });
  } catch (cause) {
    signal?.throwIfAborted();
    if (cause instanceof ValidationError || cause instanceof PlatformError) throw cause;
    throw refused(readErrorText(cause), cause);
  }
}

/** File names in a message must be unique, because cards reference files by name. */
function withUniqueNames(files: readonly Attached[]): readonly Attached[] {
  const names = new Set<string>();
  return files.map((file) => {
    const name = uniqueName(file.name, names);
    names.add(name);
    return { ...file, name };
  });
}

/** The name of a file in a message that has files with these names. */
export function uniqueName(name: string, names: ReadonlySet<string>): string {
  let unique = name;
  for (let number = 2; names.has(unique); number++) unique = `${number}_${name}`;
  return unique;
}

const PICTURES = ['image', 'thumbnail'] as const;
const ATTACHMENT_PATH = /\/attachments\/(\d+)\/(\d+)\/([\w.-]+)$/;
const EXTENSIONS: ReadonlyMap<string, string> = new Map([
  ['image/jpeg', 'jpg'],
  ['image/png', 'png'],
  ['image/gif', 'gif'],
  ['image/webp', 'webp'],
]);

/** Cards whose pictures are attachments of the same message. */
interface KeptCards {
  readonly cards: readonly EmbedDraft[];
  readonly files: readonly Attached[];
}

interface KeepOptions {
  readonly fetchFile: FetchFile;
  /** The address that replaces an unavailable picture. */
  readonly without?: ((address: string, target: (typeof PICTURES)[number]) => string | undefined) | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Fetches the pictures of cards with `pictures: keep`. */
export async function keepPictures(cards: readonly EmbedDraft[], options: KeepOptions): Promise<KeptCards> {
  const kept: EmbedDraft[] = [];
  const files: Attached[] = [];
  for (const [index, card] of cards.entries()) {
    const one = await keepPicturesOf(card, index === 0 ? 'card' : `card-${index + 1}`, options);
    kept.push(one.card);
    files.push(...one.files);
  }
  return { cards: kept, files };
}

async function keepPicturesOf(
  card: EmbedDraft,
  prefix: string,
  { fetchFile, without = (address) => address, signal }: KeepOptions,
): Promise<{ readonly card: EmbedDraft; readonly files: readonly Attached[] }> {
  if (card.pictures !== 'keep') return { card, files: [] };
  const files: Attached[] = [];
  let kept = card;
  for (const target of PICTURES) {
    const address = card[target];
    if (!address) continue;
    const file = await fetchPicture(address, `${prefix}-${target}`, fetchFile, signal);
    if (file) files.push(target === 'image' ? { ...file, altText: card.altText || undefined } : file);
    kept = { ...kept, [target]: file ? `attachment://${file.name}` : without(address, target) };
  }
  return { card: kept, files };
}

async function fetchPicture(address: string, name: string, fetchFile: FetchFile, signal?: AbortSignal): Promise<Attached | undefined> {
  if (!URL.canParse(address)) return undefined;
  try {
    const file = await fetchFile(address, signal);
    const extension = EXTENSIONS.get(file.contentType);
    return extension === undefined ? undefined : { ...file, name: `${name}.${extension}` };
  } catch (error) {
    // The message matters more than its picture.
    if (error instanceof PlatformError) return undefined;
    throw error;
  }
}

/** The attachment that a picture of the card shows; undefined for other addresses. */
function fileOfMessage(
  { channel_id }: Pick<WireMessage, 'channel_id'>,
  address: string | undefined,
): { readonly id: string; readonly name: string } | undefined {
  if (address === undefined || !URL.canParse(address)) return undefined;
  const [, channelId, id, name] = ATTACHMENT_PATH.exec(new URL(address).pathname) ?? [];
  return channelId === channel_id && id !== undefined && name !== undefined ? { id, name } : undefined;
}

/** The current cards with `attachment://` references to the files of their message. With addresses, Discord would show the pictures twice. */
export function standingCards(message: WireMessage): readonly EmbedDraft[] {
  const named = (address: string | undefined): string | undefined => {
    const file = fileOfMessage(message, address);
    return file ? `attachment://${file.name}` : address;
  };
  return message.embeds.map((card) => ({ ...card, image: named(card.image), thumbnail: named(card.thumbnail) }));
}

/** The files that a message keeps when its cards become `next`: files outside the cards, and pictures that `next` shows. */
export function stayingFiles(
  message: WireMessage,
  next: readonly EmbedDraft[],
  fresh: readonly Attached[],
): readonly { readonly id: string }[] {
  const replaced = new Set(fresh.map(({ name }) => `attachment://${name}`));
  const pictures = (cards: readonly EmbedDraft[]) => cards.flatMap((card) => PICTURES.flatMap((target) => card[target] ?? []));
  const wanted = new Set(pictures(next));
  const shown = pictures(message.embeds).flatMap((picture) => {
    const file = fileOfMessage(message, picture);
    const address = file && `attachment://${file.name}`;
    return file && address !== undefined && wanted.has(address) && !replaced.has(address) ? [{ id: file.id }] : [];
  });
  return [...message.attachments.map(({ id }) => ({ id })), ...shown];
}
