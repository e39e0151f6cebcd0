import type { NewFileParam } from '#src/social/files.ts';
import type { UploadedMedia } from '#src/social/records/media.ts';
import type { SocialPlatform } from '#src/social/social.ts';
import { mediaContent } from '../media-content.ts';
import type { Meeting } from '../meeting.ts';
import { Refusal } from '../refusal.ts';
import type { Upload } from '../uploads.ts';
import { PLATFORM } from '../user-record.ts';

/** How long it takes until a post takes what moves or sounds; a picture is ready at once. */
const PROCESSING_MS = 1500;
const LIFETIME_MS = 86_400_000;
const LARGEST_BYTES = 16 * 1024 * 1024;

interface MediaOperations {
  readonly operations: Pick<Required<SocialPlatform['operations']>, 'uploadMedia'>;
  readonly recover: Pick<Required<NonNullable<SocialPlatform['recover']>>, 'uploadMedia'>;
}

/** Files that posts and messages can take. */
export function mediaOperations(meeting: Meeting): MediaOperations {
  const { moment, viewer, uploads, fault } = meeting;
  const nowMs = moment.now.getTime();

  function findByKey(key: string | undefined): Upload | undefined {
    return key === undefined ? undefined : uploads.findByKey(viewer.id, key);
  }

  function toUploaded({ id, kind, altText, readyAtMs, expiresAtMs, sha256 }: Upload): UploadedMedia {
    const state = nowMs < readyAtMs ? 'processing' : 'ready';
    return { platform: PLATFORM, id, kind, altText, state, expiresAt: new Date(expiresAtMs), sha256 };
  }

  return {
    operations: {
      async uploadMedia({ file, altText }, { key }) {
        const earlier = fault('ignoreKey') ? undefined : findByKey(key);
        if (earlier) return toUploaded(earlier);
        const bytes = bytesOf(file);
        const content = mediaContent(bytes);
        if (!content) throw new Refusal(422, 'unknown_media', 'This is no picture, video or sound that the platform knows.');
        const readyAtMs = content.kind === 'image' ? nowMs : nowMs + PROCESSING_MS;
        const facts = { ...content, ownerId: viewer.id, altText, readyAtMs, expiresAtMs: nowMs + LIFETIME_MS, key };
        return toUploaded(uploads.add(facts, bytes));
      },
    },

    recover: {
      async uploadMedia(_, { key }) {
        const upload = findByKey(key);
        return upload ? { found: toUploaded(upload) } : 'absent';
      },
    },
  };
}

/** What the client read from its disk: it comes as a `data:` address. */
function bytesOf(file: NewFileParam): Buffer {
  const [, encoded] = typeof file === 'string' ? (/^data:[^,]*;base64,(.*)$/s.exec(file) ?? []) : [undefined, file.base64];
  if (encoded === undefined) throw new Refusal(422, 'no_content', 'A file comes as a data: address, in base64.');
  const bytes = Buffer.from(encoded, 'base64');
  if (bytes.length > LARGEST_BYTES) throw new Refusal(422, 'media_too_large', `A file has at most ${LARGEST_BYTES} bytes.`);
  return bytes;
}
