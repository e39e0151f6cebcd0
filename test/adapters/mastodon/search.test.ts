import { expect, test } from 'vitest';
import { describes, ME, scriptMastodon, statusRow } from './script-mastodon.ts';

const NOTHING = { json: { accounts: [], statuses: [], hashtags: [] } };
const asked = (q: string, rest = 'limit=40&offset=0'): string => `GET /api/v2/search?q=${q}&type=statuses&${rest}`;
const FROM_ME = asked('from%3Ame', 'limit=1');

test('a server that does not find the posts of the account has no text search', async () => {
  await using scripted = await scriptMastodon([[asked('chess'), NOTHING], describes(), ME, [FROM_ME, NOTHING], [asked('go'), NOTHING]]);

  await expect(scripted.social.search('chess')).rejects.toMatchObject({ name: 'UnsupportedOperation', reason: 'SERVER_DISABLED' });
  await expect(scripted.social.search('go')).rejects.toMatchObject({ reason: 'SERVER_DISABLED' });
});

test('with a text search, an empty result is empty', async () => {
  await using scripted = await scriptMastodon([
    [asked('chess'), NOTHING],
    describes(),
    ME,
    [FROM_ME, { json: { statuses: [statusRow('9')] } }],
    [asked('go'), NOTHING],
  ]);

  expect((await scripted.social.search('chess')).length).toBe(0);
  expect((await scripted.social.search('go')).length).toBe(0);
});

test('pages count from the first result', async () => {
  const page = Array.from({ length: 40 }, (_, index) => statusRow(`${index}`));
  await using scripted = await scriptMastodon([
    [asked('chess'), { json: { statuses: page } }],
    [asked('chess', 'limit=40&offset=40'), { json: { statuses: [statusRow('99')] } }],
  ]);

  expect((await scripted.social.search('chess', { pages: 'all', waitTime: 0 })).length).toBe(41);
});

test('a hashtag needs no search', async () => {
  await using scripted = await scriptMastodon([['GET /api/v1/timelines/tag/chess?limit=40&only_media=true', { json: [statusRow('9')] }]]);

  expect((await scripted.social.search('#chess', { filter: 'Media' })).length).toBe(1);
});
