import { AppBskyFeedPost, jsonToLex } from '@atproto/api';
import { expect, test } from 'vitest';
import { PNG } from '../../support/media-files.ts';
import { openBluesky } from './open-bluesky.ts';

const files = [{ bytes: PNG, altText: 'A card' }];

test.for([
  ['covered files', { sensitive: true, files }, ['graphic-media'], 'Hello'],
  ['a warning about files', { warning: 'Spiders', files }, ['graphic-media'], 'Spiders\n\nHello'],
  ['a warning that names labels', { warning: 'Nudity, adult content', files }, ['nudity', 'porn'], 'Hello'],
  ['a warning that names a label, without files', { warning: 'Sexually suggestive' }, ['sexual'], 'Hello'],
  ['a warning without files', { warning: 'Spiders' }, undefined, 'Spiders\n\nHello'],
  ['files that a warning does not cover', { warning: 'Spiders', sensitive: false, files }, undefined, 'Spiders\n\nHello'],
] as const)('%s become the labels of the record', async ([, options, labels, text]) => {
  await using fixture = await openBluesky();

  const post = await fixture.social.createPost('Hello', options);

  const [{ record } = {}] = await fixture.records();
  expect(AppBskyFeedPost.validateRecord(jsonToLex(record as never))).toMatchObject({ success: true });
  const values = labels?.map((val) => ({ val }));
  expect(record).toMatchObject({ text, ...(values && { labels: { $type: 'com.atproto.label.defs#selfLabels', values } }) });
  expect(record && 'labels' in record).toBe(labels !== undefined);
  const shown = await fixture.social.postDetail(post);
  expect([shown.warning, shown.sensitive]).toEqual([post.warning, post.sensitive]);
});

test('labels are the warning of a post', async () => {
  await using fixture = await openBluesky();

  const post = await fixture.social.createPost('Hello', { warning: 'Nudity, Adult content', files });

  expect(await fixture.social.postDetail(post)).toMatchObject({ warning: 'Nudity, Adult content', sensitive: true, text: 'Hello' });
});
