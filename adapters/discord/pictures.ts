import type { EmbedDraft } from '#src/chat/parameters.ts';
import { PlatformError } from '#src/errors.ts';
import type { FetchFile } from '#src/media/fetch-file.ts';
import type { WireMessage } from './messages.ts';
import type { Attached } from './multipart.ts';

const PLACES = ['image', 'thumbnail'] as const;
const OWN_FILE = /\/attachments\/(\d+)\/(\d+)\/([\w.-]+)$/;
const EXTENSIONS: Readonly<Record<string, string>> = { 'image/jpeg': 'jpg', 'image/png': 'png', 'image/gif': 'gif', 'image/webp': 'webp' };

/** A card whose pictures are files of its own message. */
export interface KeptCard {
  readonly embed: EmbedDraft;
  readonly files: readonly Attached[];
}

/** Fetches the pictures of a card that wants them kept. One that cannot be had is `without` that says what stands there instead. */
export async function keepPictures(
  embed: EmbedDraft,
  {
    fetchFile,
    without = (address) => address,
    signal,
  }: {
    readonly fetchFile: FetchFile;
    readonly without?: ((address: string, place: (typeof PLACES)[number]) => string | undefined) | undefined;
    readonly signal?: AbortSignal | undefined;
  },
): Promise<KeptCard> {
  if (embed.pictures !== 'keep') return { embed, files: [] };
  const files: Attached[] = [];
  let kept = embed;
  for (const place of PLACES) {
    const address = embed[place];
    if (!address) continue;
    const file = await fetchPicture(address, place, fetchFile, signal);
    if (file) files.push(file);
    kept = { ...kept, [place]: file ? `attachment://${file.name}` : without(address, place) };
  }
  return { embed: kept, files };
}

async function fetchPicture(address: string, place: string, fetchFile: FetchFile, signal?: AbortSignal): Promise<Attached | undefined> {
  if (!URL.canParse(address)) return undefined;
  try {
    const file = await fetchFile(address, signal);
    const extension = EXTENSIONS[file.contentType];
    return extension === undefined ? undefined : { ...file, name: `card-${place}.${extension}` };
  } catch (error) {
    // The message matters more than its picture.
    if (error instanceof PlatformError) return undefined;
    throw error;
  }
}

/** The file of a message that a picture of its card is; undefined: it is from elsewhere. */
function ownFile(
  { channel_id }: Pick<WireMessage, 'channel_id'>,
  address: string | undefined,
): { readonly id: string; readonly name: string } | undefined {
  if (address === undefined || !URL.canParse(address)) return undefined;
  const [, channelId, id, name] = OWN_FILE.exec(new URL(address).pathname) ?? [];
  return channelId === channel_id && id !== undefined && name !== undefined ? { id, name } : undefined;
}

/** A card as it stands, with pictures that are files of its message named as that: by their address, they would be shown twice. */
export function standingCard(message: WireMessage): EmbedDraft | undefined {
  const [card] = message.embeds;
  if (!card) return undefined;
  const named = (address: string | undefined): string | undefined => {
    const file = ownFile(message, address);
    return file ? `attachment://${file.name}` : address;
  };
  return { ...card, image: named(card.image), thumbnail: named(card.thumbnail) };
}

/** The files of a message that stay where its card becomes `next`: what is attached beside it, and the pictures that it still shows. */
export function stayingFiles(message: WireMessage, next: EmbedDraft, fresh: readonly Attached[]): readonly { readonly id: string }[] {
  const replaced = new Set(fresh.map(({ name }) => `attachment://${name}`));
  const [card] = message.embeds;
  const shown = PLACES.flatMap((place) => {
    const file = ownFile(message, card?.[place]);
    const address = file && `attachment://${file.name}`;
    const stays = address !== undefined && !replaced.has(address) && PLACES.some((one) => next[one] === address);
    return file && stays ? [{ id: file.id }] : [];
  });
  return [...message.attachments.map(({ id }) => ({ id })), ...shown];
}
