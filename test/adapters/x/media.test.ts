import sharp from 'sharp';
import { expect, test } from 'vitest';
import { limitsFor, mediaWarningOf } from '#adapters/x/operations/media.ts';
import { readMedium } from '#src/http/media/read-medium.ts';
import { gifOf, MP4, PNG } from '../../support/media-files.ts';
import { ME, one, postRow, problem, scriptX } from './script-x.ts';

const LIMITS = limitsFor('post');
const picture = { bytes: PNG, name: 'card.png' };
const video = { bytes: MP4, name: 'clip.mp4' };

test.for([
  ['wide', 1600, 1000, { width: 1280, height: 800 }],
  ['high', 1000, 1200, { width: 900, height: 1080 }],
  ['small enough', 1280, 1080, { width: 1280, height: 1080 }],
] as const)('an animation that is %s stays an animation within 1280x1080', async ([, width, height, size]) => {
  const medium = await readMedium({ bytes: gifOf(width, height), name: 'dance.gif' }, { limits: LIMITS });

  expect(medium).toMatchObject({ kind: 'gif', type: 'image/gif', frames: 2, ...size });
  expect(await sharp(medium.content, { animated: true }).metadata()).toMatchObject({ pages: 2, pageHeight: size.height });
});

test('a still picture keeps its size', async () => {
  const bytes = await sharp({ create: { width: 3000, height: 2000, channels: 3, background: 'teal' } })
    .gif()
    .toBuffer();

  expect(await readMedium({ bytes, name: 'still.gif' }, { limits: LIMITS })).toMatchObject({ kind: 'image', width: 3000, height: 2000 });
});

test('an animation with too many frames is refused with both numbers', async () => {
  const bytes = gifOf(4, 4, 351);

  await expect(readMedium({ bytes, name: 'long.gif' }, { limits: LIMITS })).rejects.toThrow(
    'the file long.gif cannot be posted: it has 351 frames, and x takes at most 350: make it shorter',
  );
});

test('an animation with too many pixels is refused for its size', async () => {
  const bytes = gifOf(1000, 1000, 301);

  await expect(readMedium({ bytes, name: 'vast.gif' }, { limits: LIMITS })).rejects.toThrow(
    'the file vast.gif cannot be posted: it has 301 million pixels in 301 frames, and at most 300 million are taken',
  );
});

test.for([
  ['a picture and a video', [picture, video], 'clip.mp4'],
  ['two videos', [video, video], 'clip.mp4'],
  ['a video and a file that was uploaded before', [{ id: '12345' }, video], 'clip.mp4'],
] as const)('%s are refused before any upload', async ([, files, name]) => {
  await using x = await scriptX([]);

  await expect(x.social.createPost('We are live', { files })).rejects.toMatchObject({
    name: 'ValidationError',
    message: expect.stringContaining(`${name} cannot be combined with other files: X accepts up to four pictures, one video`),
  });
});

test('an animation beside another file is refused before any upload, even in an edit', async () => {
  await using x = await scriptX([['GET /2/tweets/5', one(postRow('5'))]]);
  const dance = { bytes: gifOf(8, 8), name: 'dance.gif' };

  await expect(x.social.createPost('We are live', { files: [picture, dance] })).rejects.toThrow(
    'dance.gif cannot be combined with other files',
  );
  await expect(x.social.editPost('5', 'We are live', { files: [dance, picture] })).rejects.toThrow(
    'dance.gif cannot be combined with other files',
  );
});

test('an unreadable file is found before any upload', async () => {
  await using x = await scriptX([]);

  await expect(x.social.createPost('We are live', { files: [picture, 'no-such-file.png'] })).rejects.toThrow('the file does not exist');
});

test('a video that is too long is rejected with its reason, without advice to sign in', async () => {
  const detail = 'This user is not allowed to post a video longer than 20 minutes.';
  const refusal = problem(403, { title: 'Forbidden', type: 'about:blank', status: 403, detail });
  await using x = await scriptX([ME, ['POST /2/tweets', refusal]]);

  await expect(x.social.createPost('We are live', { files: [{ id: '12345' }] })).rejects.toMatchObject({
    fault: 'rejected',
    message: expect.stringMatching(/the video is too long for this account.*shorten it/su),
  });
});

test('a video of a post can be larger than a video of a message', () => {
  expect(limitsFor('post').mostBytes.video).toBe(8_000_000_000);
  expect(limitsFor('message').mostBytes.video).toBe(512_000_000);
});

test.for([
  [{}, undefined],
  [{ warning: 'Spiders', sensitive: false }, undefined],
  [{ sensitive: true }, { adult_content: false, graphic_violence: false, other: true }],
  [{ warning: 'Spiders' }, { adult_content: false, graphic_violence: false, other: true }],
  [{ warning: 'Nudity' }, { adult_content: true, graphic_violence: false, other: false }],
  [{ warning: 'graphic media, adult content' }, { adult_content: true, graphic_violence: true, other: false }],
] as const)('%j is the warning of the files of a post', ([covering, warning]) => {
  expect(mediaWarningOf(covering)).toEqual(warning);
});
