import type { StoredMedia } from './posts.ts';

/** What a file is, told from how it begins, never from its name. */
export interface MediaContent {
  readonly kind: StoredMedia['kind'];
  readonly contentType: string;
  readonly width?: number | undefined;
  readonly height?: number | undefined;
}

/** What is in a file; undefined where it is nothing that a post can show. */
export function mediaContent(bytes: Buffer): MediaContent | undefined {
  const has = (text: string, at = 0): boolean => bytes.toString('latin1', at, at + text.length) === text;

  if (has('\x89PNG\r\n\x1a\n') && bytes.length >= 24) {
    return { kind: 'image', contentType: 'image/png', width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) };
  }
  if (has('GIF8') && bytes.length >= 10) {
    return { kind: 'gif', contentType: 'image/gif', width: bytes.readUInt16LE(6), height: bytes.readUInt16LE(8) };
  }
  if (has('\xff\xd8\xff')) return { kind: 'image', contentType: 'image/jpeg' };
  if (has('RIFF') && has('WEBP', 8)) return { kind: 'image', contentType: 'image/webp' };
  if (has('RIFF') && has('WAVE', 8)) return { kind: 'audio', contentType: 'audio/wav' };
  if (has('ftyp', 4)) return { kind: 'video', contentType: 'video/mp4' };
  if (has('\x1aE\xdf\xa3')) return { kind: 'video', contentType: 'video/webm' };
  if (has('OggS')) return { kind: 'audio', contentType: 'audio/ogg' };
  if (has('ID3') || has('\xff\xfb')) return { kind: 'audio', contentType: 'audio/mpeg' };
  return undefined;
}
