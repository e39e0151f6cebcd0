import { expect, test } from 'vitest';
import { gifOf, mp4Of, PNG, webmOf } from '../../../test/support/media-files.ts';
import { openMastodon, type OpenMastodon, refusalOf } from './open-mastodon.ts';

const MIXED = [422, expect.stringContaining('Cannot attach a video to a post that already contains images')];

async function uploaded({ masto }: OpenMastodon, content: Buffer<ArrayBuffer>): Promise<string> {
  return (await masto.v2.media.create({ file: new Blob([content]), skipPolling: true })).id;
}

test.for([
  ['a video without sound', mp4Of('vide'), 'gifv'],
  ['such a video of the web', webmOf('V_VP9'), 'gifv'],
  ['an animation', gifOf(4, 4), 'gifv'],
  ['a still GIF', gifOf(4, 4, 1), 'image'],
] as const)('a post has a picture together with %s', async ([, content, type]) => {
  await using server = await openMastodon();
  const mediaIds = [await uploaded(server, PNG), await uploaded(server, content)];
  await server.clock.advance(3000);

  const status = await server.masto.v1.statuses.create({ status: 'both', mediaIds });

  expect(status.mediaAttachments.map((media) => media.type)).toEqual(['image', type]);
});

test('a post has several animations', async () => {
  await using server = await openMastodon();
  const mediaIds = [await uploaded(server, mp4Of('vide')), await uploaded(server, gifOf(4, 4))];
  await server.clock.advance(3000);

  expect((await server.masto.v1.statuses.create({ status: 'both', mediaIds })).mediaAttachments).toHaveLength(2);
});

test.for([
  ['a video with sound', mp4Of('vide', 'soun')],
  ['such a video of the web', webmOf('V_VP9', 'A_OPUS')],
  ['a sound', Buffer.from('OggS')],
] as const)('a post refuses a picture together with %s', async ([, content]) => {
  await using server = await openMastodon();
  const mediaIds = [await uploaded(server, PNG), await uploaded(server, content)];
  await server.clock.advance(3000);

  expect(await refusalOf(server.masto.v1.statuses.create({ status: 'both', mediaIds }))).toEqual(MIXED);
});

test('the server enforces the limits that it states', async () => {
  await using server = await openMastodon();
  await server.configure({ maxFiles: 1, descriptionLimit: 10 });
  const mediaIds = [await uploaded(server, PNG), await uploaded(server, PNG)];

  const { configuration } = await server.masto.v2.instance.fetch();
  expect(configuration).toMatchObject({ statuses: { maxMediaAttachments: 1 }, mediaAttachments: { descriptionLimit: 10 } });
  const described = server.masto.v2.media.create({ file: new Blob([PNG]), description: 'A card with the schedule' });
  expect(await refusalOf(described)).toEqual([422, expect.stringContaining('maximum is 10 characters')]);
  expect(await refusalOf(server.masto.v1.statuses.create({ status: 'two', mediaIds }))).toEqual([
    422,
    expect.stringContaining('Cannot attach more than 1 files'),
  ]);
});

test('a server that is not Mastodon accepts a picture together with a video', async () => {
  await using server = await openMastodon();
  await server.configure({ kind: 'bare' });
  const files = [PNG, mp4Of('vide', 'soun')].map((content) => server.masto.v1.media.create({ file: new Blob([content]) }));
  const mediaIds = (await Promise.all(files)).map(({ id }) => id);

  expect((await server.masto.v1.statuses.create({ status: 'both', mediaIds })).mediaAttachments).toHaveLength(2);
});

test('a video without sound is an animation while it is processed, and no status contains it yet', async () => {
  await using server = await openMastodon();
  const mediaIds = [await uploaded(server, PNG), await uploaded(server, mp4Of('vide'))];

  expect(await refusalOf(server.masto.v1.statuses.create({ status: 'both', mediaIds }))).toEqual([
    422,
    expect.stringContaining('Cannot attach files that have not finished processing'),
  ]);
});

test.for([
  ['an animation', gifOf(1000, 1000)],
  ['a still GIF', gifOf(1000, 1000, 1)],
] as const)('%s over the limit of GIF files is refused', async ([, content]) => {
  await using server = await openMastodon();

  expect(await refusalOf(uploaded(server, content))).toEqual([422, expect.stringContaining('1000x1000 GIF files are not supported')]);
});
