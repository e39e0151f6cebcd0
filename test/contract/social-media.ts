import { expect } from 'vitest';
import { UploadedMedia } from '#src/social/records/media.ts';
import { fileWith, PNG } from '../support/media-files.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { whileSleeping } from '../support/while-sleeping.ts';
import type { PromiseTest } from './social-ground.ts';

/** Pictures and what stands for them. */
export function carriesMedia(promise: PromiseTest): void {
  promise('a post carries a picture and what it says to who cannot see it', ['createPost.files'], async ({ ground, social }) => {
    using folder = temporaryFolder();
    const path = fileWith(PNG, { folder, name: 'card.png' });

    const post = await whileSleeping(ground.clock, social.createPost('Look!', { files: [[path, 'A card']] }));

    expect(post.media).toMatchObject([{ kind: 'image', altText: 'A card', state: 'ready' }]);
    expect(URL.canParse(post.media[0]?.url ?? '')).toBe(true);
    expect((await social.postDetail(post)).media).toEqual(post.media);
  });

  promise('what was uploaded before goes into a post', ['uploadMedia', 'createPost.files'], async ({ ground, social }) => {
    using folder = temporaryFolder();
    const path = fileWith(PNG, { folder, name: 'card.png' });

    const uploaded = await whileSleeping(ground.clock, social.uploadMedia(path, { altText: 'A card' }));
    const post = await whileSleeping(ground.clock, social.createPost('Look!', { files: [uploaded] }));

    expect(UploadedMedia.safeParse(uploaded).success).toBe(true);
    expect(uploaded).toMatchObject({ platform: ground.platform.name, kind: 'image', state: 'ready' });
    expect(post.media).toMatchObject([{ kind: 'image', altText: 'A card' }]);
  });

  promise('a file that cannot be read is named, and nothing is posted', ['createPost.files'], async ({ ground, social }) => {
    using folder = temporaryFolder();

    await expect(social.createPost('Look!', { files: [`${folder.path}/none.png`] })).rejects.toMatchObject({ name: 'ValidationError' });

    expect(await ground.standing()).toEqual([]);
  });
}
