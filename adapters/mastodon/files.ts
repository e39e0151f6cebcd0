import { FormData } from 'undici';
import { createHash } from 'node:crypto';
import type { Clock } from '#src/clock.ts';
import { PlatformError, ValidationError } from '#src/errors.ts';
import type { HttpResponse } from '#src/http/response.ts';
import type { Medium } from '#src/media/medium.ts';
import { readMedium } from '#src/media/read-medium.ts';
import { forPart, forRefusedPart } from '#src/operation/part.ts';
import { countCodePoints } from '#src/operation/text/code-points.ts';
import { shorten } from '#src/operation/text/shorten.ts';
import { givenFile, type FileParam, type FileSource } from '#src/social/files.ts';
import type { Media } from '#src/social/records/media.ts';
import type { MastodonApi } from './api.ts';
import { isFault, rejected } from './faults.ts';
import type { Instances } from './instance.ts';
import { hasSound } from './sound.ts';
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

/** A file of a post before anything is sent: what is in it, or where it is on the server. */
type Looked = ({ readonly medium: Medium } | { readonly id: string }) & { readonly altText?: string | undefined };

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
  /** The origin of the account's server, which may be on this machine or its network. */
  readonly accountOrigin: string;
  readonly clock: Clock;
}

export function files({ api, instances, accountOrigin, clock }: FilesOptions): Files {
  async function post(path: string, medium: Medium, altText: string | undefined, signal: AbortSignal | undefined): Promise<HttpResponse> {
    const body = new FormData();
    body.set('file', new Blob([medium.content], { type: medium.type }), medium.name);
    if (altText !== undefined) body.set('description', altText);
    // A file that comes twice is in no post twice: what no post takes is gone after a day.
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

  async function look(file: FileParam, signal: AbortSignal | undefined): Promise<Looked> {
    const given = givenFile(file);
    return given.id === undefined ? { medium: await read(given.source, signal), altText: given.altText } : given;
  }

  /** The id of what was uploaded before, with the text that it is to have. */
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

    async idsOf(given, signal) {
      const { mostFiles, domain, isMastodon } = await instances.current(signal);
      const refused = (takes: string): ValidationError =>
        new ValidationError(`${domain} takes ${takes} in a post, and these are ${given.length}`, { path: 'files' });
      if (given.length > mostFiles) throw refused(`at most ${mostFiles} files`);
      // All of them are looked at before the first is sent.
      const looked: Looked[] = [];
      for (const [index, file] of given.entries()) looked.push(await forPart({ parameter: 'files', index }, look(file, signal)));
      const isHeard = looked.some((file) => 'medium' in file && hasSound(file.medium));
      if (isMastodon && given.length > 1 && isHeard) throw refused('what can be heard without another file');
      const ids: string[] = [];
      for (const [index, file] of looked.entries()) {
        const { altText } = file;
        const sent = 'medium' in file ? send(file.medium, altText, signal).then(({ id }) => id) : described(file.id, altText, signal);
        ids.push(await forRefusedPart({ parameter: 'files', index }, sent));
      }
      return ids;
    },
  };
}
