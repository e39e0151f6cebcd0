import { hash } from 'node:crypto';
import { z } from 'zod';
import type { JsonObject } from '#src/clients/operation/json.ts';
import { mediaContent } from '../social/media.ts';
import { serverDid } from './accounts.ts';
import { Did } from './addresses.ts';
import { toTid } from './encoding.ts';
import { blobJson } from './records.ts';
import { authRequired, invalidRequest, XrpcRefusal } from './refusal.ts';
import { one, open, read, text, type XrpcRequest, type XrpcRoute } from './request.ts';
import { readToken } from './sessions.ts';
import type { VideoJob } from './state.ts';

const SERVICE_DID = 'did:web:video.bsky.app';
const LIMITS_METHOD = 'app.bsky.video.getUploadLimits';
const PROCESSING_MS = 4000;
const MOST_BYTES = 300_000_000;
const VIDEO_TYPE = 'video/mp4';

/** `app.bsky.video`: the video service, which accepts service tokens. */
export const videoRoutes: readonly XrpcRoute[] = [
  open(LIMITS_METHOD, {}, (_, request) => {
    issuerOf(request, LIMITS_METHOD);
    return { canUpload: true, remainingDailyVideos: 25, remainingDailyBytes: MOST_BYTES };
  }),

  {
    method: 'app.bsky.video.uploadVideo',
    verb: 'POST',
    answer(request) {
      const { state, content, nowMs } = request;
      const input = read(z.object({ did: one(Did) }), request.parameters, '');
      const did = issuerOf(request, 'com.atproto.repo.uploadBlob');
      if (did !== input.did) throw new XrpcRefusal(403, 'Forbidden', 'did does not match the issuer of the token');
      if (content.length > MOST_BYTES) throw invalidRequest('Video file is too large', 'VideoTooLarge');
      const sha256 = hash('sha256', content);
      const same = state.videoJobs.all().find((job) => job.did === did && job.sha256 === sha256 && job.failure === undefined);
      if (same) throw new XrpcRefusal(409, 'already_exists', 'Video already processed', toStatus(same, request));
      const failure = mediaContent(content)?.kind === 'video' ? undefined : 'Unable to process the file as a video';
      const { cid } = state.blobs.add(content, { did, mimeType: VIDEO_TYPE, uploadedAtMs: nowMs });
      const id = toTid(nowMs * 1000 + state.videoJobs.size);
      const status = toStatus(state.videoJobs.put({ id, did, sha256, startedAtMs: nowMs, cid, failure }), request);
      // The lexicon has the status in `jobStatus`. The service answers with the status itself.
      return { ...status, jobStatus: status };
    },
  },

  open('app.bsky.video.getJobStatus', { jobId: text }, ({ jobId }, request) => {
    const job = request.state.videoJobs.get(jobId);
    if (!job) throw invalidRequest('Job not found', 'JobNotFound');
    return { jobStatus: toStatus(job, request) };
  }),
];

/** The issuer of a service token. Refuses a token for another service or method. */
function issuerOf({ state, token, nowMs, origin }: XrpcRequest, method: string): string {
  if (token === undefined) throw authRequired('missing jwt', 'MissingJwt');
  const { iss, aud = '', lxm, exp = 0 } = readToken(token) ?? {};
  if (iss === undefined || !state.directory.find(iss)) throw authRequired('jwt is no service token', 'BadJwt');
  if (exp * 1000 <= nowMs) throw authRequired('jwt expired', 'JwtExpired');
  const audiences = [SERVICE_DID, serverDid(origin), `did:web:${new URL(origin).host}`];
  if (!audiences.includes(aud)) throw authRequired('jwt audience does not match service did', 'BadJwtAudience');
  if (lxm !== method) throw authRequired(`bad jwt lexicon method ("lxm"). must match: ${method}`, 'BadJwtLexiconMethod');
  return iss;
}

function toStatus(job: VideoJob, { state, nowMs }: XrpcRequest): JsonObject {
  const { id: jobId, did, cid, failure, startedAtMs } = job;
  const progress = Math.min(100, Math.floor(((nowMs - startedAtMs) / PROCESSING_MS) * 100));
  if (progress < 100) return { jobId, did, state: progress < 10 ? 'JOB_STATE_CREATED' : 'JOB_STATE_ENCODING', progress };
  const blob = state.blobs.find(did, cid, nowMs);
  if (failure !== undefined) return { jobId, did, state: 'JOB_STATE_FAILED', error: failure, failureCode: 'validation_failure' };
  return { jobId, did, state: 'JOB_STATE_COMPLETED', progress, blob: blob && blobJson(blob) };
}
