import { createHash } from 'node:crypto';
import type { Clock } from '#src/clock.ts';
import { ValidationError } from '#src/errors.ts';
import type { Log } from '#src/log.ts';
import type { Medium } from '#src/media/medium.ts';
import { readMedium } from '#src/media/read-medium.ts';
import type { WriteOptions } from '#src/operation/call.ts';
import { forPart } from '#src/operation/part.ts';
import { shorten } from '#src/operation/text/shorten.ts';
import { givenFile, sourceOf, type FileParam, type FileSource } from '#src/social/files.ts';
import type { UploadedMedia } from '#src/social/records/media.ts';
import { WAYS } from '../access/access.ts';
import type { Primitives, Recoveries, XApi } from '../api.ts';
import { limitsFor, LONGEST_ALT_TEXT, type Purpose } from './limits.ts';
import { uploader, type UploadOptions } from './upload.ts';

/** The most uploads that are remembered for a repeat. */
const MOST_REMEMBERED = 100;

export interface FilesOptions {
  readonly api: XApi;
  /** The origin of the account's server, which may be on this machine or its network. */
  readonly accountOrigin: string;
  readonly clock: Clock;
  readonly log: Log | undefined;
}

/** Files of this machine and of the web, as X takes them. */
export interface Files {
  readonly uploadMedia: Primitives['uploadMedia'];
  /** An upload that is lost is in no post, and X clears it away: it is made again. */
  readonly recoverUpload: Recoveries['uploadMedia'];
  /** The ids of the files, uploaded where they are not, once all of them are known to go together; a repeat of the same write uploads nothing again. */
  idsOf(files: readonly FileParam[], purpose: Purpose, options: WriteOptions): Promise<readonly string[]>;
}

/** A file that was looked at, if it is not on X. */
interface Prepared<T> {
  readonly medium?: Medium | undefined;
  /** Puts it there. */
  readonly put: () => Promise<T>;
}

export function filesOf({ api, accountOrigin, clock, log }: FilesOptions): Files {
  const upload = uploader({ api, clock, log });
  const remembered = new Map<string, UploadedMedia>();

  async function describe(id: string, altText: string, signal: AbortSignal | undefined): Promise<void> {
    const json = { id, metadata: { alt_text: { text: altText } } };
    await api.send({ method: 'POST', path: '/2/media/metadata', json, ways: WAYS.user, signal });
  }

  async function prepare(
    source: FileSource,
    given: string | undefined,
    purpose: Purpose,
    { key, signal }: WriteOptions,
  ): Promise<Prepared<UploadedMedia>> {
    const altText = fittedAltText(given);
    const name = key === undefined ? undefined : JSON.stringify([key, nameOf(source), altText, purpose]);
    const earlier = name === undefined ? undefined : remembered.get(name);
    if (earlier && (earlier.expiresAt === undefined || earlier.expiresAt.getTime() > clock.nowMs())) return { put: async () => earlier };

    const medium = await readMedium(source, { limits: limitsFor(purpose), accountOrigin, signal });
    const put = async (): Promise<UploadedMedia> => {
      const media = await putMedium(medium, altText, { purpose, signal });
      if (name !== undefined) {
        remembered.set(name, media);
        for (const oldest of [...remembered.keys()].slice(0, -MOST_REMEMBERED)) remembered.delete(oldest);
      }
      return media;
    };
    return { medium, put };
  }

  async function putMedium(medium: Medium, altText: string | undefined, { purpose, signal }: UploadOptions): Promise<UploadedMedia> {
    const { id, expiresAt } = await upload(medium, { purpose, signal });
    // X has no alternative text for videos.
    const described = altText !== undefined && altText !== '' && medium.kind !== 'video';
    if (described) await describe(id, altText, signal);
    else if (altText) log?.warn({ file: medium.name }, 'x: a video has no text for who cannot see it; it is left out');
    const sha256 = createHash('sha256').update(medium.content).digest('hex');
    return {
      platform: 'x',
      id,
      kind: medium.kind,
      altText: described ? altText : undefined,
      state: 'ready',
      expiresAt,
      sha256,
    };
  }

  async function prepareId(file: FileParam, purpose: Purpose, options: WriteOptions): Promise<Prepared<string>> {
    const given = givenFile(file);
    const { id, altText } = given;
    if (id === undefined) {
      const { medium, put } = await prepare(given.source, altText, purpose, options);
      return { medium, put: async () => (await put()).id };
    }
    const put = async (): Promise<string> => {
      if (altText) await describe(id, fittedAltText(altText) ?? '', options.signal);
      return id;
    };
    return { put };
  }

  return {
    uploadMedia: async ({ file, altText }, options) => (await prepare(sourceOf(file), altText, 'post', options)).put(),
    recoverUpload: async () => 'absent',
    async idsOf(files, purpose, options) {
      const prepared: Prepared<string>[] = [];
      // One after the other: the first that cannot be used ends it.
      for (const [index, file] of files.entries()) {
        const one = await forPart({ parameter: 'files', index }, prepareId(file, purpose, options));
        if (files.length > 1) assertStill(one.medium);
        prepared.push(one);
      }
      const ids: string[] = [];
      for (const { put } of prepared) ids.push(await put());
      return ids;
    },
  };
}

/** Refuses what X shows alone. */
function assertStill(medium: Medium | undefined): void {
  if (!medium || medium.kind === 'image') return;
  const message = `the file ${medium.name} cannot be posted beside others: X takes up to four pictures, or one video, or one moving picture`;
  throw new ValidationError(message, { path: 'files' });
}

function fittedAltText(altText: string | undefined): string | undefined {
  return altText === undefined ? undefined : shorten(altText, LONGEST_ALT_TEXT);
}

/** What a file is remembered by: a path, an address, or a digest of what is in it. */
function nameOf(source: FileSource): string {
  return typeof source === 'string' ? source : createHash('sha256').update(source.bytes).digest('hex');
}
