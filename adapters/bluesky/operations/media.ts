import { createHash } from 'node:crypto';
import { z } from 'zod';
import type { Clock } from '#src/clock.ts';
import { ValidationError } from '#src/errors.ts';
import type { MediaLimits, Medium } from '#src/http/media/medium.ts';
import { readMedium } from '#src/http/media/read-medium.ts';
import type { CallOptions } from '#src/clients/operation/call.ts';
import { countGraphemes } from '#src/clients/operation/text/characters.ts';
import { shorten } from '#src/clients/operation/text/shorten.ts';
import { type FileParam, fileReference, type FileSource, sourceOf } from '#src/clients/social/files.ts';
import { isFault, reworded } from '#src/http/errors.ts';
import type { Hosts, Xrpc } from '../client.ts';
import { failure, lacksService, PLATFORM, type Primitives, reasonOf, type Recoveries } from '../errors.ts';
import { flag, maybe, maybeCount, maybeText } from '../wire/parts.ts';

/** A reference to a file on the server of the account. */
export const BlobRef = z.looseObject({ ref: z.object({ $link: z.string() }), mimeType: z.string(), size: z.int().min(0) });
export type BlobRef = z.output<typeof BlobRef>;

/** A file that a post can take. */
interface UploadedFile {
  readonly kind: 'image' | 'gif' | 'video';
  readonly blob: BlobRef;
  readonly width: number | undefined;
  readonly height: number | undefined;
}

const FILE_KINDS = ['image', 'gif', 'video'] as const;
const Numbered = z.coerce.number().pipe(z.int().min(1)).optional();
const UploadId = z.object({
  kind: z.enum(FILE_KINDS),
  type: z.string().min(1),
  size: z.coerce.number().pipe(z.int().min(0)),
  width: Numbered,
  height: Numbered,
});

/** The public id of an upload. It contains all facts that a post needs. */
function toUploadId({ kind, blob, width, height }: UploadedFile): string {
  const size = width !== undefined && height !== undefined ? { width: String(width), height: String(height) } : {};
  const details = new URLSearchParams({ kind, type: blob.mimeType, size: String(blob.size), ...size });
  return `${blob.ref.$link}?${details.toString()}`;
}

/** The upload with an id; undefined for any other text. */
function fromUploadId(id: string): UploadedFile | undefined {
  const [, cid, details] = /^([a-z2-7]{8,128})\?(.+)$/.exec(id) ?? [];
  const { data } = UploadId.safeParse(Object.fromEntries(new URLSearchParams(details)));
  if (cid === undefined || !data) return undefined;
  const { kind, type: mimeType, size, width, height } = data;
  return { kind, blob: { $type: 'blob', ref: { $link: cid }, mimeType, size }, width, height };
}

const MOST_IMAGE_BYTES = 2_000_000;
const MOST_VIDEO_BYTES = 300_000_000;

export const LIMITS: MediaLimits = {
  platform: PLATFORM,
  types: ['image/jpeg', 'image/png', 'image/webp', 'image/gif', 'video/mp4'],
  mostBytes: { image: MOST_IMAGE_BYTES, gif: MOST_IMAGE_BYTES, video: MOST_VIDEO_BYTES },
  // Bluesky scales larger pictures down.
  longestSide: 4096,
};

/** The limit for videos. The protocol does not limit pictures. */
const LONGEST_ALT_TEXT = 1000;

/** A picture or a video. */
type SeenMedium = Medium & { readonly kind: UploadedFile['kind'] };

/** A file with its alternative text. */
export interface DescribedFile extends UploadedFile {
  readonly altText: string;
}

/** A file before its upload. */
export interface ReadFile {
  readonly kind: UploadedFile['kind'];
  /** Uploads the file. The same content is the same file on the server. */
  readonly uploaded: (options: CallOptions) => Promise<DescribedFile>;
}

export interface Files {
  /** Reads a file and checks its kind. */
  read(file: FileParam, options: CallOptions): Promise<ReadFile>;
  /** Uploads content that Fanfare has read. */
  readonly toBlob: (medium: Medium, options: CallOptions) => Promise<BlobRef>;
  readonly operations: Pick<Primitives, 'uploadMedia'>;
  readonly recover: Pick<Recoveries, 'uploadMedia'>;
}

/** Uploads of files to the server of the account. */
export function files({
  xrpc,
  uploadVideo,
  accountOrigin,
}: {
  readonly xrpc: Xrpc;
  readonly uploadVideo: UploadVideo;
  /** The origin of the server of the account. The server may be on this machine or its network. */
  readonly accountOrigin: string;
}): Files {
  async function toBlob(medium: Medium, { signal }: CallOptions): Promise<BlobRef> {
    if (medium.kind === 'video') return uploadVideo(medium, { signal });
    const sending = { body: medium.content, headers: { 'content-type': medium.type }, idempotent: true };
    const response = await xrpc.procedure('com.atproto.repo.uploadBlob', sending, { signal });
    return response.json(z.object({ blob: BlobRef })).blob;
  }

  async function seen(source: FileSource, { signal }: CallOptions): Promise<SeenMedium> {
    const medium = await readMedium(source, { limits: LIMITS, accountOrigin, signal });
    const { kind } = medium;
    if (kind === 'audio') throw new ValidationError(`${PLATFORM} does not accept audio files`, { path: 'files' });
    return { ...medium, kind };
  }

  async function upload(medium: SeenMedium, options: CallOptions): Promise<UploadedFile> {
    const { kind, width, height } = medium;
    return { kind, blob: await toBlob(medium, options), width, height };
  }

  return {
    toBlob,

    async read(file, options) {
      const input = fileReference(file);
      const { altText = '' } = input;
      if (input.id === undefined) {
        const medium = await seen(input.source, options);
        const described = { altText: fittedAltText(altText, medium.kind) };
        return { kind: medium.kind, uploaded: async (uploading) => ({ ...(await upload(medium, uploading)), ...described }) };
      }
      const known = fromUploadId(input.id);
      if (!known)
        throw new ValidationError(`"${input.id}" is not an upload to ${PLATFORM}: use the result of uploadMedia`, { path: 'files' });
      return { kind: known.kind, uploaded: async () => ({ ...known, altText: fittedAltText(altText, known.kind) }) };
    },

    operations: {
      async uploadMedia({ file, altText }, options) {
        const medium = await seen(sourceOf(file), options);
        const uploaded = await upload(medium, options);
        const sha256 = createHash('sha256').update(medium.content).digest('hex');
        return { platform: PLATFORM, id: toUploadId(uploaded), kind: uploaded.kind, altText, state: 'ready', sha256 };
      },
    },
    // A second upload of the same content is the same file.
    recover: { uploadMedia: async () => 'absent' },
  };
}

