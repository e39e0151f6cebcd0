import { createHash, randomUUID } from 'node:crypto';
import type { Clock } from '#src/clock.ts';
import { PlatformError, type ParameterPart } from '#src/errors.ts';
import type { MediaLimits } from '#src/media/medium.ts';
import { readMedium } from '#src/media/read-medium.ts';
import type { WriteOptions } from '#src/operation/call.ts';
import { forPart } from '#src/operation/part.ts';
import type { RecoverOptions, Recovery } from '#src/operation/platform.ts';
import { FileParam, fileReference, sourceOf, type FileSource } from '#src/social/files.ts';
import type { UploadedMedia } from '#src/social/records/media.ts';
import type { SocialPlatform } from '#src/social/social.ts';

const POLL_INTERVAL_MS = 300;
const LARGEST_BYTES = 16 * 1024 * 1024;

type UploadMedia = NonNullable<SocialPlatform['operations']['uploadMedia']>;

export interface UploadsOptions {
  /** Hands the platform a file whose content is its `data:` address. */
  readonly send: UploadMedia;
  /** What became of an earlier attempt. */
  readonly find: (params: Parameters<UploadMedia>[0], options: RecoverOptions) => Promise<Recovery<UploadedMedia>>;
  /** The origin of the account's server, which may be on this machine or its network. */
  readonly accountOrigin: string;
  readonly clock: Clock;
}

/** How files of this machine come to the platform. */
export interface Uploads {
  /** The file, once posts take it. */
  readonly uploadMedia: UploadMedia;
  /** The parameters of a write, where each path has become the id of what was uploaded; a repeat uploads nothing again. */
  readonly uploaded: (params: object, options: WriteOptions) => Promise<object>;
}

export const LIMITS: MediaLimits = {
  platform: 'sandbox',
  mostBytes: { image: LARGEST_BYTES, gif: LARGEST_BYTES, video: LARGEST_BYTES, audio: LARGEST_BYTES },
};

interface BringOptions extends WriteOptions {
  /** The part of a post that the file is. */
  readonly part?: ParameterPart | undefined;
}

/** Uploads as the API of the sandbox takes them. */
export function uploadsOver({ send, find, accountOrigin, clock }: UploadsOptions): Uploads {
  async function bring(source: FileSource, altText: string | undefined, { part, ...options }: BringOptions): Promise<UploadedMedia> {
    const { key = randomUUID(), since = new Date(clock.nowMs()), signal } = options;
    // It is found by its key, whatever is in it.
    const read = (): Promise<string> => contentOf(source, { accountOrigin, signal });
    const readUpload = () => find({ file: 'file', altText }, { key, since, taken: new Set(), signal });
    const earlier = await readUpload();
    let media =
      typeof earlier === 'object'
        ? earlier.found
        : await send({ file: await (part ? forPart(part, read()) : read()), altText }, { key, since, signal });
    while (media.state === 'processing') {
      await clock.sleep(POLL_INTERVAL_MS, signal);
      const later = await readUpload();
      if (typeof later !== 'object') throw new PlatformError('sandbox: an upload is gone', { platform: 'sandbox', fault: 'missing' });
      media = later.found;
    }
    return media;
  }

  async function toUploaded(input: unknown, suffix: string, { key, ...options }: BringOptions): Promise<unknown> {
    const { data } = FileParam.safeParse(input);
    const file = data && fileReference(data);
    if (!file || file.id !== undefined) return input;
    const { id } = await bring(file.source, file.altText, { ...options, key: key && `${key} ${suffix}` });
    return { id, altText: file.altText };
  }

  return {
    uploadMedia: ({ file, altText }, options) => bring(sourceOf(file), altText, options),
    async uploaded(params, options) {
      const { file, files }: { readonly file?: unknown; readonly files?: readonly unknown[] } = params;
      return {
        ...params,
        file: file === undefined ? undefined : await toUploaded(file, 'file', options),
        files:
          files &&
          (await Promise.all(
            files.map((one, index) => toUploaded(one, keySuffix(files, index), { ...options, part: { parameter: 'files', index } })),
          )),
      };
    },
  };
}

/** The key of an upload. It does not depend on the position of the file, because a file before it may be left out. */
function keySuffix(files: readonly unknown[], index: number): string {
  const text = JSON.stringify(files[index]);
  const before = files.slice(0, index).filter((one) => JSON.stringify(one) === text).length;
  return `file ${createHash('sha256').update(text).digest('base64url')} ${before}`;
}

/** What is in a file, as a `data:` address. */
async function contentOf(
  source: FileSource,
  options: { readonly accountOrigin: string; readonly signal: AbortSignal | undefined },
): Promise<string> {
  const { content, type } = await readMedium(source, { limits: LIMITS, ...options });
  return `data:${type};base64,${Buffer.from(content).toString('base64')}`;
}
