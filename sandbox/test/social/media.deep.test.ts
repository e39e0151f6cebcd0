import { fetch } from 'undici';
import { expect, test } from 'vitest';
import { SocialAsync } from '#src/clients/social/social.ts';
import { openSocial, type SandboxFixture } from '../../../test/adapters/sandbox/open-social.ts';
import { signIn } from '../../../test/support/sandbox-people.ts';
import { fileWith, MP4, PNG } from '../../../test/support/media-files.ts';
import { temporaryFolder } from '../../../test/support/temporary-folder.ts';
import { whileSleeping } from '../../../test/support/while-sleeping.ts';

const DAY_MS = 86_400_000;

test('an upload has a type and a time after which posts cannot contain it', async () => {
  using folder = temporaryFolder();
  await using fixture = await openSocial();
  const social = new SocialAsync(fixture);

  const media = await social.uploadMedia(fileWith(PNG, { folder, name: 'wrong-name.txt' }), { altText: 'A card' });
  await fixture.clock.advance(DAY_MS + 1);

  expect(media).toMatchObject({
    platform: 'sandbox',
    kind: 'image',
    altText: 'A card',
    state: 'ready',
    expiresAt: new Date(fixture.clock.nowMs() - 1),
  });
  expect(media.sha256).toMatch(/^[\da-f]{64}$/);
  await expect(social.createPost('late', { files: [media] })).rejects.toMatchObject({ status: 422 });
});

test('the platform processes a video first, refuses a post before that, and the client waits', async () => {
  using folder = temporaryFolder();
  await using fixture = await openSocial();
  const social = new SocialAsync(fixture);
  const path = fileWith(MP4, { folder, name: 'clip.mp4' });
  const startMs = fixture.clock.nowMs();

  const raw = await post(fixture, '/uploadMedia', { params: { file: `data:video/mp4;base64,${MP4.toString('base64')}` } });
  const early = await post(fixture, '/createPost', { params: { text: 'early', files: [{ id: raw.json.id }] } });
  const written = await whileSleeping(fixture.clock, social.createPost('in time', { files: [[path, 'A clip']] }));

  expect(raw.json).toMatchObject({ kind: 'video', state: 'processing' });
  expect(early).toMatchObject({ status: 422, json: { error: 'media_not_ready' } });
  expect(fixture.clock.nowMs()).toBeGreaterThanOrEqual(startMs + 1500);
  expect(written.media).toMatchObject([{ kind: 'video', altText: 'A clip', state: 'ready' }]);
  expect(await fixture.postTexts()).toEqual(['in time']);
});

test('an edit changes the files, and the history has the earlier files', async () => {
  using folder = temporaryFolder();
  await using fixture = await openSocial();
  const social = new SocialAsync(fixture);
  const path = fileWith(PNG, { folder, name: 'card.png' });
  const before = await social.createPost('card', { files: [path] });

  const kept = await social.editPost(before, 'the card');
  const after = await social.editPost(before, 'the card', { files: [[path, 'new']] });
  const { versions } = await social.postEditHistory(before);
  const poll = await social.createPost('which?', { poll: { options: ['a', 'b'] } });

  expect(kept.media).toEqual(before.media);
  expect(after.media).toMatchObject([{ altText: 'new' }]);
  expect(versions.map(({ media }) => media)).toEqual([before.media, before.media, after.media]);
  await expect(social.editPost(poll, 'which?', { files: [path] })).rejects.toMatchObject({ status: 422 });
});

test('the platform refuses unsupported, mixed and missing files and files of other accounts, and creates no post', async () => {
  using folder = temporaryFolder();
  await using fixture = await openSocial();
  const social = new SocialAsync(fixture);
  const ada = await signIn(fixture, 'ada');
  const png = fileWith(PNG, { folder, name: 'card.png' });
  const svg = fileWith('<svg onload="alert(1)"/>', { folder, name: 'card.svg' });
  const mp4 = fileWith(MP4, { folder, name: 'clip.mp4' });

  await expect(social.createPost('a', { files: [svg] })).rejects.toMatchObject({ name: 'ValidationError' });
  await expect(ada.createPost('b', { files: [await social.uploadMedia(png)] })).rejects.toMatchObject({ fault: 'missing' });
  await expect(whileSleeping(fixture.clock, social.createPost('c', { files: [png, mp4] }))).rejects.toMatchObject({ status: 422 });
  await expect(social.createPost('d', { files: [`${folder.path}/none.png`] })).rejects.toMatchObject({ name: 'ValidationError' });
  await expect(social.createPost('e', { files: [png, png, png, png, png] })).rejects.toMatchObject({ name: 'ValidationError' });
  expect(await fixture.postTexts()).toEqual([]);
});

async function post(
  { sandbox: { environment } }: SandboxFixture,
  path: string,
  body: object,
): Promise<{ readonly status: number; readonly json: { readonly id?: string } }> {
  const headers = { authorization: `Bearer ${environment['SANDBOX_TOKEN']}` };
  const response = await fetch(`${environment['SANDBOX_URL']}${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
  return { status: response.status, json: (await response.json()) as { id?: string } }; // the API is ours
}