function fittedAltText(altText: string, kind: UploadedFile['kind']): string {
  return kind === 'video' ? shorten(altText, LONGEST_ALT_TEXT, countGraphemes) : altText;
}

const POLL_INTERVAL_MS = 1_500;
const TIMEOUT_MS = 15 * 60_000;
const TOKEN_S = 30 * 60;

const Job = z.object({
  jobId: maybeText,
  state: maybeText,
  progress: maybeCount,
  blob: maybe(BlobRef),
  error: maybeText,
  failureCode: maybeText,
});
/** The service answers with the job. Its lexicon has the job in `jobStatus`. */
const Answer = z.union([z.object({ jobStatus: Job }).transform(({ jobStatus }) => jobStatus), Job]);
type Job = z.output<typeof Job>;

const Limits = z.object({ canUpload: flag, remainingDailyVideos: maybeCount, remainingDailyBytes: maybeCount });

interface VideoUploadsOptions {
  readonly xrpc: Xrpc;
  readonly hosts: Hosts;
  /** The address of the video service. */
  readonly url: string;
  readonly clock: Clock;
}

/** Has the video service process a video and store it on the server of the account. */
type UploadVideo = (medium: Medium, options: CallOptions) => Promise<BlobRef>;

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
      .catch(async (error: unknown) => {
        if (isFault(error, 'unauthorized')) throw await explained(error, signal);
        // Some video services do not publish limits.
        if (!isFault(error, 'missing', 'rejected', 'unavailable', 'malformed')) throw error;
        return undefined;
      });
    if (!limits) return;
    const { canUpload, remainingDailyVideos = Infinity, remainingDailyBytes = Infinity } = limits;
    if (canUpload && remainingDailyVideos > 0 && remainingDailyBytes >= bytes) return;
    if (canUpload) throw failure('quotaExhausted', 'the account has reached its limit of videos for today.');
    throw failure('rejected', 'the account cannot upload videos: confirm its e-mail address, and try again.');
  }

  async function upload({ content, name, type }: Medium, signal: AbortSignal | undefined): Promise<Job> {
    const { did, pds } = await xrpc.session(signal);
    const headers = { ...(await tokenFor(webDid(pds), 'com.atproto.repo.uploadBlob', signal)), 'content-type': type };
    const request = { method: 'POST', path: '/xrpc/app.bsky.video.uploadVideo', query: { did, name }, headers, body: content } as const;
    try {
      return (await server.request({ ...request, budget: 'uploads', idempotent: true, signal })).json(Answer);
    } catch (error) {
      // The service has processed the same file before.
      const { jobId } = reasonOf(error);
      if (jobId === undefined) throw await explained(error, signal);
      return Job.parse({ jobId });
    }
  }

  /** The service gets no credentials of the user, so a refusal of them means that it does not serve the server of the account. */
  async function explained(error: unknown, signal: AbortSignal | undefined): Promise<unknown> {
    const isRefused = isFault(error, 'unauthorized', 'missing') || (lacksService(error) && error.status !== 502);
    if (!isRefused) return error;
    const { pds } = await xrpc.session(signal);
    const remedy = 'set BLUESKY_VIDEO_URL to a video service for this server, or post without the video';
    return reworded(error, `${PLATFORM}: ${new URL(url).host} processes no videos for ${pds}: ${remedy}.`, 'rejected');
  }

  return async (medium, { signal }) => {
    await assertAllowed(medium.content.length, signal);
    let job = await upload(medium, signal);
    const { jobId } = job;
    const giveUpMs = clock.nowMs() + TIMEOUT_MS;
    while (!job.blob) {
      if (job.state === 'JOB_STATE_FAILED')
        throw failure('rejected', `the video could not be processed (${failureReasonOf(job)}): try another file.`);
      if (jobId === undefined) throw failure('malformed', `${new URL(url).hostname} accepted the video, but does not report its state.`);
      if (clock.nowMs() >= giveUpMs) throw failure('unavailable', 'the video is still being processed after 15 minutes: try again later.');
      const request = { path: '/xrpc/app.bsky.video.getJobStatus', query: { jobId }, signal };
      job = (await server.request(request)).json(Answer);
      if (!job.blob) await clock.sleep(POLL_INTERVAL_MS, signal);
    }
    return job.blob;
  };
}

/** The error code of the video service, if it is a single word. */
function failureReasonOf({ failureCode, error }: Job): string {
  return [failureCode, error].find((word) => word !== undefined && /^\w{1,40}$/.test(word)) ?? 'no reason given';
}

/** The DID of a server. */
function webDid(url: string): string {
  const { hostname, port } = new URL(url);
  return `did:web:${hostname}${port === '' ? '' : encodeURIComponent(`:${port}`)}`;
}
