import { FormData } from 'undici';
import { z } from 'zod';
import type { Clock } from '#src/clock.ts';
import { PlatformError } from '#src/errors.ts';
import type { Log } from '#src/log.ts';
import type { Medium } from '#src/media/medium.ts';
import { WAYS } from '../access/access.ts';
import type { XApi } from '../api.ts';
import { oneOf, required } from '../wire/envelope.ts';
import { count, id, maybe } from '../wire/parts.ts';
import { categoryOf, type Purpose } from './limits.ts';

/** A part is as large as X takes, with room for what stands around it. */
const PART_BYTES = 4 * 1024 * 1024;
const USUAL_PAUSE_S = 1;
const LONGEST_PAUSE_S = 30;
/** Whoever is not ready by then never will be. */
const LONGEST_PROCESSING_MS = 15 * 60_000;

const Processing = z.object({ state: maybe(z.string()), check_after_secs: maybe(count), progress_percent: maybe(count) });
const Uploaded = oneOf(z.object({ id, expires_after_secs: maybe(count), processing_info: maybe(Processing) }));

/** An upload that posts take. */
interface UploadedFile {
  readonly id: string;
  readonly expiresAt: Date | undefined;
}

export interface UploadOptions {
  readonly purpose: Purpose;
  readonly signal: AbortSignal | undefined;
}

export interface UploaderOptions {
  readonly api: XApi;
  readonly clock: Clock;
  readonly log: Log | undefined;
}

/** Puts files on X. */
export type Upload = (medium: Medium, options: UploadOptions) => Promise<UploadedFile>;

/** Pictures go in one request, what moves in parts; both are waited for until X has worked through them. */
export function uploader({ api, clock, log }: UploaderOptions): Upload {
  type Answer = z.output<typeof Uploaded>['data'];

  async function inOne(medium: Medium, category: string, signal: AbortSignal | undefined): Promise<Answer> {
    const body = new FormData();
    body.set('media', fileOf(medium, medium.content));
    body.set('media_category', category);
    body.set('media_type', medium.type);
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
        'x: a file is uploaded',
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
          state === 'failed' ? 'cannot use it: check its format, its length and its codec' : 'is not ready with it after 15 minutes';
        throw new PlatformError(`x: the file ${name} was uploaded, and X ${why}.`, { platform: 'x', fault: 'rejected' });
      }
      log?.info({ file: name, percent }, 'x: a file is worked through');
      await clock.sleep(Math.min(Math.max(after, USUAL_PAUSE_S), LONGEST_PAUSE_S) * 1000, signal);
      const query = { command: 'STATUS', media_id: data.id };
      data = (await api.read(Uploaded, { path: '/2/media/upload', query, ways: WAYS.user, signal })).answer.data ?? data;
    }
  }

  return async (medium, { purpose, signal }) => {
    if (medium.kind === 'audio') throw new Error('x takes no sounds, and its limits say so');
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
