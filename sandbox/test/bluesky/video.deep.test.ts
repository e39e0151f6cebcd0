import { AppBskyEmbedVideo, AtpAgent, BlobRef } from '@atproto/api';
import { expect, test } from 'vitest';
import { MP4 } from '../../../test/support/media-files.ts';
import { didOf, openBluesky, type BlueskyGround } from './open-bluesky.ts';

const VIDEO_SERVICE = 'did:web:video.bsky.app';

test('a video is processed for a while, and then a post can show it', async () => {
  await using ground = await openBluesky();
  const agent = await ground.signIn();
  const service = await video(ground, agent, { lxm: 'com.atproto.repo.uploadBlob' });
  const { jobId, did } = await upload(ground, agent, MP4);

  const working = (await service.app.bsky.video.getJobStatus({ jobId })).data.jobStatus;
  ground.clock.set(ground.clock.nowMs() + 10_000);
  const done = (await service.app.bsky.video.getJobStatus({ jobId })).data.jobStatus;

  expect(did).toBe(didOf(agent));
  expect(working).toMatchObject({ state: 'JOB_STATE_CREATED', progress: 0 });
  expect(working.blob).toBeUndefined();
  expect(done).toMatchObject({ state: 'JOB_STATE_COMPLETED', progress: 100, blob: { mimeType: 'video/mp4', size: MP4.length } });
  if (!(done.blob instanceof BlobRef)) throw new Error('there is no blob');
  const { uri } = await agent.post({ text: '', embed: { $type: 'app.bsky.embed.video', video: done.blob } });
  const [post] = (await agent.getPosts({ uris: [uri] })).data.posts;
  expect(AppBskyEmbedVideo.isView(post?.embed)).toBe(true);
});

test('the same video again is answered with the job that there is', async () => {
  await using ground = await openBluesky();
  const agent = await ground.signIn();
  const first = await upload(ground, agent, MP4);
  ground.clock.set(ground.clock.nowMs() + 10_000);

  const second = await upload(ground, agent, MP4);

  expect(second).toMatchObject({ status: 409, error: 'already_exists', jobId: first.jobId, state: 'JOB_STATE_COMPLETED' });
});

test('what is no video fails when it is processed', async () => {
  await using ground = await openBluesky();
  const agent = await ground.signIn();
  const { jobId } = await upload(ground, agent, Buffer.from('no video at all'));
  ground.clock.set(ground.clock.nowMs() + 10_000);

  const { jobStatus } = (await (await video(ground, agent, {})).app.bsky.video.getJobStatus({ jobId })).data;

  expect(jobStatus).toMatchObject({ state: 'JOB_STATE_FAILED', failureCode: 'validation_failure', error: expect.any(String) });
});

test('what is left of a day is told, and at the end nothing more is taken', async () => {
  await using ground = await openBluesky();
  const agent = await ground.signIn();
  const limits = async () =>
    (await (await video(ground, agent, { lxm: 'app.bsky.video.getUploadLimits', aud: VIDEO_SERVICE })).app.bsky.video.getUploadLimits())
      .data;
  const before = await limits();

  for (let each = 0; each < 25; each++) await upload(ground, agent, Buffer.concat([MP4, Buffer.from(`${each}`)]));

  expect(before).toMatchObject({ canUpload: true, remainingDailyVideos: 25 });
  expect(await limits()).toMatchObject({ canUpload: false, remainingDailyVideos: 0, error: expect.any(String) });
  expect(await upload(ground, agent, Buffer.concat([MP4, Buffer.from('more')]))).toMatchObject({ status: 429 });
});

test('the service takes no token but one that was made for it and for this', async () => {
  await using ground = await openBluesky();
  const agent = await ground.signIn();
  const limits = async (token: { lxm?: string; aud?: string }) => (await video(ground, agent, token)).app.bsky.video.getUploadLimits();

  await expect(agent.app.bsky.video.getUploadLimits()).rejects.toMatchObject({ status: 401, error: 'BadJwt' });
  await expect(limits({ lxm: 'app.bsky.video.getUploadLimits', aud: 'did:web:else.example' })).rejects.toMatchObject({
    error: 'BadJwtAudience',
  });
  await expect(limits({ lxm: 'com.atproto.repo.uploadBlob', aud: VIDEO_SERVICE })).rejects.toMatchObject({ error: 'BadJwtLexiconMethod' });
});

/** A client of the service of videos with a token of the repository. */
async function video({ sandbox, clock }: BlueskyGround, agent: AtpAgent, { lxm, aud }: { lxm?: string; aud?: string }): Promise<AtpAgent> {
  const exp = Math.floor(clock.nowMs() / 1000) + 60;
  const own = `did:web:${new URL(sandbox.url).host}`;
  const { token } = (await agent.com.atproto.server.getServiceAuth({ aud: aud ?? own, exp, ...(lxm !== undefined && { lxm }) })).data;
  const service = new AtpAgent({ service: `${sandbox.url}` });
  service.setHeader('authorization', `Bearer ${token}`);
  return service;
}

interface Uploaded {
  readonly status: number;
  readonly jobId: string;
  readonly did: string;
}

/** As clients do it: the answer is the status itself. */
async function upload(ground: BlueskyGround, agent: AtpAgent, content: Buffer): Promise<Uploaded> {
  const lxm = 'com.atproto.repo.uploadBlob';
  const exp = Math.floor(ground.clock.nowMs() / 1000) + 1800;
  const aud = `did:web:${new URL(ground.sandbox.url).host}`;
  const { token } = (await agent.com.atproto.server.getServiceAuth({ aud, lxm, exp })).data;
  const query = new URLSearchParams({ did: didOf(agent), name: 'clip.mp4' });
  const response = await globalThis.fetch(
    `${ground.environment['BLUESKY_VIDEO_URL']}/xrpc/app.bsky.video.uploadVideo?${query.toString()}`,
    {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'video/mp4' },
      body: new Uint8Array(content),
    },
  );
  const body = (await response.json()) as Omit<Uploaded, 'status'>; // the stand-in answers JSON
  return { ...body, status: response.status };
}
