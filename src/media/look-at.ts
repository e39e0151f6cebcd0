import type { Medium } from './medium.ts';

/** What a file is, by its content. */
export interface Seen extends Pick<Medium, 'type' | 'kind' | 'width' | 'height' | 'frames'> {
  /** With what names of its type end, as `png`. */
  readonly extension: string;
}

/** What `content` is; rejects where it is damaged, or nothing that can be seen or heard. */
export async function lookAt(content: Uint8Array): Promise<Seen> {
  // The libraries are large: who never posts a file never loads them.
  const { fileTypeFromBuffer } = await import('file-type');
  const found = await fileTypeFromBuffer(content);
  const [family] = found?.mime.split('/') ?? [];
  if (!found) throw new Error('nobody knows this type');
  const { ext: extension } = found;
  // With parameters it is in no list of what is taken.
  const [type = found.mime] = found.mime.split(';');
  if (family === 'video' || family === 'audio') return { type, kind: family, extension };
  if (family !== 'image') throw new Error(`${type} is neither seen nor heard`);
  const { default: sharp } = await import('sharp');
  // No pixel of it is read for that: one that has too many can be told so.
  const { width, height, pages = 1, orientation = 1 } = await sharp(content, { animated: true, limitInputPixels: false }).metadata();
  const one = { width, height: Math.round(height / pages) };
  // From 5 on, a camera was held upright.
  const upright = orientation >= 5 ? { width: one.height, height: one.width } : one;
  return type === 'image/gif' && pages > 1
    ? { type, kind: 'gif', extension, ...upright, frames: pages }
    : { type, kind: 'image', extension, ...upright };
}

/** More is no picture, but made to exhaust who opens it. */
export const MOST_PIXELS = 300_000_000;
