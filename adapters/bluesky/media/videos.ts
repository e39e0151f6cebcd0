import { z } from 'zod';
import type { Clock } from '#src/clock.ts';
import type { Medium } from '#src/media/medium.ts';
import type { CallOptions } from '#src/operation/call.ts';
import { failure, isFault, PLATFORM } from '../platform.ts';
import { flag, maybe, maybeCount, maybeText } from '../wire/parts.ts';
import { reasonOf } from '../xrpc/faults.ts';
import type { Hosts } from '../xrpc/hosts.ts';
import type { Xrpc } from '../xrpc/xrpc.ts';
import { BlobRef } from './blob.ts';

const LOOK_AGAIN_MS = 1_500;
const PATIENCE_MS = 15 * 60_000;
const TOKEN_S = 30 * 60;

const Job = z.object({
  jobId: maybeText,
  state: maybeText,
  progress: maybeCount,
  blob: maybe(BlobRef),
  error: maybeText,
  failureCode: maybeText,
});
/** The service answers with the job itself, where its lexicon has it inside. */
const Answer = z.union([z.object({ jobStatus: Job }).transform(({ jobStatus }) => jobStatus), Job]);
type Job = z.output<typeof Job>;

const Limits = z.object({ canUpload: flag, remainingDailyVideos: maybeCount, remainingDailyBytes: maybeCount });

export interface VideoUploadsOptions {
  readonly xrpc: Xrpc;
  readonly hosts: Hosts;
  /** Where videos are made ready to be watched. */
  readonly url: string;
  readonly clock: Clock;
}

/** Makes a video one that can be watched, and puts it on the account's server. */
export type UploadVideo = (medium: Medium, options: CallOptions) => Promise<BlobRef>;

export function videoUploads({ xrpc, hosts, url, clock }: VideoUploadsOptions): UploadVideo {
  const server = hosts.at(url);

  async function tokenFor(aud: string, lxm: string, signal: AbortSignal | undefined): Promise<Record<string, string>> {
    const exp = Math.floor(clock.nowMs() / 1000) + TOKEN_S;
    const { token } = await xrpc.query('com.atproto.server.getServiceAuth', z.object({ token: z.string() }), { aud, lxm, exp }, { signal });
    return { authorization: `Bearer ${token}` };
  }

  async function assertAllowed(bytes: number, signal: AbortSignal | undefined): Promise<void> {
    const headers = await tokenFor(webDid(url), 'app.bsky.video.getUploadLimits', signal);
    const limits = await server
      .request({ path: '/xrpc/app.bsky.video.getUploadLimits', headers, signal })
      .then((response) => response.json(Limits))
      .catch((error: unknown) => {
        // Not every server of videos has limits that it tells.
        if (!isFault(error, 'missing', 'rejected', 'unavailable', 'malformed')) throw error;
        return undefined;
      });
    if (!limits) return;
    const { canUpload, remainingDailyVideos = Infinity, remainingDailyBytes = Infinity } = limits;
    if (canUpload && remainingDailyVideos > 0 && remainingDailyBytes >= bytes) return;
    const why = canUpload ? 'no more videos today' : 'no videos: the e-mail address of the account may have to be confirmed first';
    throw failure(canUpload ? 'quotaExhausted' : 'rejected', `the account may upload ${why}.`);
  }

  async function upload({ content, name, type }: Medium, signal: AbortSignal | undefined): Promise<Job> {
    const { did, pds } = await xrpc.session(signal);
    const headers = { ...(await tokenFor(webDid(pds), 'com.atproto.repo.uploadBlob', signal)), 'content-type': type };
    const request = { method: 'POST', path: '/xrpc/app.bsky.video.uploadVideo', query: { did, name }, headers, body: content } as const;
    try {
      return (await server.request({ ...request, budget: 'uploads', idempotent: true, signal })).json(Answer);
    } catch (error) {
      // The same file was brought before.
      const { jobId } = reasonOf(error);
      if (jobId === undefined) throw error;
      return Job.parse({ jobId });
    }
  }

  return async (medium, { signal }) => {
    await assertAllowed(medium.content.length, signal);
    let job = await upload(medium, signal);
    const { jobId } = job;
    const giveUpMs = clock.nowMs() + PATIENCE_MS;
    while (!job.blob) {
      if (job.state === 'JOB_STATE_FAILED')
        throw failure('rejected', `the video could not be made ready (${whyFailed(job)}): try another file.`);
      if (jobId === undefined) throw failure('malformed', `${new URL(url).hostname} took the video and does not say what became of it.`);
      if (clock.nowMs() >= giveUpMs) throw failure('unavailable', 'the video was still not ready after fifteen minutes: try again later.');
      const request = { path: '/xrpc/app.bsky.video.getJobStatus', query: { jobId }, signal };
      job = (await server.request(request)).json(Answer);
      if (!job.blob) await clock.sleep(LOOK_AGAIN_MS, signal);
    }
    return job.blob;
  };
}

/** A word of the service's own, as long as it is only a word. */
function whyFailed({ failureCode, error }: Job): string {
  return [failureCode, error].find((word) => word !== undefined && /^\w{1,40}$/.test(word)) ?? `${PLATFORM} does not say why`;
}

/** The identity of a server: its name. */
function webDid(url: string): string {
  const { hostname, port } = new URL(url);
  return `did:web:${hostname}${port === '' ? '' : encodeURIComponent(`:${port}`)}`;
}
