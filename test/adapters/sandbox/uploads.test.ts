import { rmSync } from 'node:fs';
import { expect, test } from 'vitest';
import { SocialAsync } from '#src/clients/social/social.ts';
import { fileWith, MP4, PNG } from '../../support/media-files.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { whileSleeping } from '../../support/while-sleeping.ts';
import { openSocial } from './open-social.ts';

const since = new Date('2026-11-20T18:00:00Z');

test('a repeat does not need the files, because they are uploaded', async () => {
  using folder = temporaryFolder();
  await using fixture = await openSocial();
  const social = new SocialAsync(fixture);
  const path = fileWith(PNG, { folder, name: 'card.png' });
  fixture.sandbox.faults.add({ platform: 'social', kind: 'resetBefore', route: '/createPost', times: 1 });

  await expect(social.createPost('card', { files: [path], key: 'k', since })).rejects.toMatchObject({ fault: 'unanswered' });
  rmSync(path);
  const post = await social.createPost('card', { files: [path], key: 'k', since });

  expect(post.media).toHaveLength(1);
  expect(await fixture.postTexts()).toEqual(['card']);
});

test('a message uploads its file in the same way', async () => {
  using folder = temporaryFolder();
  await using fixture = await openSocial();
  const social = new SocialAsync(fixture);

  const message = await social.sendMessage('ada', 'look', { file: [fileWith(PNG, { folder, name: 'card.png' }), 'A card'] });

  expect(message.media).toMatchObject([{ kind: 'image', altText: 'A card', state: 'ready' }]);
});

test('an abort during processing leaves no timer', async () => {
  using folder = temporaryFolder();
  await using fixture = await openSocial();
  const social = new SocialAsync(fixture);
  const stop = new AbortController();
  const path = fileWith(MP4, { folder, name: 'clip.mp4' });

  const write = social.uploadMedia(path, { signal: stop.signal, key: 'k', since });
  const stopped = write.catch((reason: unknown) => reason);
  while (fixture.clock.sleeping === 0) await new Promise((resolve) => setImmediate(resolve));
  stop.abort(new Error('enough'));
  const reason = await stopped;
  const media = await whileSleeping(fixture.clock, social.uploadMedia(path, { key: 'k', since }));

  expect(reason).toEqual(new Error('enough'));
  expect(fixture.clock.sleeping).toBe(0);
  expect(media).toMatchObject({ id: 'media-1', state: 'ready' });
});

test('an unreadable file is named, and nothing is sent', async () => {
  using folder = temporaryFolder();
  await using fixture = await openSocial();
  const path = `${folder.path}/none.png`;

  await expect(new SocialAsync(fixture).createPost('card', { files: [path] })).rejects.toThrow(`the file ${path} cannot be read`);

  expect(await fixture.postTexts()).toEqual([]);
});
