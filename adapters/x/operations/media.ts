import { createHash } from 'node:crypto';
import { FormData } from 'undici';
import { z } from 'zod';
import type { Clock } from '#src/clock.ts';
import { PlatformError, ValidationError } from '#src/errors.ts';
import type { Log } from '#src/log.ts';
import type { MediaLimits, Medium } from '#src/http/media/medium.ts';
import { readMedium } from '#src/http/media/read-medium.ts';
import type { WriteOptions } from '#src/clients/operation/call.ts';
import { type ContentWarning, coversMedia, sensitiveMediaIn } from '#src/clients/operation/text/content-warning.ts';
import { forPart } from '#src/clients/operation/part.ts';
import { shorten } from '#src/clients/operation/text/shorten.ts';
import { type FileParam, type FileSource, fileReference, readableFiles, sourceOf } from '#src/clients/social/files.ts';
import type { Media, UploadedMedia } from '#src/clients/social/records/media.ts';
import { WAYS } from '../auth/access.ts';
import type { Primitives, Recoveries, XApi } from '../client.ts';
import { oneOf, required } from '../wire/envelope.ts';
import { count, id, maybe } from '../wire/parts.ts';

const MEGABYTE = 1_000_000;

/** The use of a medium. */
type Purpose = 'post' | 'message';

/** The limits for accounts that do not pay: https://docs.x.com/x-api/media/quickstart/best-practices. X checks the length of a video. */
export function limitsFor(purpose: Purpose): MediaLimits {
  return {
    platform: 'x',
    types: ['image/jpeg', 'image/png', 'image/webp', 'image/gif', 'video/mp4', 'video/quicktime'],
    mostBytes: { image: 5 * MEGABYTE, gif: 15 * MEGABYTE, video: (purpose === 'post' ? 8000 : 512) * MEGABYTE },
    longestSide: 8192,
    moving: { mostWidth: 1280, mostHeight: 1080, mostFrames: 350 },
  };
}

/** The upload category of X. */
function categoryOf(kind: 'image' | 'gif' | 'video', purpose: Purpose): string {
  return `${purpose === 'post' ? 'tweet' : 'dm'}_${kind}`;
}

const LONGEST_ALT_TEXT = 1000;

/** The largest part that X accepts, with room for the rest of the request. */
const PART_BYTES = 4 * 1024 * 1024;
const USUAL_PAUSE_S = 1;
const LONGEST_PAUSE_S = 30;
/** Processing that takes longer has failed. */
const LONGEST_PROCESSING_MS = 15 * 60_000;

const Processing = z.object({ state: maybe(z.string()), check_after_secs: maybe(count), progress_percent: maybe(count) });
const Uploaded = oneOf(z.object({ id, expires_after_secs: maybe(count), processing_info: maybe(Processing) }));

/** An upload that is ready for posts. */
interface UploadedFile {
  readonly id: string;
  readonly expiresAt: Date | undefined;
}

interface UploadOptions {
  readonly purpose: Purpose;
  readonly signal: AbortSignal | undefined;
}

/** Uploads a file and waits until X has processed it. */
type Upload = (medium: Medium, options: UploadOptions) => Promise<UploadedFile>;

