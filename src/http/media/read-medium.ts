import { readFile, stat } from 'node:fs/promises';
import { basename, resolve } from 'node:path';
import { PlatformError, ValidationError } from '#src/errors.ts';
import { withoutCameraData } from './camera-data.ts';
import { filesFrom, toFileName, type FilesOptions } from './fetch-file.ts';
import { inspectMedia, MOST_PIXELS, type MediaInfo, type MediaLimits, type Medium, sizeText } from './medium.ts';
import { fitMedia } from './fit-media.ts';
import { fileKindError, readErrorText } from './file-errors.ts';

/** A larger picture is not read, even to shrink it. */
const LARGEST_PICTURE_BYTES = 64 * 1024 * 1024;
/** A file is held in memory, so this limit holds for every platform. */
const LARGEST_BYTES = 512 * 1024 * 1024;

/** A file by its path, its address or its content. */
export type MediumSource = string | { readonly bytes: Uint8Array; readonly name?: string | undefined };

export interface ReadMediumOptions {
  readonly limits: MediaLimits;
  /** The origin of the account's server. Only this server may be on a private network. */
  readonly accountOrigin?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

interface Found {
  readonly content: Uint8Array<ArrayBuffer>;
  readonly name: string;
}

/**
 * Reads a file for a platform. It has no camera data. A picture over the limits shrinks. Throws a `ValidationError` with the reason
 * if the file does not fit, and a `PlatformError` if its address cannot be read.
 */
export async function readMedium(source: MediumSource, { limits, accountOrigin, signal }: ReadMediumOptions): Promise<Medium> {
  const mostBytes = Math.min(LARGEST_BYTES, Math.max(LARGEST_PICTURE_BYTES, ...Object.values(limits.mostBytes)));
  const found = await find(source, { platform: limits.platform, mostBytes, accountOrigin }, signal);
  if (found.content.length === 0) throw refused(found.name, 'it is empty');
  const content = withoutCameraData(found.content);
  const seen = await inspectMedia(content).catch((cause: unknown) => {
    if (cause instanceof PlatformError) throw cause;
    throw refused(found.name, 'it is damaged, or not a picture, video or sound', cause);
  });
  const tooMany = tooManyPixels(seen);
  if (tooMany !== undefined) throw refused(found.name, tooMany);
  const medium = { ...seen, content, name: nameFor(found.name, seen.extension) };
  return fitMedia(medium, limits, (why, cause) => refused(found.name, why, cause));
}

async function find(
  source: MediumSource,
  options: FilesOptions & { readonly mostBytes: number },
  signal: AbortSignal | undefined,
): Promise<Found> {
  if (typeof source !== 'string') return { content: new Uint8Array(source.bytes), name: toFileName(source.name ?? 'file') };
  if (!/^https?:\/\//iu.test(source)) return readPath(source, options.mostBytes, signal);
  if (!URL.canParse(source)) throw refused(source, 'this is no address');
  const { bytes, name } = await filesFrom(options)(source, signal);
  return { content: bytes, name };
}

async function readPath(path: string, mostBytes: number, signal: AbortSignal | undefined): Promise<Found> {
  const name = toFileName(basename(path));
  try {
    const found = await stat(path);
    const isNone = fileKindError(found);
    if (isNone !== undefined) throw refused(name, isNone);
    const { size } = found;
    if (size > mostBytes) throw refused(name, `it has ${sizeText(size)}, and at most ${sizeText(mostBytes)} are taken`);
    return { content: new Uint8Array(await readFile(path, { signal })), name };
  } catch (cause) {
    signal?.throwIfAborted();
    if (cause instanceof ValidationError) throw cause;
    throw new ValidationError(`the file ${resolve(path)} cannot be read: ${readErrorText(cause)}`, { path: 'file', cause });
  }
}

function tooManyPixels({ width = 0, height = 0, frames = 1 }: MediaInfo): string | undefined {
  const pixels = width * height * frames;
  if (pixels <= MOST_PIXELS) return undefined;
  const inFrames = frames > 1 ? ` in ${frames} frames` : '';
  return `it has ${Math.ceil(pixels / 1e6)} million pixels${inFrames}, and at most ${MOST_PIXELS / 1e6} million are taken`;
}

function nameFor(name: string, extension: string): string {
  return `${name.replace(/\.[^.]*$/u, '') || 'file'}.${extension}`;
}

function refused(name: string, why: string, cause?: unknown): ValidationError {
  return new ValidationError(`the file ${name} cannot be posted: ${why}`, { path: 'file', cause });
}
