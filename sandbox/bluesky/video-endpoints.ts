import { createHash } from 'node:crypto';
import { z } from 'zod';
import type { JsonObject } from '#src/operation/json.ts';
import type { Journal } from '../journal.ts';
import { mediaContent } from '../social/media.ts';
import { serverDid } from './accounts.ts';
import { blobRef } from './blobs.ts';
import type { Bluesky } from './core.ts';
import { toTid } from './encoding.ts';
import { type Call, Did, type Endpoints, one, open, parsed, text } from './endpoint.ts';
import { DetailedRefusal, XrpcRefusal, authRequired, invalidRequest } from './refusal.ts';
import { readToken } from './sessions.ts';

const COLLECTION = 'video-jobs';
/** How long a video takes until it is ready. */
const PROCESSING_MS = 4000;

const Job = z.object({
  id: z.string(),
  did: z.string(),
  /** Of what is in the file. */
  sha256: z.string(),
  size: z.number(),
  startedAtMs: z.number(),
  /** The blob that came of it. */
  cid: z.string(),
  /** Why nothing came of it. */
  failure: z.string().optional(),
});
/** A video on its way. */
interface VideoJob extends Readonly<z.output<typeof Job>> {}

/** The videos that were brought, and how far each has come. */
class VideoJobs {
  readonly #journal: Journal;
  readonly #jobs = new Map<string, VideoJob>();

  constructor(journal: Journal) {
    this.#journal = journal;
    for (const document of journal.all(COLLECTION)) this.#remember(Job.parse(document));
  }

  find(id: string): VideoJob | undefined {
    return this.#jobs.get(id);
  }

