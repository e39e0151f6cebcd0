import { createHash } from 'node:crypto';
import { z } from 'zod';
import { ValidationError } from '#src/errors.ts';
import type { MediaLimits, Medium } from '#src/media/medium.ts';
import { readMedium } from '#src/media/read-medium.ts';
import type { CallOptions } from '#src/operation/call.ts';
import { countGraphemes } from '#src/operation/text/graphemes.ts';
import { shorten } from '#src/operation/text/shorten.ts';
import { givenFile, sourceOf, type FileParam, type FileSource } from '#src/social/files.ts';
import { PLATFORM, type Primitives, type Recoveries } from '../platform.ts';
import type { Xrpc } from '../xrpc/xrpc.ts';
import { BlobRef, fromUploadId, toUploadId, type UploadedFile } from './blob.ts';
import type { UploadVideo } from './videos.ts';

const MOST_IMAGE_BYTES = 2_000_000;
const MOST_VIDEO_BYTES = 300_000_000;

export const LIMITS: MediaLimits = {
  platform: PLATFORM,
  types: ['image/jpeg', 'image/png', 'image/webp', 'image/gif', 'video/mp4'],
  mostBytes: { image: MOST_IMAGE_BYTES, gif: MOST_IMAGE_BYTES, video: MOST_VIDEO_BYTES },
  // What is larger is shown smaller.
  longestSide: 4096,
};

/** Of a video: of pictures the protocol limits none. */
const LONGEST_ALT_TEXT = 1000;

/** A file that is none that is only heard. */
type SeenMedium = Medium & { readonly kind: UploadedFile['kind'] };

/** A file with what is said for those who cannot see it. */
export interface DescribedFile extends UploadedFile {
  readonly altText: string;
}

/** A file that a post can take, of which nothing is on the account's server yet. */
export interface ReadFile {
  readonly kind: UploadedFile['kind'];
  /** The file on the account's server; the same content is the same file, however often. */
  readonly uploaded: (options: CallOptions) => Promise<DescribedFile>;
}

export interface Files {
  /** A file that was looked at. */
  read(file: FileParam, options: CallOptions): Promise<ReadFile>;
  /** What was read already, as records name it. */
  readonly toBlob: (medium: Medium, options: CallOptions) => Promise<BlobRef>;
  readonly operations: Pick<Primitives, 'uploadMedia'>;
  readonly recover: Pick<Recoveries, 'uploadMedia'>;
}

/** How files come to the account's server. */
export function files({
  xrpc,
  uploadVideo,
  accountOrigin,
}: {
  readonly xrpc: Xrpc;
  readonly uploadVideo: UploadVideo;
  /** The origin of the account's server, which may be on this machine or its network. */
  readonly accountOrigin: string;
}): Files {
  async function toBlob(medium: Medium, { signal }: CallOptions): Promise<BlobRef> {
    if (medium.kind === 'video') return uploadVideo(medium, { signal });
    const sending = { body: medium.content, headers: { 'content-type': medium.type }, idempotent: true };
    const response = await xrpc.procedure('com.atproto.repo.uploadBlob', sending, { signal });
    return response.json(z.object({ blob: BlobRef })).blob;
  }

  async function seen(source: FileSource, { signal }: CallOptions): Promise<SeenMedium> {
    const medium = await readMedium(source, { limits: LIMITS, accountOrigin, signal });
    const { kind } = medium;
    if (kind === 'audio') throw new ValidationError(`${PLATFORM} takes no sounds`, { path: 'files' });
    return { ...medium, kind };
  }

  async function upload(medium: SeenMedium, options: CallOptions): Promise<UploadedFile> {
    const { kind, width, height } = medium;
    return { kind, blob: await toBlob(medium, options), width, height };
  }

  return {
    toBlob,

    async read(file, options) {
      const given = givenFile(file);
      const { altText = '' } = given;
      if (given.id === undefined) {
        const medium = await seen(given.source, options);
        const described = { altText: fittedAltText(altText, medium.kind) };
        return { kind: medium.kind, uploaded: async (uploading) => ({ ...(await upload(medium, uploading)), ...described }) };
      }
      const known = fromUploadId(given.id);
      if (!known) throw new ValidationError(`"${given.id}" is no upload to ${PLATFORM}: give what uploadMedia answered`, { path: 'files' });
      return { kind: known.kind, uploaded: async () => ({ ...known, altText: fittedAltText(altText, known.kind) }) };
    },

    operations: {
      async uploadMedia({ file, altText }, options) {
        const medium = await seen(sourceOf(file), options);
        const uploaded = await upload(medium, options);
        const sha256 = createHash('sha256').update(medium.content).digest('hex');
        return { platform: PLATFORM, id: toUploadId(uploaded), kind: uploaded.kind, altText, state: 'ready', sha256 };
      },
    },
    // Uploaded twice, the same content is one file.
    recover: { uploadMedia: async () => 'absent' },
  };
}

function fittedAltText(altText: string, kind: UploadedFile['kind']): string {
  return kind === 'video' ? shorten(altText, LONGEST_ALT_TEXT, countGraphemes) : altText;
}
