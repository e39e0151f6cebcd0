import { createHash } from 'node:crypto';
import type { Clock } from '#src/clock.ts';
import type { Log } from '#src/log.ts';
import { readMedium } from '#src/media/read-medium.ts';
import type { WriteOptions } from '#src/operation/call.ts';
import { shorten } from '#src/operation/text/shorten.ts';
import { givenFile, sourceOf, type FileParam, type FileSource } from '#src/social/files.ts';
import type { UploadedMedia } from '#src/social/records/media.ts';
import { WAYS } from '../access/access.ts';
import type { Primitives, Recoveries, XApi } from '../api.ts';
import { LIMITS, LONGEST_ALT_TEXT, type Purpose } from './limits.ts';
import { uploader } from './upload.ts';

/** The most uploads that are remembered for a repeat. */
const MOST_REMEMBERED = 100;

export interface FilesOptions {
  readonly api: XApi;
  /** Whether addresses of this machine and its network may be asked for files. */
  readonly anywhere: boolean;
  readonly clock: Clock;
  readonly log: Log | undefined;
}

/** Files of this machine and of the web, as X takes them. */
export interface Files {
  readonly uploadMedia: Primitives['uploadMedia'];
  /** An upload that is lost is in no post, and X clears it away: it is made again. */
  readonly recoverUpload: Recoveries['uploadMedia'];
  /** The ids of the files, uploaded where they are not; a repeat of the same write uploads nothing again. */
  idsOf(files: readonly FileParam[], purpose: Purpose, options: WriteOptions): Promise<readonly string[]>;
}

export function filesOf({ api, anywhere, clock, log }: FilesOptions): Files {
  const upload = uploader({ api, clock, log });
  const remembered = new Map<string, UploadedMedia>();

  async function describe(id: string, altText: string, signal: AbortSignal | undefined): Promise<void> {
    const json = { id, metadata: { alt_text: { text: altText } } };
    await api.send({ method: 'POST', path: '/2/media/metadata', json, ways: WAYS.user, signal });
  }

  async function put(
    source: FileSource,
    given: string | undefined,
    purpose: Purpose,
    { key, signal }: WriteOptions,
  ): Promise<UploadedMedia> {
    const altText = fittedAltText(given);
    const name = key === undefined ? undefined : JSON.stringify([key, nameOf(source), altText, purpose]);
    const earlier = name === undefined ? undefined : remembered.get(name);
    if (earlier && (earlier.expiresAt === undefined || earlier.expiresAt.getTime() > clock.nowMs())) return earlier;

    const medium = await readMedium(source, { limits: LIMITS, anywhere, signal });
    const { id, expiresAt } = await upload(medium, { purpose, signal });
    // X has no alternative text for videos.
    const described = altText !== undefined && altText !== '' && medium.kind !== 'video';
    if (described) await describe(id, altText, signal);
    else if (altText) log?.warn({ file: medium.name }, 'x: a video has no text for who cannot see it; it is left out');
    const sha256 = createHash('sha256').update(medium.content).digest('hex');
    const media: UploadedMedia = {
      platform: 'x',
      id,
      kind: medium.kind,
      altText: described ? altText : undefined,
      state: 'ready',
      expiresAt,
      sha256,
    };
    if (name !== undefined) {
      remembered.set(name, media);
      for (const oldest of [...remembered.keys()].slice(0, -MOST_REMEMBERED)) remembered.delete(oldest);
    }
    return media;
  }

  async function idOf(file: FileParam, purpose: Purpose, options: WriteOptions): Promise<string> {
    const given = givenFile(file);
    const { id, altText } = given;
    if (id === undefined) return (await put(given.source, altText, purpose, options)).id;
    if (altText) await describe(id, fittedAltText(altText) ?? '', options.signal);
    return id;
  }

  return {
    uploadMedia: ({ file, altText }, options) => put(sourceOf(file), altText, 'post', options),
    recoverUpload: async () => 'absent',
    async idsOf(files, purpose, options) {
      const ids: string[] = [];
      // One after the other: they share one line, and the first that cannot be used ends it.
      for (const file of files) ids.push(await idOf(file, purpose, options));
      return ids;
    },
  };
}

function fittedAltText(altText: string | undefined): string | undefined {
  return altText === undefined ? undefined : shorten(altText, LONGEST_ALT_TEXT);
}

/** What a file is remembered by: a path, an address, or a digest of what is in it. */
function nameOf(source: FileSource): string {
  return typeof source === 'string' ? source : createHash('sha256').update(source.bytes).digest('hex');
}
