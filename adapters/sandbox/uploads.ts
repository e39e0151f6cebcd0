import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import type { Clock } from '#src/clock.ts';
import { PlatformError, ValidationError } from '#src/errors.ts';
import type { WriteOptions } from '#src/operation/call.ts';
import type { SocialPlatform } from '#src/social/social.ts';

const LOOK_AGAIN_MS = 300;

type UploadMedia = NonNullable<SocialPlatform['operations']['uploadMedia']>;

export interface UploadsOptions {
  /** Hands the platform a file whose content is its `data:` address. */
  readonly send: UploadMedia;
  /** What became of an earlier attempt. */
  readonly find: NonNullable<NonNullable<SocialPlatform['recover']>['uploadMedia']>;
  readonly clock: Clock;
}

/** How files of this machine come to the platform. */
export interface Uploads {
  /** The file, once posts take it. */
  readonly uploadMedia: UploadMedia;
  /** The parameters of a write, where each path has become the id of what was uploaded; a repeat uploads nothing again. */
  readonly uploaded: (params: object, options: WriteOptions) => Promise<object>;
}

const LocalFile = z.union([
  z.string().transform((path) => ({ path, altText: undefined })),
  z.object({ path: z.string(), altText: z.string().optional() }),
]);

/** Uploads as the API of the sandbox takes them. */
export function uploadsOver({ send, find, clock }: UploadsOptions): Uploads {
  const uploadMedia: UploadMedia = async ({ file, altText }, { key = randomUUID(), since = new Date(clock.nowMs()), signal }) => {
    const look = () => find({ file, altText }, { key, since, taken: new Set(), signal });
    const earlier = await look();
    let media = typeof earlier === 'object' ? earlier.found : await send({ file: await contentOf(file), altText }, { key, since, signal });
    while (media.state === 'processing') {
      await clock.sleep(LOOK_AGAIN_MS, signal);
      const later = await look();
      if (typeof later !== 'object') throw new PlatformError('sandbox: an upload is gone', { platform: 'sandbox', fault: 'missing' });
      media = later.found;
    }
    return media;
  };

  async function toUploaded(given: unknown, place: string, { key, ...options }: WriteOptions): Promise<unknown> {
    const local = LocalFile.safeParse(given);
    if (!local.success) return given;
    const { path: file, altText } = local.data;
    const { id } = await uploadMedia({ file, altText }, { ...options, key: key && `${key} ${place}` });
    return { id, altText };
  }

  return {
    uploadMedia,
    async uploaded(params, options) {
      const { file, files }: { readonly file?: unknown; readonly files?: readonly unknown[] } = params;
      return {
        ...params,
        file: file === undefined ? undefined : await toUploaded(file, 'file', options),
        files: files && (await Promise.all(files.map((one, index) => toUploaded(one, `file ${index}`, options)))),
      };
    },
  };
}

/** What is in a file, as a `data:` address. */
async function contentOf(path: string): Promise<string> {
  const content = await readFile(path).catch((cause: unknown) => {
    throw new ValidationError(`the file ${path} cannot be read`, { path: 'file', cause });
  });
  return `data:application/octet-stream;base64,${content.toString('base64')}`;
}
