import { fetch } from 'undici';
import { expect, test } from 'vitest';
import { SocialAsync } from '#src/social/social.ts';
import { openSocial } from '../../adapters/sandbox/open-social.ts';
import { accountsOf, ALL, publicChatterNow } from '../../support/sandbox-people.ts';

test('a search for the latest finds every post with the word that one may see, newest first', async () => {
  await using ground = await openSocial();
  const social = new SocialAsync(ground);

  const found = await social.search('KEYBOARD', { filter: 'Latest', ...ALL });

  const held = publicChatterNow(ground).filter(({ text }) => text.includes('keyboard'));
  expect(found.items.map(({ id }) => id)).toEqual(held.map(({ id }) => id));
  expect(held.length).toBeGreaterThan(20);
});

test('without a filter the posts come that most people like, and with Media those of them with pictures', async () => {
  await using ground = await openSocial();
  const social = new SocialAsync(ground);

  const [best, media, latest] = await Promise.all([
    social.search('keyboard', ALL),
    social.search('keyboard', { filter: 'Media', ...ALL }),
    social.search('keyboard', { filter: 'Latest', ...ALL }),
  ]);

  const posts = best.items.filter((post) => 'counts' in post);
  const likes = posts.map(({ counts }) => counts.likes);
  expect(likes).toEqual(likes.toSorted((a, b) => b - a));
  expect(posts.map(({ id }) => id).toSorted()).toEqual(latest.items.map(({ id }) => id).toSorted());
  expect(media.items).toEqual(posts.filter((post) => post.media.length > 0));
  expect(media.length).toBeGreaterThan(0);
});

test('a hashtag finds the very hashtag, whatever its case, and not a longer one', async () => {
  await using ground = await openSocial();
  const social = new SocialAsync(ground);
  const exact = await social.createPost('This is #Zanzi.');
  await social.createPost('This is #Zanzibar, and Zanzi.');

  const found = await social.search('#zanzi', { filter: 'Latest', ...ALL });

  expect(found.items.map(({ id }) => id)).toEqual([exact.id]);
});

test('a search for people finds who is called so or says so, the most followed first', async () => {
  await using ground = await openSocial();
  const social = new SocialAsync(ground);

  const found = await social.search('Chess', { filter: 'People', ...ALL });

  const held = accountsOf(ground).all.filter(({ handle, displayName, bio }) => /chess/i.test([handle, displayName, bio].join(' ')));
  const people = found.items.filter((user) => 'handle' in user);
  const followers = people.map(({ followerCount = 0 }) => followerCount);
  expect(people.map(({ id }) => id).toSorted()).toEqual(held.map(({ id }) => id).toSorted());
  expect(followers).toEqual(followers.toSorted((a, b) => b - a));
});

test('a search for lists is refused', async () => {
  await using ground = await openSocial();

  const search = new SocialAsync(ground).search('chess', { filter: 'Lists' });

  await expect(search).rejects.toMatchObject({ name: 'UnsupportedParameter', parameter: 'filter', reason: 'NO_FEATURE' });
});

test('GIFs have every word of the term, and come the same at every look', async () => {
  await using ground = await openSocial();
  await using other = await openSocial();

  const [confetti] = (await new SocialAsync(ground).searchGifs('confetti')).items;
  const cats = await new SocialAsync(ground).searchGifs('CAT', ALL);
  const again = await new SocialAsync(other).searchGifs('CAT', ALL);
  const none = await new SocialAsync(ground).searchGifs('happy zanzibar', ALL);

  expect(confetti).toMatchObject({ provider: 'sandbox', title: 'Confetti', rating: 'g' });
  expect(cats.items.filter(({ title }) => !title?.endsWith(' cat'))).toEqual([]);
  expect(again.items.map(({ id }) => id)).toEqual(cats.items.map(({ id }) => id));
  expect(new Set(cats.items.map(({ id }) => id)).size).toBe(24);
  expect(none.items).toEqual([]);
});

test('a GIF is a moving picture of the size that its record says, and its preview stands still', async () => {
  await using ground = await openSocial();
  const [gif] = (await new SocialAsync(ground).searchGifs('happy cat')).items;
  if (!gif) throw new Error('there is no happy cat');

  const [moving, still] = await Promise.all(
    [gif.url, gif.previewUrl].map(async (url) => readGif(Buffer.from(await (await fetch(url)).arrayBuffer()))),
  );

  expect(moving).toMatchObject({ width: gif.width, height: gif.height, frames: expect.objectContaining({ length: 8 }) });
  expect(still).toMatchObject({ width: gif.width, height: gif.height, frames: [moving?.frames[0]] });
  expect(new Set(moving?.frames).size).toBe(8);
  expect((await fetch(gif.url.replace('happy-cat', 'no-such'))).status).toBe(404);
});

interface ReadGif {
  readonly width: number;
  readonly height: number;
  /** The data of each picture. */
  readonly frames: readonly string[];
}

/** Walks the blocks of a file as the format lays them out; throws where they do not end with the file. */
function readGif(file: Buffer): ReadGif {
  expect(file.subarray(0, 6).toString('latin1')).toBe('GIF89a');
  const palette = 3 * 2 ** ((file.readUInt8(10) & 7) + 1);
  const frames: string[] = [];
  let at = 13 + palette;
  const skipBlocks = (): void => {
    for (let length = file.readUInt8(at); length > 0; length = file.readUInt8(at)) at += 1 + length;
    at += 1;
  };
  for (let kind = file.readUInt8(at); kind !== 0x3b; kind = file.readUInt8(at)) {
    expect([0x21, 0x2c]).toContain(kind);
    at += kind === 0x21 ? 2 : 11;
    const start = at;
    skipBlocks();
    if (kind === 0x2c) frames.push(file.subarray(start, at).toString('base64'));
  }
  expect(at).toBe(file.length - 1);
  return { width: file.readUInt16LE(6), height: file.readUInt16LE(8), frames };
}
