import type { Sharp } from 'sharp';
import { PlatformError, type ValidationError } from '#src/errors.ts';
import { inspectMedia, loadSharp, MOST_PIXELS, type MediaLimits, type Medium, sizeText } from './medium.ts';

/** The quality of each attempt. Each attempt is also smaller than the one before. */
const QUALITIES = [88, 82, 75, 70, 65, 60, 60, 60] as const;
const MARGIN = 0.95;

/**
 * Fits a medium into the limits of a platform. Pictures are encoded again if necessary. Throws the error that `refused` creates if the
 * medium does not fit.
 */
export async function fitMedia(
  medium: Medium,
  limits: MediaLimits,
  refused: (why: string, cause?: unknown) => ValidationError,
): Promise<Medium> {
  const { platform, types, mostBytes } = limits;
  const most = mostBytes[medium.kind];
  if (most === undefined) throw refused(`${platform} takes no ${NAMES[medium.kind]}`);
  const isTaken = types === undefined || types.includes(medium.type);
  const isPicture = medium.kind === 'image' || medium.kind === 'gif';
  if (!isPicture) {
    if (!isTaken) throw refused(`${platform} does not take ${medium.type}; it takes ${ofKind(medium.kind, types).join(', ')}`);
    if (medium.content.length <= most) return medium;
    throw refused(`it has ${sizeText(medium.content.length)}, and ${platform} takes at most ${sizeText(most)}: make it smaller or shorter`);
  }
  const { frames = 1 } = medium;
  const { mostFrames = Infinity } = limits.moving ?? {};
  if (frames > mostFrames) throw refused(`it has ${frames} frames, and ${platform} takes at most ${mostFrames}: make it shorter`);
  if (isTaken && isWithin(medium, limits) && !(await hasMetadata(medium))) return medium;
  const smaller = await reencode(medium, limits).catch((cause: unknown) => {
    if (cause instanceof PlatformError) throw cause;
    throw refused('it is damaged, or its format cannot be converted', cause);
  });
  if (smaller) return smaller;
  throw refused(`it cannot be reduced enough: ${platform} takes at most ${sizeText(most)}`);
}

const NAMES: Readonly<Record<Medium['kind'], string>> = { image: 'pictures', gif: 'moving pictures', video: 'videos', audio: 'sounds' };

function ofKind(kind: Medium['kind'], types: readonly string[] = []): readonly string[] {
  return types.filter((type) => type.startsWith(kind));
}

function isWithin(medium: Pick<Medium, 'content' | 'kind' | 'type' | 'width' | 'height'>, limits: MediaLimits): boolean {
  return medium.content.length <= (limits.mostBytes[medium.kind] ?? 0) && scaleWithin(medium, limits) === 1;
}

/** The factor by which a picture must shrink; 1 if it may stay. */
function scaleWithin(
  { kind, type, width = 1, height = 1 }: Pick<Medium, 'kind' | 'type' | 'width' | 'height'>,
  { longestSide = Infinity, mostPixels = Infinity, mostGifPixels = mostPixels, moving }: MediaLimits,
): number {
  const still = { mostWidth: longestSide, mostHeight: longestSide };
  const pixels = type === 'image/gif' ? Math.min(mostPixels, mostGifPixels) : mostPixels;
  const { mostWidth, mostHeight } = kind === 'gif' ? (moving ?? still) : still;
  return Math.min(1, mostWidth / width, mostHeight / height, Math.sqrt(pixels / (width * height)));
}

/** Whether a picture holds camera metadata, or needs a rotation. */
async function hasMetadata({ content, kind }: Medium): Promise<boolean> {
  if (kind === 'gif') return false;
  const sharp = await loadSharp();
  const { exif, xmp, iptc, orientation = 1 } = await sharp(content, { limitInputPixels: MOST_PIXELS }).metadata();
  return [exif, xmp, iptc].some((part) => part !== undefined) || orientation > 1;
}

/** Encodes a picture in an accepted type, upright, without metadata, as large as the limits allow. */
async function reencode(medium: Medium, limits: MediaLimits): Promise<Medium | undefined> {
  const sharp = await loadSharp();
  const { width = 1, height = 1, kind } = medium;
  const { hasAlpha } = await sharp(medium.content, { limitInputPixels: MOST_PIXELS }).metadata();
  const most = limits.mostBytes[kind] ?? 0;
  const encode = encoderOf(medium, { hasAlpha, most, types: limits.types });
  if (!encode) return undefined;
  let scale = scaleWithin(medium, limits);
  for (const quality of QUALITIES) {
    const opened = sharp(medium.content, { animated: kind === 'gif', limitInputPixels: MOST_PIXELS }).autoOrient();
    const size = { width: Math.max(1, Math.floor(width * scale)), height: Math.max(1, Math.floor(height * scale)) };
    const content = new Uint8Array(await encode(opened.resize({ ...size, fit: 'inside' }), quality).toBuffer());
    const seen = await inspectMedia(content);
    const made = { ...seen, content, kind, name: medium.name.replace(/[^.]+$/u, seen.extension) };
    if (isWithin(made, limits)) return made;
    scale *= Math.min(1, Math.sqrt(most / content.length)) * MARGIN;
  }
  return undefined;
}

/** The encoder for a picture: GIF for animations, JPEG for photographs, WebP or PNG for transparency. */
function encoderOf(
  { kind, type, content }: Medium,
  { hasAlpha, most, types }: { readonly hasAlpha: boolean; readonly most: number; readonly types: readonly string[] | undefined },
): ((picture: Sharp, quality: number) => Sharp) | undefined {
  const takes = (one: string): boolean => types === undefined || types.includes(one);
  if (kind === 'gif') return takes('image/gif') ? (picture) => picture.gif() : undefined;
  const staysSharp = type === 'image/png' && content.length <= most;
  if (hasAlpha && !staysSharp && takes('image/webp')) return (picture, quality) => picture.webp({ quality });
  if ((hasAlpha || staysSharp) && takes('image/png')) return (picture) => picture.png();
  return takes('image/jpeg') ? (picture, quality) => picture.flatten({ background: '#ffffff' }).jpeg({ quality }) : undefined;
}
