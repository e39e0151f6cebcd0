import { createHash } from 'node:crypto';
import { FormData } from 'undici';
import type { Clock } from '#src/clock.ts';
import { PlatformError, ValidationError } from '#src/errors.ts';
import type { HttpResponse } from '#src/http/client.ts';
import type { Medium } from '#src/http/media/medium.ts';
import { readMedium } from '#src/http/media/read-medium.ts';
import { forPart, forRefusedPart } from '#src/clients/operation/part.ts';
import { countCodePoints } from '#src/clients/operation/text/characters.ts';
import { shorten } from '#src/clients/operation/text/shorten.ts';
import { type FileParam, fileReference, type FileSource, readableFiles } from '#src/clients/social/files.ts';
import type { Media } from '#src/clients/social/records/media.ts';
import { isFault } from '#src/http/errors.ts';
import type { MastodonApi } from '../client.ts';
import { rejected } from '../errors.ts';
import type { Instance, Instances } from '../instance.ts';
import { MediaRow } from '../wire/media.ts';
import { PLATFORM } from '../wire/parts.ts';

/** The mark of a sound track in MP4 files: eight bytes behind the name of its box. */
const HEARD = { box: 'hdlr', at: 12, kind: 'soun' } as const;
/** The mark of a sound track in WebM and Matroska files: its codec, for example `A_OPUS`. */
const HEARD_ON_THE_WEB = /\x86[\x83-\xbf]A_[A-Z]/u;
/** The descriptions of tracks are at the beginning of a file. */
const TRACKS_WITHIN_BYTES = 64 * 1024;

/** Whether a file certainly has sound. Mastodon converts a video without sound to an animation. */
function hasSound({ kind, type, content }: Pick<Medium, 'kind' | 'type' | 'content'>): boolean {
  if (kind !== 'video') return kind === 'audio';
  const bytes = Buffer.from(content.buffer, content.byteOffset, content.byteLength);
  if (/webm|matroska/u.test(type)) return HEARD_ON_THE_WEB.test(bytes.toString('latin1', 0, TRACKS_WITHIN_BYTES));
  for (let from = bytes.indexOf(HEARD.box); from !== -1; from = bytes.indexOf(HEARD.box, from + 1)) {
    if (bytes.toString('latin1', from + HEARD.at, from + HEARD.at + HEARD.kind.length) === HEARD.kind) return true;
  }
  return false;
}

const SCOPE = 'write:media';
const BUDGET = 'uploads';
const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 10_000;
const PATIENCE_MS = 15 * 60_000;
const PROCESSING = 206;

/** An uploaded file. */
interface Uploaded extends Pick<Media, 'id' | 'kind' | 'altText'> {
  readonly sha256: string;
}

/** A checked file of a post: its content, or its id on the server. */
type ReadFile = ({ readonly medium: Medium } | { readonly id: string }) & { readonly altText?: string | undefined };

/** Uploads of files for posts. */
export interface Files {
  upload(source: FileSource, altText: string | undefined, signal: AbortSignal | undefined): Promise<Uploaded>;
  /** An earlier upload that is in no post yet. */
  find(id: string, signal: AbortSignal | undefined): Promise<Media>;
  /** Refuses files that one post cannot have. Files that cannot be read do not count. */
  assertTogether(files: readonly FileParam[], signal: AbortSignal | undefined): Promise<void>;
  /** Uploads the files, waits until the server has processed them, and returns their ids in order. */
  idsOf(files: readonly FileParam[], signal: AbortSignal | undefined): Promise<string[]>;
}

/** The pauses before a status with files is sent again. Servers explain a refusal in their own language, so each refusal counts. */
const REFUSED_PAUSES_MS = [1_000, 4_000];
const UNPROCESSABLE = 422;

/** Sends a status. Under load, Mastodon refuses files that it just called processed: https://github.com/mastodon/mastodon/issues/21864. */
export async function sendWithFiles<T>(
  mediaIds: readonly string[] | undefined,
  send: () => Promise<T>,
  { clock, signal }: { readonly clock: Clock; readonly signal: AbortSignal | undefined },
): Promise<T> {
  for (const pauseMs of mediaIds?.length ? REFUSED_PAUSES_MS : []) {
    try {
      return await send();
    } catch (error) {
      if (!isFault(error, 'rejected') || error.status !== UNPROCESSABLE) throw error;
    }
    await clock.sleep(pauseMs, signal);
  }
  return send();
}

interface FilesOptions {
  readonly api: MastodonApi;
  readonly instances: Instances;
  /** The origin of the account's server, which may be on this machine or its network. */
  readonly accountOrigin: string;
  readonly clock: Clock;
}

