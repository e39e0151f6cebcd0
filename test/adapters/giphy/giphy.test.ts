import { expect, test } from 'vitest';
import { giphy } from '#adapters/giphy/index.ts';
import { SocialAsync } from '#src/clients/social/social.ts';
import { bareSocial } from '../../support/bare-social.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { scriptHttp, type Step } from '../../support/script-http.ts';

const clock = new ManualClock();
const KEY = 'key-of-the-test';
const ASKED = (offset: number): string => `GET /gifs/search?api_key=${KEY}&q=happy+birthday&limit=50&offset=${offset}&rating=g`;

function row(id: string): object {
  const original = {
    url: `https://media.giphy.test/${id}.gif`,
    mp4: `https://media.giphy.test/${id}.mp4`,
    width: '480',
    height: '270',
    size: '1',
  };
  return {
    type: 'gif',
    id,
    title: `${id} GIF`,
    alt_text: '',
    rating: 'g',
    images: { original, preview_gif: { url: `https://media.giphy.test/${id}-p.gif` } },
  };
}

function page(ids: readonly string[], offset: number, total: number): object {
  return {
    data: ids.map(row),
    pagination: { total_count: total, count: ids.length, offset },
    meta: { status: 200, msg: 'OK', response_id: 'r' },
  };
}

async function search(steps: readonly Step[]): Promise<unknown> {
  await using server = await scriptHttp(steps);
  const social = new SocialAsync({ platform: bareSocial(), gifs: giphy({ apiKey: KEY, url: server.url, clock }), clock });
  return await social.searchGifs('happy birthday', { pages: 'all', waitTime: 0 }).then(
    ({ items }) => items,
    (error: unknown) => error,
  );
}

test('all pages are read, up to the total count', async () => {
  const found = await search([
    [ASKED(0), { json: page(['a', 'b'], 0, 3) }],
    [ASKED(2), { json: page(['c'], 2, 3) }],
  ]);

  expect(found).toMatchObject([{ id: 'a' }, { id: 'b' }, { id: 'c' }]);
  expect(found).toContainEqual({
    provider: 'giphy',
    id: 'a',
    title: 'a GIF',
    altText: undefined,
    url: 'https://media.giphy.test/a.gif',
    previewUrl: 'https://media.giphy.test/a-p.gif',
    mp4Url: 'https://media.giphy.test/a.mp4',
    width: 480,
    height: 270,
    rating: 'g',
  });
});

test('empty results, a missing address, an unknown rating and null are accepted', async () => {
  const bare = { id: 'x', images: { original: { url: 'https://media.giphy.test/x.gif', width: '', height: null } }, rating: 'y' };

  expect(await search([[ASKED(0), { json: { data: null, pagination: null } }]])).toEqual([]);
  expect(
    await search([[ASKED(0), { json: { data: [bare, { id: 'y', images: {} }, null], pagination: { count: 3, total_count: 3 } } }]]),
  ).toMatchObject([{ id: 'x', width: 0, height: 0, rating: undefined }]);
});

test.for([
  [401, 'unauthorized'],
  [403, 'unauthorized'],
  [429, 'rateLimited'],
  [414, 'rejected'],
] as const)('a %i is %s, and the error does not contain the key', async ([status, fault]) => {
  const error = await search([[ASKED(0), { status, headers: { 'retry-after': '3600' }, json: { meta: { status, msg: KEY } } }]]);

  expect(error).toMatchObject({ platform: 'giphy', fault });
  expect(String(error)).not.toContain(KEY);
});

test('a picture without a web address is left out', async () => {
  const local = { id: 'x', images: { original: { url: '/home/ada/private.png' } } };
  const other = {
    id: 'y',
    images: { original: { url: 'https://media.giphy.test/y.gif', mp4: 'file:///etc/passwd' }, preview_gif: { url: '/etc/passwd' } },
  };

  const found = await search([
    [ASKED(0), { json: { data: [local, other], pagination: null } }],
    [ASKED(2), { json: { data: [] } }],
  ]);

  expect(found).toMatchObject([{ id: 'y', previewUrl: 'https://media.giphy.test/y.gif', mp4Url: undefined }]);
});
