import { expect } from 'vitest';
import { UploadedMedia } from '#src/clients/social/records/media.ts';
import { fileWith, PNG, servePicture } from '../support/media-files.ts';
import { near } from '../support/same-origin.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { whileSleeping } from '../support/while-sleeping.ts';
import type { PromiseTest } from './social-fixture.ts';

/** Pictures and their alternative texts. */
export function socialMediaContract(promise: PromiseTest): void {
  promise('a post has a picture from a file, with its alternative text', ['createPost.files'], async ({ fixture, social }) => {
    using folder = temporaryFolder();
    const path = fileWith(PNG, { folder, name: 'card.png' });

    const post = await whileSleeping(fixture.clock, social.createPost('Look!', { files: [[path, 'A card']] }));

    const shown = await social.postDetail(post);
    expect(post.media).toMatchObject([{ kind: 'image', altText: 'A card', state: 'ready' }]);
    expect(URL.canParse(shown.media[0]?.url ?? '')).toBe(true);
    if (fixture.absentFromWrites?.includes('media'))
      expect(shown.media).toMatchObject(post.media.map(({ id, altText }) => ({ id, altText })));
    else expect(shown.media).toEqual(post.media);
  });

  promise('a post has pictures from bytes and from base64', ['createPost.files'], async ({ fixture, social }) => {
    const files = [
      { bytes: PNG, name: 'card.png', altText: 'A card' },
      { base64: PNG.toString('base64'), altText: 'Another card' },
    ];

    const post = await whileSleeping(fixture.clock, social.createPost('Look!', { files }));

    expect(post.media).toMatchObject([
      { kind: 'image', altText: 'A card', state: 'ready' },
      { kind: 'image', altText: 'Another card', state: 'ready' },
    ]);
  });

  promise('a post has pictures from addresses', ['createPost.files'], async ({ fixture, social }) => {
    await using pictures = await servePicture();
    const url = near(fixture, pictures);
    const files = [url, { url, altText: 'A card' }];

    const post = await whileSleeping(fixture.clock, social.createPost('Look!', { files }));

    expect(post.media.map(({ kind, altText = '' }) => [kind, altText])).toEqual([
      ['image', ''],
      ['image', 'A card'],
    ]);
  });

  promise('a long alternative text is cut to the limit of the platform', ['createPost.files'], async ({ fixture, social }) => {
    const post = await whileSleeping(
      fixture.clock,
      social.createPost('Look!', { files: [{ bytes: PNG, altText: 'A card. '.repeat(400) }] }),
    );

    expect(post.media[0]?.altText).toMatch(/^A card\. A card\. /u);
  });

  promise('nothing is posted if an address is not a picture', ['createPost.files'], async ({ fixture, social }) => {
    await using pictures = await servePicture();

    for (const path of ['/none', '/page']) {
      const write = social.createPost('Look!', { files: [{ url: near(fixture, { url: new URL(path, pictures.url).href }) }] });
      await expect(whileSleeping(fixture.clock, write)).rejects.toThrow(/was answered with 404|not a picture/);
    }

    expect(await fixture.postTexts()).toEqual([]);
  });

  promise('the bytes of a file are uploaded', ['uploadMedia'], async ({ fixture, social }) => {
    const uploaded = await whileSleeping(fixture.clock, social.uploadMedia({ bytes: PNG, name: 'card.png' }, { altText: 'A card' }));

    expect(uploaded).toMatchObject({ kind: 'image', state: 'ready' });
  });

  promise('a post has media that were uploaded before', ['uploadMedia', 'createPost.files'], async ({ fixture, social }) => {
    using folder = temporaryFolder();
    const path = fileWith(PNG, { folder, name: 'card.png' });

    const uploaded = await whileSleeping(fixture.clock, social.uploadMedia(path, { altText: 'A card' }));
    const post = await whileSleeping(fixture.clock, social.createPost('Look!', { files: [uploaded] }));

    expect(UploadedMedia.safeParse(uploaded).success).toBe(true);
    expect(uploaded).toMatchObject({ platform: fixture.platform.name, kind: 'image', state: 'ready' });
    expect(post.media).toMatchObject([{ kind: 'image', altText: 'A card' }]);
  });

  promise('a file that cannot be read is named, and nothing is posted', ['createPost.files'], async ({ fixture, social }) => {
    using folder = temporaryFolder();

    await expect(social.createPost('Look!', { files: [`${folder.path}/none.png`] })).rejects.toMatchObject({ name: 'ValidationError' });

    expect(await fixture.postTexts()).toEqual([]);
  });
}
