import { FormData } from 'undici';
import { createHash } from 'node:crypto';
import type { Clock } from '#src/clock.ts';
import { PlatformError, ValidationError } from '#src/errors.ts';
import type { HttpResponse } from '#src/http/response.ts';
import type { Medium } from '#src/media/medium.ts';
import { readMedium } from '#src/media/read-medium.ts';
import { countCodePoints } from '#src/operation/text/code-points.ts';
import { shorten } from '#src/operation/text/shorten.ts';
import { givenFile, type FileParam, type FileSource } from '#src/social/files.ts';
import type { Media } from '#src/social/records/media.ts';
import type { MastodonApi } from './api.ts';
import { isFault, rejected } from './faults.ts';
import type { Instances } from './instance.ts';
import { MediaRow } from './wire/media.ts';
import { PLATFORM } from './wire/parts.ts';

const SCOPE = 'write:media';
const BUDGET = 'uploads';
const FIRST_LOOK_MS = 500;
const LONGEST_PAUSE_MS = 10_000;
const PATIENCE_MS = 15 * 60_000;
const PROCESSING = 206;

/** A file that is on the server from now on. */
interface Uploaded extends Pick<Media, 'id' | 'kind' | 'altText'> {
  readonly sha256: string;
}

/** Files on their way into posts. */
export interface Files {
  upload(source: FileSource, altText: string | undefined, signal: AbortSignal | undefined): Promise<Uploaded>;
  /** One that is there and in no post yet. */
  find(id: string, signal: AbortSignal | undefined): Promise<Media>;
  /** The ids under which a status takes the files, in their order, once the server has processed all of them. */
  idsOf(files: readonly FileParam[], signal: AbortSignal | undefined): Promise<string[]>;
}

export interface FilesOptions {
  readonly api: MastodonApi;
  readonly instances: Instances;
  /** Whether addresses of this machine and its network may be asked for files. */
  readonly anywhere: boolean;
  readonly clock: Clock;
}

export function files({ api, instances, anywhere, clock }: FilesOptions): Files {
  async function post(path: string, medium: Medium, altText: string | undefined, signal: AbortSignal | undefined): Promise<HttpResponse> {
    const body = new FormData();
    body.set('file', new Blob([medium.content], { type: medium.type }), medium.name);
    if (altText !== undefined) body.set('description', altText);
    // A file that comes twice is in no post twice: what no post takes is gone after a day.
    return api.send({ method: 'POST', path, body, scope: SCOPE, budget: BUDGET, signal });
  }

  async function upload(source: FileSource, altText: string | undefined, signal: AbortSignal | undefined): Promise<Uploaded> {
    const { media: limits, longestAltText } = await instances.current(signal);
    const medium = await readMedium(source, { limits, anywhere, signal });
    const description = altText ? shorten(altText, longestAltText, countCodePoints) : undefined;
    const sent = await posted(medium, description, signal);
    const row = await processed(sent.json(MediaRow), sent.status, signal);
    const sha256 = createHash('sha256').update(medium.content).digest('hex');
    return { id: row.id, kind: row.kind, altText: row.altText ?? description, sha256 };
  }

  async function posted(medium: Medium, description: string | undefined, signal: AbortSignal | undefined): Promise<HttpResponse> {
    try {
      return await post('/api/v2/media', medium, description, signal);
    } catch (error) {
      // The older way, where the server has no other: it answers once the file is processed.
      if (isFault(error, 'missing')) return post('/api/v1/media', medium, description, signal);
      throw isFault(error, 'rejected') ? rejected(`the server does not take the file ${medium.name} (${medium.type}).`, error) : error;
    }
  }

  /** Waits until a status can take the file. */
  async function processed(row: Media, status: number, signal: AbortSignal | undefined): Promise<Media> {
    let [known, isReady] = [row, status !== PROCESSING && row.url !== undefined];
    const untilMs = clock.nowMs() + PATIENCE_MS;
    for (let pauseMs = FIRST_LOOK_MS; !isReady; pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS)) {
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
      const look = await api.send({ path: `/api/v1/media/${encodeURIComponent(row.id)}`, scope: SCOPE, signal }).catch((error: unknown) => {
        throw isFault(error, 'rejected') ? rejected('the server could not process the file.', error) : error;
      });
      if (look.status === PROCESSING) continue;
      known = look.json(MediaRow);
      isReady = known.url !== undefined;
    }
    return known;
  }

  async function idOf(file: FileParam, signal: AbortSignal | undefined): Promise<string> {
    const given = givenFile(file);
    const { id, altText } = given;
    if (id === undefined) return (await upload(given.source, altText, signal)).id;
    if (altText === undefined) return id;
    const { longestAltText } = await instances.current(signal);
    const json = { description: shorten(altText, longestAltText, countCodePoints) };
    await api.send({ method: 'PUT', path: `/api/v1/media/${encodeURIComponent(id)}`, json, scope: SCOPE, signal });
    return id;
  }

  return {
    upload,

    find: async (id, signal) => (await api.send({ path: `/api/v1/media/${encodeURIComponent(id)}`, scope: SCOPE, signal })).json(MediaRow),

    async idsOf(given, signal) {
      const { mostFiles, domain } = await instances.current(signal);
      if (given.length > mostFiles) {
        throw new ValidationError(`${domain} takes at most ${mostFiles} files in a post, and these are ${given.length}`, { path: 'files' });
      }
      const ids: string[] = [];
      for (const file of given) ids.push(await idOf(file, signal));
      return ids;
    },
  };
}
