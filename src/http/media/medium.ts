import { lateModule, wantsLate } from '#src/errors.ts';

/** What a platform shows a file as. */
type MediumKind = 'image' | 'gif' | 'video' | 'audio';

/** A file for a platform, read completely. */
export interface Medium {
  readonly content: Uint8Array<ArrayBuffer>;
  /** The media type by content, for example `image/png`. */
  readonly type: string;
  readonly kind: MediumKind;
  /** The file name, with the extension of its type. */
  readonly name: string;
  /** The width in pixels. */
  readonly width?: number | undefined;
  readonly height?: number | undefined;
  /** The number of frames of an animation. */
  readonly frames?: number | undefined;
}

/** The media that a platform accepts. */
export interface MediaLimits {
  /** The platform, as errors name it. */
  readonly platform: string;
  /** The accepted types, for example `image/png`; absent if all are accepted. */
  readonly types?: readonly string[] | undefined;
  /** The largest size of each kind in bytes. A kind without a size is not accepted. */
  readonly mostBytes: Readonly<Partial<Record<MediumKind, number>>>;
  /** The longest side of a picture, in pixels. */
  readonly longestSide?: number | undefined;
  /** The largest number of pixels of a picture. */
  readonly mostPixels?: number | undefined;
  /** The largest number of pixels of a GIF file, if it is lower. */
  readonly mostGifPixels?: number | undefined;
  /** The limits of an animation, if they are lower. */
  readonly moving?: { readonly mostWidth: number; readonly mostHeight: number; readonly mostFrames: number } | undefined;
}

/** The properties of a file, by its content. */
export interface MediaInfo extends Pick<Medium, 'type' | 'kind' | 'width' | 'height' | 'frames'> {
  /** The extension of its type, for example `png`. */
  readonly extension: string;
}

/** These libraries are large, so a command without files does not load them. */
export const loadSharp = lateModule('sharp', async () => (await import('sharp')).default);
const loadFileTypes = lateModule('file-type', () => import('file-type'));
for (const load of [loadSharp, loadFileTypes]) wantsLate(load);

/** Inspects a file; rejects if it is damaged, or not a picture, video or sound. */
export async function inspectMedia(content: Uint8Array): Promise<MediaInfo> {
  const { fileTypeFromBuffer } = await loadFileTypes();
  const found = await fileTypeFromBuffer(content);
  const [family] = found?.mime.split('/') ?? [];
  if (!found) throw new Error('the type is unknown');
  const { ext: extension } = found;
  // Lists of accepted types have no parameters.
  const [type = found.mime] = found.mime.split(';');
  if (family === 'video' || family === 'audio') return { type, kind: family, extension };
  if (family !== 'image') throw new Error(`${type} is not a picture, video or sound`);
  const sharp = await loadSharp();
  // metadata() reads no pixels, so a picture of any size is safe here.
  const { width, height, pages = 1, orientation = 1 } = await sharp(content, { animated: true, limitInputPixels: false }).metadata();
  const one = { width, height: Math.round(height / pages) };
  // Orientations from 5 on swap width and height.
  const upright = orientation >= 5 ? { width: one.height, height: one.width } : one;
  return type === 'image/gif' && pages > 1
    ? { type, kind: 'gif', extension, ...upright, frames: pages }
    : { type, kind: 'image', extension, ...upright };
}

/** A larger picture exhausts the memory of the machine. */
export const MOST_PIXELS = 300_000_000;

const MIB = 1024 * 1024;

/** A size for people, for example `10 MiB`. */
export function sizeText(bytes: number): string {
  if (bytes < MIB) return `${Math.round(bytes / 1024)} KiB`;
  return `${Number((bytes / MIB).toFixed(bytes < 10 * MIB ? 1 : 0))} MiB`;
}