export function files({ api, instances, accountOrigin, clock }: FilesOptions): Files {
  async function postTo(path: string, medium: Medium, altText: string | undefined, signal: AbortSignal | undefined): Promise<HttpResponse> {
    const body = new FormData();
    body.set('file', new Blob([medium.content], { type: medium.type }), medium.name);
    if (altText !== undefined) body.set('description', altText);
    // A repeated upload does no harm: the server deletes files without a post after a day.
    return api.send({ method: 'POST', path, body, scope: SCOPE, budget: BUDGET, signal });
  }

  async function read(source: FileSource, signal: AbortSignal | undefined): Promise<Medium> {
    const { media: limits } = await instances.current(signal);
    return readMedium(source, { limits, accountOrigin, signal });
  }

  async function send(medium: Medium, altText: string | undefined, signal: AbortSignal | undefined): Promise<Uploaded> {
    const { longestAltText } = await instances.current(signal);
    const description = altText ? shorten(altText, longestAltText, countCodePoints) : undefined;
    const sent = await posted(medium, description, signal);
    const row = await processed(sent.json(MediaRow), sent.status, signal);
    const sha256 = createHash('sha256').update(medium.content).digest('hex');
    return { id: row.id, kind: row.kind, altText: row.altText ?? description, sha256 };
  }

  async function posted(medium: Medium, description: string | undefined, signal: AbortSignal | undefined): Promise<HttpResponse> {
    try {
      return await postTo('/api/v2/media', medium, description, signal);
    } catch (error) {
      // Older servers have only this route. It responds after the file is processed.
      if (isFault(error, 'missing')) return postTo('/api/v1/media', medium, description, signal);
      throw isFault(error, 'rejected') ? rejected(`the server does not accept the file ${medium.name} (${medium.type}).`, error) : error;
    }
  }

  /** Waits until a status can take the file. */
  async function processed(row: Media, status: number, signal: AbortSignal | undefined): Promise<Media> {
    let [known, isReady] = [row, status !== PROCESSING && row.url !== undefined];
    const untilMs = clock.nowMs() + PATIENCE_MS;
    for (let pauseMs = FIRST_PAUSE_MS; !isReady; pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS)) {
      if (known.state === 'failed') throw rejected('the server could not process the file.');
      if (clock.nowMs() > untilMs) {
        throw new PlatformError(
          `${PLATFORM}: the server is still processing a file after ${PATIENCE_MS / 60_000} minutes; try again later.`,
          {
            platform: PLATFORM,
            fault: 'unavailable',
          },
        );
      }
      await clock.sleep(pauseMs, signal);
      const answer = await api
        .send({ path: `/api/v1/media/${encodeURIComponent(row.id)}`, scope: SCOPE, signal })
        .catch((error: unknown) => {
          throw isFault(error, 'rejected') ? rejected('the server could not process the file.', error) : error;
        });
      if (answer.status === PROCESSING) continue;
      known = answer.json(MediaRow);
      isReady = known.url !== undefined;
    }
    return known;
  }

  async function readParam(file: FileParam, signal: AbortSignal | undefined): Promise<ReadFile> {
    const input = fileReference(file);
    return input.id === undefined ? { medium: await read(input.source, signal), altText: input.altText } : input;
  }

  /** The id of an earlier upload, with its new alternative text. */
  async function described(id: string, altText: string | undefined, signal: AbortSignal | undefined): Promise<string> {
    if (altText === undefined) return id;
    const { longestAltText } = await instances.current(signal);
    const json = { description: shorten(altText, longestAltText, countCodePoints) };
    await api.send({ method: 'PUT', path: `/api/v1/media/${encodeURIComponent(id)}`, json, scope: SCOPE, signal });
    return id;
  }

  return {
    upload: async (source, altText, signal) => send(await read(source, signal), altText, signal),

    find: async (id, signal) => (await api.send({ path: `/api/v1/media/${encodeURIComponent(id)}`, scope: SCOPE, signal })).json(MediaRow),

    async assertTogether(input, signal) {
      const instance = await instances.current(signal);
      assertNumber(input, instance);
      assertTogether(await readableFiles(input, (file) => readParam(file, signal)), instance);
    },

    async idsOf(input, signal) {
      const instance = await instances.current(signal);
      assertNumber(input, instance);
      // All files are checked before the first upload.
      const readFiles: ReadFile[] = [];
      for (const [index, file] of input.entries()) readFiles.push(await forPart({ parameter: 'files', index }, readParam(file, signal)));
      assertTogether(readFiles, instance);
      const ids: string[] = [];
      for (const [index, file] of readFiles.entries()) {
        const { altText } = file;
        const sent = 'medium' in file ? send(file.medium, altText, signal).then(({ id }) => id) : described(file.id, altText, signal);
        ids.push(await forRefusedPart({ parameter: 'files', index }, sent));
      }
      return ids;
    },
  };
}

/** Refuses more files than the server accepts. */
function assertNumber({ length }: readonly FileParam[], { domain, mostFiles }: Instance): void {
  if (length <= mostFiles) return;
  const most = mostFiles === 1 ? 'one file' : `${mostFiles} files`;
  throw new ValidationError(`${domain} accepts at most ${most} in a post, and the post has ${length}: use several posts`, {
    path: 'files',
  });
}

/** Refuses sound beside other files. The kinds of earlier uploads are unknown. */
function assertTogether(read: readonly ReadFile[], { domain, isMastodon }: Instance): void {
  if (!isMastodon || read.length === 1 || !read.some((file) => 'medium' in file && hasSound(file.medium))) return;
  const message = `${domain} accepts a file with sound only without other files in a post, and the post has ${read.length}: use several posts`;
  throw new ValidationError(message, { path: 'files' });
}