/** Uploads pictures in one request, and animations and videos in parts. */
function uploader({ api, clock, log }: { readonly api: XApi; readonly clock: Clock; readonly log: Log | undefined }): Upload {
  type Answer = z.output<typeof Uploaded>['data'];

  async function inOne(medium: Medium, category: string, signal: AbortSignal | undefined): Promise<Answer> {
    const body = new FormData();
    body.set('media', fileOf(medium, medium.content));
    body.set('media_category', category);
    const { answer } = await api.read(Uploaded, { method: 'POST', path: '/2/media/upload', body, ways: WAYS.user, signal });
    return answer.data;
  }

  async function inParts(medium: Medium, category: string, signal: AbortSignal | undefined): Promise<Answer> {
    const { content, type, name } = medium;
    const json = { media_type: type, total_bytes: content.byteLength, media_category: category };
    const begun = await api.read(Uploaded, { method: 'POST', path: '/2/media/upload/initialize', json, ways: WAYS.user, signal });
    const params = { id: required(begun.answer, `the upload of ${name}`).id };

    for (let sent = 0, index = 0; sent < content.byteLength; sent += PART_BYTES, index++) {
      const body = new FormData();
      body.set('segment_index', String(index));
      body.set('media', fileOf(medium, content.subarray(sent, sent + PART_BYTES)));
      await api.send({ method: 'POST', path: '/2/media/upload/:id/append', params, body, ways: WAYS.user, signal });
      log?.info(
        { file: name, sentBytes: Math.min(sent + PART_BYTES, content.byteLength), totalBytes: content.byteLength },
        'x: a file is being uploaded',
      );
    }
    const done = await api.read(Uploaded, { method: 'POST', path: '/2/media/upload/:id/finalize', params, ways: WAYS.user, signal });
    return done.answer.data;
  }

  async function processed(first: Answer, { name }: Medium, signal: AbortSignal | undefined): Promise<Answer> {
    const untilMs = clock.nowMs() + LONGEST_PROCESSING_MS;
    let data = first;
    for (;;) {
      const { state, check_after_secs: after = USUAL_PAUSE_S, progress_percent: percent } = data?.processing_info ?? {};
      if (!data || state === undefined || state === 'succeeded') return data;
      if (state === 'failed' || clock.nowMs() > untilMs) {
        const why =
          state === 'failed' ? 'cannot use it: check its format, its length and its codec' : 'is still processing it after 15 minutes';
        throw new PlatformError(`x: the file ${name} was uploaded, and X ${why}.`, { platform: 'x', fault: 'rejected' });
      }
      log?.info({ file: name, percent }, 'x: X is processing a file');
      await clock.sleep(Math.min(Math.max(after, USUAL_PAUSE_S), LONGEST_PAUSE_S) * 1000, signal);
      const query = { command: 'STATUS', media_id: data.id };
      data = (await api.read(Uploaded, { path: '/2/media/upload', query, ways: WAYS.user, signal })).answer.data ?? data;
    }
  }

  return async (medium, { purpose, signal }) => {
    if (medium.kind === 'audio') throw new Error('x accepts no sounds');
    const category = categoryOf(medium.kind, purpose);
    const first = medium.kind === 'image' ? await inOne(medium, category, signal) : await inParts(medium, category, signal);
    const data = await processed(first, medium, signal);
    if (!data) throw new PlatformError(`x: the upload of ${medium.name} has no id.`, { platform: 'x', fault: 'malformed' });
    const lastsMs = data.expires_after_secs === undefined ? undefined : data.expires_after_secs * 1000;
    return { id: data.id, expiresAt: lastsMs === undefined ? undefined : new Date(clock.nowMs() + lastsMs) };
  };
}

function fileOf({ name, type }: Medium, content: Uint8Array<ArrayBuffer>): File {
  return new File([content], name, { type });
}

/** The number of uploads that are remembered for a repeat. */
const MOST_REMEMBERED = 100;

/** The warning of X that covers a file. */
interface MediaWarning {
  readonly adult_content: boolean;
  readonly graphic_violence: boolean;
  readonly other: boolean;
}

interface FileOptions extends WriteOptions {
  readonly warning?: MediaWarning | undefined;
}

/** The warning of X for the files of a post; undefined if they are not covered. */
export function mediaWarningOf(covering: ContentWarning): MediaWarning | undefined {
  if (!coversMedia(covering)) return undefined;
  const kinds = new Set(sensitiveMediaIn(covering.warning));
  const graphic = kinds.delete('graphic');
  return { adult_content: kinds.size > 0, graphic_violence: graphic, other: kinds.size === 0 && !graphic };
}

interface FilesOptions {
  readonly api: XApi;
  /** The origin of the account's server, which may be on this machine or its network. */
  readonly accountOrigin: string;
  readonly clock: Clock;
  readonly log: Log | undefined;
}

/** Files for posts and messages. */
export interface Files {
  readonly uploadMedia: Primitives['uploadMedia'];
  /** A lost upload is in no post, and X deletes it, so it can be repeated. */
  readonly recoverUpload: Recoveries['uploadMedia'];
  /** Refuses files that one post cannot have. Files that cannot be read do not count. */
  assertTogether(files: readonly FileParam[] | undefined, signal: AbortSignal | undefined): Promise<void>;
  /** Checks all files, and uploads those that are not on X. A repeat of the same write uploads nothing again. */
  putAll(files: readonly FileParam[], purpose: Purpose, options: FileOptions): Promise<readonly Media[]>;
}

/** A checked file; `medium` is absent if it is on X. */
interface Prepared<T> {
  readonly medium?: Medium | undefined;
  /** Uploads it. */
  readonly put: () => Promise<T>;
}

