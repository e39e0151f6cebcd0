import { createHash, randomUUID } from 'node:crypto';
import type { Clock } from '#src/clock.ts';
import { PlatformError, type ParameterPart } from '#src/errors.ts';
import type { MediaLimits } from '#src/http/media/medium.ts';
import { readMedium } from '#src/http/media/read-medium.ts';
import type { WriteOptions } from '#src/clients/operation/call.ts';
import { forPart } from '#src/clients/operation/part.ts';
import type { RecoverOptions, Recovery } from '#src/clients/operation/platform.ts';
import { FileParam, fileReference, sourceOf, type FileSource } from '#src/clients/social/files.ts';
import type { UploadedMedia } from '#src/clients/social/records/media.ts';
import type { SocialPlatform } from '#src/clients/social/social.ts';

const POLL_INTERVAL_MS = 300;
const LARGEST_BYTES = 16 * 1024 * 1024;

type UploadMedia = NonNullable<SocialPlatform['operations']['uploadMedia']>;

interface UploadsOptions {
  /** Sends a file to the platform as a `data:` URL. */
  readonly send: UploadMedia;
  /** Finds the result of an earlier attempt. */
  readonly find: (params: Parameters<UploadMedia>[0], options: RecoverOptions) => Promise<Recovery<UploadedMedia>>;
  /** The origin of the server of the account. Files can come from there even if the address is private. */
  readonly accountOrigin: string;
  readonly clock: Clock;
}

/** The upload of files. */
export interface Uploads {
  /** Uploads a file and waits until posts can contain it. */
  readonly uploadMedia: UploadMedia;
  /** The parameters of a write with the ids of uploads instead of paths. A repeat does not upload again. */
  readonly uploaded: (params: object, options: WriteOptions) => Promise<object>;
}

export const LIMITS: MediaLimits = {
  platform: 'sandbox',
  mostBytes: { image: LARGEST_BYTES, gif: LARGEST_BYTES, video: LARGEST_BYTES, audio: LARGEST_BYTES },
};

interface UploadOptions extends WriteOptions {
  /** The part of the post with the file. */
  readonly part?: ParameterPart | undefined;
}

/** Uploads files through the API of the sandbox. */
export function uploadsOver({ send, find, accountOrigin, clock }: UploadsOptions): Uploads {
  async function upload(source: FileSource, altText: string | undefined, { part, ...options }: UploadOptions): Promise<UploadedMedia> {
    const { key = randomUUID(), since = new Date(clock.nowMs()), signal } = options;
    // Recovery uses the key alone, so the file is read only for an upload.
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
      if (typeof later !== 'object')
        throw new PlatformError('sandbox: an upload no longer exists', { platform: 'sandbox', fault: 'missing' });
      media = later.found;
    }
    return media;
  }

  async function toUploaded(input: unknown, suffix: string, { key, ...options }: UploadOptions): Promise<unknown> {
    const { data } = FileParam.safeParse(input);
    const file = data && fileReference(data);
    if (!file || file.id !== undefined) return input;
    const { id } = await upload(file.source, file.altText, { ...options, key: key && `${key} ${suffix}` });
    return { id, altText: file.altText };
  }

  return {
    uploadMedia: ({ file, altText }, options) => upload(sourceOf(file), altText, options),
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

/** The content of a file as a `data:` URL. */
async function contentOf(
  source: FileSource,
  options: { readonly accountOrigin: string; readonly signal: AbortSignal | undefined },
): Promise<string> {
  const { content, type } = await readMedium(source, { limits: LIMITS, ...options });
  return `data:${type};base64,${Buffer.from(content).toString('base64')}`;
}
