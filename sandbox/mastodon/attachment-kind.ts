import type { MediaContent } from '../social/media.ts';

/** The handlers of tracks in MP4 files. */
const MP4_TRACK = /hdlr.{8}(vide|soun)/gsu;
/** The codecs of tracks in WebM files, for example `V_VP9` and `A_OPUS`. */
const WEBM_TRACK = /\x86[\x83-\xbf]([VA])_[A-Z]/gu;

/** The kind of an attachment. Mastodon converts a video without sound to an animation, and decides before it processes the file. */
export function attachmentKind({ kind, contentType }: MediaContent, bytes: Buffer): MediaContent['kind'] {
  if (kind !== 'video') return kind;
  const pattern = contentType === 'video/webm' ? WEBM_TRACK : MP4_TRACK;
  const tracks = Array.from(bytes.toString('latin1').matchAll(pattern), ([, track]) => track);
  return tracks.length > 0 && tracks.every((track) => track === 'vide' || track === 'V') ? 'gif' : 'video';
}
