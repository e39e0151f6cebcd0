import { z } from 'zod';
import type { JsonObject } from '#src/operation/json.ts';
import { mediaContent } from '../../social/media-content.ts';
import { serverDid } from '../accounts/did-document.ts';
import { readToken } from '../accounts/jwt.ts';
import type { Bluesky } from '../core.ts';
import { blobRef } from '../repo/blobs.ts';
import { open, parsed, type Call, type Endpoints } from '../xrpc/endpoint.ts';
import { Did, one, text } from '../xrpc/params.ts';
import { authRequired, invalidRequest, Answered, XrpcRefusal } from '../xrpc/refusal.ts';
import { progressOf, VideoJobs, type VideoJob } from './jobs.ts';

const SERVICE_DID = 'did:web:video.bsky.app';
const UPLOAD_METHOD = 'com.atproto.repo.uploadBlob';
const VIDEOS_A_DAY = 25;
const BYTES_A_DAY = 10_000_000_000;
const MOST_BYTES = 300_000_000;
const DAY_MS = 86_400_000;
const VIDEO_TYPE = 'video/mp4';

/** `app.bsky.video`: a service of its own, that takes tokens made for it alone. */
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
        const given = parsed(z.object({ did: one(Did), name: text.optional() }), call.params, '');
        const issuer = issuerOf(call, { audiences: [], method: UPLOAD_METHOD });
        if (issuer !== given.did) throw new XrpcRefusal(403, 'Forbidden', 'did does not match the issuer of the token');
        const { content, nowMs } = call;
        if (content.length === 0) throw invalidRequest('A request body is expected but none was provided');
        if (content.length > MOST_BYTES) throw invalidRequest('Video file is too large', 'VideoTooLarge');
        const same = jobs.findSame(issuer, content);
        if (same)
          throw new Answered(409, { error: 'already_exists', message: 'Video already processed', ...answered(statusOf(same, nowMs)) });
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
