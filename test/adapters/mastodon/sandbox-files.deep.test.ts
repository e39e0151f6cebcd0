import { expect, test } from 'vitest';
import { gifOf, mp4Of, PNG, webmOf } from '../../support/media-files.ts';
import { whileSleeping } from '../../support/while-sleeping.ts';
import { openMastodon } from './open-mastodon.ts';

const picture = { bytes: PNG, name: 'card.png' };

test.for([
  ['a video without sound', { bytes: mp4Of('vide'), name: 'a.mp4' }, 'gif'],
  ['such a video of the web', { bytes: webmOf('V_VP9'), name: 'a.webm' }, 'gif'],
  ['an animation', { bytes: gifOf(8, 8), name: 'a.gif' }, 'gif'],
  ['a still GIF', { bytes: gifOf(8, 8, 1), name: 'a.gif' }, 'image'],
] as const)('a post has a picture together with %s', async ([, file, kind]) => {
  await using fixture = await openMastodon();

  const post = await whileSleeping(fixture.clock, fixture.social.createPost('both', { files: [picture, file] }));

  expect(post.media).toMatchObject([{ kind: 'image' }, { kind }]);
});

test('the limits of a server shorten a description, and refuse too many files before any request', async () => {
  await using fixture = await openMastodon({ maxFiles: 1, descriptionLimit: 10 });
  const { social } = fixture;

  const post = await social.createPost('one', { files: [{ ...picture, altText: 'A card with the schedule' }] });
  const two = social.createPost('two', { files: [picture, picture] });

  expect(post.media).toMatchObject([{ altText: 'A card wi…' }]);
  await expect(two).rejects.toMatchObject({ name: 'ValidationError', message: expect.stringContaining('at most one file') });
  expect(await fixture.postTexts()).toEqual(['one']);
});

test('an animation over the limit of Mastodon for GIF files is made smaller', async () => {
  await using fixture = await openMastodon();
  const file = { bytes: gifOf(1000, 1000), name: 'a.gif' };

  const post = await whileSleeping(fixture.clock, fixture.social.createPost('large', { files: [file] }));

  expect(post.media).toMatchObject([{ kind: 'gif', width: 960, height: 960 }]);
});

test('a still GIF over the limit of Mastodon for GIF files is sent as another picture', async () => {
  await using fixture = await openMastodon();

  const post = await fixture.social.createPost('large', { files: [{ bytes: gifOf(1000, 1000, 1), name: 'a.gif' }] });

  expect(post.media).toMatchObject([{ kind: 'image' }]);
});
