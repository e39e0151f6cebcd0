import { AppBskyEmbedVideo, AtpAgent, BlobRef } from '@atproto/api';
import { expect, test } from 'vitest';
import { MP4 } from '../../../test/support/media-files.ts';
import { openBluesky, refusalOf, type BlueskyFixture } from './open-bluesky.ts';

const UPLOAD = 'com.atproto.repo.uploadBlob';
const LIMITS = 'app.bsky.video.getUploadLimits';

test('the service processes a video once, and a post shows it', async () => {
  await using server = await openBluesky();
  const agent = await server.signIn();
  const service = await videoService(server, agent, { lxm: UPLOAD });
  const { jobId } = await upload(server, agent, MP4);

  const before = (await service.app.bsky.video.getJobStatus({ jobId })).data.jobStatus;
  server.clock.set(server.clock.nowMs() + 10_000);
  const { blob, state } = (await service.app.bsky.video.getJobStatus({ jobId })).data.jobStatus;

  expect(before).toMatchObject({ state: 'JOB_STATE_CREATED', progress: 0 });
  expect(state).toBe('JOB_STATE_COMPLETED');
  expect(await upload(server, agent, MP4)).toMatchObject({ status: 409, error: 'already_exists', jobId, state });
  if (!(blob instanceof BlobRef)) throw new Error('the job has no file');
  const { uri } = await agent.post({ text: '', embed: { $type: 'app.bsky.embed.video', video: blob } });
  expect(AppBskyEmbedVideo.isView((await agent.getPosts({ uris: [uri] })).data.posts[0]?.embed)).toBe(true);
});

test('the service rejects a file that is not a video', async () => {
  await using server = await openBluesky();
  const agent = await server.signIn();
  const { jobId } = await upload(server, agent, Buffer.from('no video'));
  server.clock.set(server.clock.nowMs() + 10_000);

  const { jobStatus } = (await (await videoService(server, agent, { lxm: UPLOAD })).app.bsky.video.getJobStatus({ jobId })).data;

  expect(jobStatus).toMatchObject({ state: 'JOB_STATE_FAILED', failureCode: 'validation_failure', error: expect.any(String) });
});

test.for([
  [{ lxm: LIMITS, aud: 'did:web:else.example' }, 'BadJwtAudience'],
  [{ lxm: UPLOAD }, 'BadJwtLexiconMethod'],
] as const)('the service refuses the token %j', async ([token, error]) => {
  await using server = await openBluesky();
  const agent = await server.signIn();
  const limits = async (options: Token) => (await videoService(server, agent, options)).app.bsky.video.getUploadLimits();

  expect(await refusalOf(limits(token))).toMatchObject({ status: 401, error });
  expect((await limits({ lxm: LIMITS })).data).toMatchObject({ canUpload: true });
});

interface Token {
  readonly lxm: string;
  readonly aud?: string;
}

async function tokenFor({ sandbox, clock }: BlueskyFixture, agent: AtpAgent, { lxm, aud }: Token): Promise<string> {
  const exp = Math.floor(clock.nowMs() / 1000) + 1800;
  const audience = aud ?? `did:web:${new URL(sandbox.url).host}`;
  return (await agent.com.atproto.server.getServiceAuth({ aud: audience, exp, lxm })).data.token;
}

/** A client of the video service. */
async function videoService(server: BlueskyFixture, agent: AtpAgent, token: Token): Promise<AtpAgent> {
  const service = new AtpAgent({ service: server.sandbox.url });
  service.setHeader('authorization', `Bearer ${await tokenFor(server, agent, token)}`);
  return service;
}

/** Clients upload without the lexicon, because the answer is the status itself. */
async function upload(
  server: BlueskyFixture,
  agent: AtpAgent,
  content: Buffer,
): Promise<{ readonly status: number; readonly jobId: string }> {
  const authorization = `Bearer ${await tokenFor(server, agent, { lxm: UPLOAD })}`;
  const query = new URLSearchParams({ did: agent.assertDid, name: 'clip.mp4' });
  const url = `${server.environment['BLUESKY_VIDEO_URL']}/xrpc/app.bsky.video.uploadVideo?${query.toString()}`;
  const headers = { authorization, 'content-type': 'video/mp4' };
  const response = await globalThis.fetch(url, { method: 'POST', headers, body: new Uint8Array(content) });
  const body = (await response.json()) as { readonly jobId: string }; // the server answers with a job
  return { ...body, status: response.status };
}
