import type { Medium } from '#src/media/medium.ts';

/** Where files of the MP4 kind say that a track is to be heard: eight bytes behind the name of the box. */
const HEARD = { box: 'hdlr', at: 12, kind: 'soun' } as const;
/** How a track of WebM and Matroska begins that is to be heard: with its codec, as `A_OPUS`. */
const HEARD_ON_THE_WEB = /\x86[\x83-\xbf]A_[A-Z]/u;
/** They stand before what is seen and heard. */
const TRACKS_WITHIN_BYTES = 64 * 1024;

/** Whether there certainly is something to hear. Of a video without it Mastodon makes a moving picture. */
export function hasSound({ kind, type, content }: Pick<Medium, 'kind' | 'type' | 'content'>): boolean {
  if (kind !== 'video') return kind === 'audio';
  const bytes = Buffer.from(content.buffer, content.byteOffset, content.byteLength);
  if (/webm|matroska/u.test(type)) return HEARD_ON_THE_WEB.test(bytes.toString('latin1', 0, TRACKS_WITHIN_BYTES));
  for (let from = bytes.indexOf(HEARD.box); from !== -1; from = bytes.indexOf(HEARD.box, from + 1)) {
    if (bytes.toString('latin1', from + HEARD.at, from + HEARD.at + HEARD.kind.length) === HEARD.kind) return true;
  }
  return false;
}