export function filesOf({ api, accountOrigin, clock, log }: FilesOptions): Files {
  const upload = uploader({ api, clock, log });
  const remembered = new Map<string, UploadedMedia>();

  async function describe(
    id: string,
    { altText, warning }: { readonly altText?: string | undefined; readonly warning?: MediaWarning | undefined },
    signal: AbortSignal | undefined,
  ): Promise<void> {
    const metadata = {
      ...(altText !== undefined && altText !== '' && { alt_text: { text: altText } }),
      ...(warning && { sensitive_media_warning: warning }),
    };
    if (Object.keys(metadata).length === 0) return;
    const json = { id, metadata };
    await api.send({ method: 'POST', path: '/2/media/metadata', json, ways: WAYS.user, signal });
  }

  async function prepare(
    source: FileSource,
    wantedAltText: string | undefined,
    purpose: Purpose,
    { key, signal, warning }: FileOptions,
  ): Promise<Prepared<UploadedMedia>> {
    const altText = fittedAltText(wantedAltText);
    const name = key === undefined ? undefined : JSON.stringify([key, sourceKey(source), altText, purpose, warning]);
    const earlier = name === undefined ? undefined : remembered.get(name);
    if (earlier && (earlier.expiresAt === undefined || earlier.expiresAt.getTime() > clock.nowMs())) return { put: async () => earlier };

    const medium = await readMedium(source, { limits: limitsFor(purpose), accountOrigin, signal });
    const put = async (): Promise<UploadedMedia> => {
      const media = await putMedium(medium, { altText, warning }, { purpose, signal });
      if (name !== undefined) {
        remembered.set(name, media);
        for (const oldest of [...remembered.keys()].slice(0, -MOST_REMEMBERED)) remembered.delete(oldest);
      }
      return media;
    };
    return { medium, put };
  }

  async function putMedium(
    medium: Medium,
    { altText, warning }: { readonly altText: string | undefined; readonly warning: MediaWarning | undefined },
    { purpose, signal }: UploadOptions,
  ): Promise<UploadedMedia> {
    const { id, expiresAt } = await upload(medium, { purpose, signal });
    // X has no alternative text for videos.
    const described = altText !== undefined && altText !== '' && medium.kind !== 'video';
    await describe(id, { altText: described ? altText : undefined, warning }, signal);
    if (!described && altText) log?.warn({ file: medium.name }, 'x: X has no alternative text for videos; it is left out');
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

  async function prepareMedia(file: FileParam, purpose: Purpose, options: FileOptions): Promise<Prepared<Media>> {
    const reference = fileReference(file);
    const { id, altText } = reference;
    if (id === undefined) {
      const { medium, put } = await prepare(reference.source, altText, purpose, options);
      return { medium, put: async () => toMedia(await put()) };
    }
    const put = async (): Promise<Media> => {
      await describe(id, { altText: fittedAltText(altText), warning: options.warning }, options.signal);
      return { id, kind: 'image', altText: fittedAltText(altText), state: 'ready' };
    };
    return { put };
  }

  return {
    uploadMedia: async ({ file, altText }, options) => (await prepare(sourceOf(file), altText, 'post', options)).put(),
    recoverUpload: async () => 'absent',
    async assertTogether(files, signal) {
      const prepared = await readableFiles(files, (file) => prepareMedia(file, 'post', { signal }));
      assertTogether(prepared.map(({ medium }) => medium));
    },

    async putAll(files, purpose, options) {
      const prepared: Prepared<Media>[] = [];
      // One at a time, so that the first unusable file ends the write.
      for (const [index, file] of files.entries()) {
        prepared.push(await forPart({ parameter: 'files', index }, prepareMedia(file, purpose, options)));
      }
      assertTogether(prepared.map(({ medium }) => medium));
      const media: Media[] = [];
      for (const { put } of prepared) media.push(await put());
      return media;
    },
  };
}

/** The medium of a post. X gives its address only with the post. */
function toMedia({ id, kind, altText, state }: UploadedMedia): Media {
  return { id, kind, altText, state };
}

/** Refuses an animation or a video beside other files. The kinds of earlier uploads are unknown. */
function assertTogether(media: readonly (Medium | undefined)[]): void {
  const moving = media.find((medium) => medium !== undefined && medium.kind !== 'image');
  if (!moving || media.length === 1) return;
  const message = `the file ${moving.name} cannot be combined with other files: X accepts up to four pictures, one video or one GIF in a post: use several posts`;
  throw new ValidationError(message, { path: 'files' });
}

function fittedAltText(altText: string | undefined): string | undefined {
  return altText === undefined ? undefined : shorten(altText, LONGEST_ALT_TEXT);
}

/** The cache key of a file: its path, its address, or a digest of its content. */
function sourceKey(source: FileSource): string {
  return typeof source === 'string' ? source : createHash('sha256').update(source.bytes).digest('hex');
}