  /** The job of the same file of the same account, if it did not fail. */
  findSame(did: string, content: Buffer): VideoJob | undefined {
    const sha256 = hashOf(content);
    return [...this.#jobs.values()].find((job) => job.did === did && job.sha256 === sha256 && job.failure === undefined);
  }

  /** What somebody brought since an instant. */
  since(did: string, atMs: number): readonly VideoJob[] {
    return [...this.#jobs.values()].filter((job) => job.did === did && job.startedAtMs >= atMs);
  }

  add(content: Buffer, facts: Pick<VideoJob, 'did' | 'startedAtMs' | 'cid' | 'failure'>): VideoJob {
    const id = toTid({ atUs: facts.startedAtMs * 1000 + this.#jobs.size, clock: 0 });
    const job = { ...facts, id, sha256: hashOf(content), size: content.length };
    this.#journal.put(COLLECTION, id, { ...job });
    this.#remember(job);
    return job;
  }

  #remember(job: VideoJob): void {
    this.#jobs.set(job.id, job);
  }
}

/** How much of a video is done, from 0 to 100. */
function progressOf({ startedAtMs }: VideoJob, nowMs: number): number {
  return Math.max(0, Math.min(100, Math.floor(((nowMs - startedAtMs) / PROCESSING_MS) * 100)));
}

function hashOf(content: Buffer): string {
  return createHash('sha256').update(content).digest('hex');
}

const SERVICE_DID = 'did:web:video.bsky.app';
const UPLOAD_METHOD = 'com.atproto.repo.uploadBlob';
const VIDEOS_A_DAY = 25;
const BYTES_A_DAY = 10_000_000_000;
const MOST_BYTES = 300_000_000;
const DAY_MS = 86_400_000;
const VIDEO_TYPE = 'video/mp4';

/** `app.bsky.video`: the video service, which accepts service tokens. */
export function videoEndpoints({ context, directory, blobs }: Bluesky): Endpoints {
  const jobs = new VideoJobs(context.journal);

  /** Who sent a token that their repository made for a service and a method. */
  function issuerOf(
    { token, nowMs, origin }: Call,
    { audiences, method }: { readonly audiences: readonly string[]; readonly method: string },
  ): string {
    if (token === undefined) throw authRequired('missing jwt', 'MissingJwt');
    const { iss, aud = '', lxm, exp } = readToken(token) ?? {};
    if (iss === undefined || exp === undefined || !directory.find(iss)) throw authRequired('jwt is no service token', 'BadJwt');
    if (exp * 1000 <= nowMs) throw authRequired('jwt expired', 'JwtExpired');
    const known = [...audiences, serverDid(origin), `did:web:${new URL(origin).host}`];
    if (!known.includes(aud)) throw authRequired('jwt audience does not match service did', 'BadJwtAudience');
    if (lxm !== method) throw authRequired(`bad jwt lexicon method ("lxm"). must match: ${method}`, 'BadJwtLexiconMethod');
    return iss;
  }

  function spentBy(did: string, nowMs: number): { readonly videos: number; readonly bytes: number } {
    const today = jobs.since(did, nowMs - DAY_MS);
    return { videos: today.length, bytes: today.reduce((sum, { size }) => sum + size, 0) };
  }

  function statusOf(job: VideoJob, nowMs: number): JsonObject {
    const { id: jobId, did, cid, failure } = job;
    const progress = progressOf(job, nowMs);
    if (progress < 100) return { jobId, did, state: progress < 10 ? 'JOB_STATE_CREATED' : 'JOB_STATE_ENCODING', progress };
    if (failure !== undefined)
      return { jobId, did, state: 'JOB_STATE_FAILED', error: failure, failureCode: 'validation_failure', message: failure };
    const { mimeType, size } = blobs.find({ did, cid }, nowMs) ?? { mimeType: VIDEO_TYPE, size: job.size };
    return { jobId, did, state: 'JOB_STATE_COMPLETED', progress: 100, blob: blobRef({ cid, mimeType, size }) };
  }

  /** The status under its name, and, as the service has always answered an upload, by itself. */
  function answered(status: JsonObject): JsonObject {
    return { ...status, jobStatus: status };
  }

  return {
    'app.bsky.video.getUploadLimits': open(z.object({}), (_, call) => {
      const did = issuerOf(call, { audiences: [SERVICE_DID], method: 'app.bsky.video.getUploadLimits' });
      const { videos, bytes } = spentBy(did, call.nowMs);
      const left = { remainingDailyVideos: Math.max(0, VIDEOS_A_DAY - videos), remainingDailyBytes: Math.max(0, BYTES_A_DAY - bytes) };
      if (left.remainingDailyVideos > 0 && left.remainingDailyBytes > 0) return { canUpload: true, ...left };
      return { canUpload: false, ...left, error: 'DailyLimitExceeded', message: 'You have reached your daily video upload limit.' };
    }),

    'app.bsky.video.uploadVideo': {
      admission: 'anybody',
      verb: 'POST',
      run(call) {
        const input = parsed(z.object({ did: one(Did), name: text.optional() }), call.params, '');
        const issuer = issuerOf(call, { audiences: [], method: UPLOAD_METHOD });
        if (issuer !== input.did) throw new XrpcRefusal(403, 'Forbidden', 'did does not match the issuer of the token');
        const { content, nowMs } = call;
        if (content.length === 0) throw invalidRequest('A request body is expected but none was provided');
        if (content.length > MOST_BYTES) throw invalidRequest('Video file is too large', 'VideoTooLarge');
        const same = jobs.findSame(issuer, content);
        if (same)
          throw new DetailedRefusal(409, {
            error: 'already_exists',
            message: 'Video already processed',
            ...answered(statusOf(same, nowMs)),
          });
        if (spentBy(issuer, nowMs).videos >= VIDEOS_A_DAY)
          throw new XrpcRefusal(429, 'DailyLimitExceeded', 'Daily video upload limit reached');
        const isVideo = mediaContent(content)?.kind === 'video';
        const { cid } = blobs.add(issuer, content, { mimeType: VIDEO_TYPE, uploadedAtMs: nowMs });
        const failure = isVideo ? undefined : 'Unable to process the file as a video';
        return answered(statusOf(jobs.add(content, { did: issuer, startedAtMs: nowMs, cid, failure }), nowMs));
      },
    },

    'app.bsky.video.getJobStatus': open(z.object({ jobId: text }), ({ jobId }, { nowMs }) => {
      const job = jobs.find(jobId);
      if (!job) throw invalidRequest('Job not found', 'JobNotFound');
      return { jobStatus: statusOf(job, nowMs) };
    }),
  };
}
