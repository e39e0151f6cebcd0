import { randomBytes } from 'node:crypto';
import { AppBskyFeedPost, jsonToLex } from '@atproto/api';
import sharp from 'sharp';
import { fetch } from 'undici';
import { expect, test } from 'vitest';
import { linkCards } from '#adapters/bluesky/operations/link-card.ts';
import { createLog, type Log } from '#src/log.ts';
import { recoverWrite } from '#src/clients/operation/client.ts';
import { createPost } from '#src/clients/social/posts.ts';
import { SocialAsync } from '#src/clients/social/social.ts';
import { fileWith, PNG } from '../../support/media-files.ts';
import { bytes, servePages } from '../../support/pages.ts';
import { near } from '../../support/same-origin.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { whileSleeping } from '../../support/while-sleeping.ts';
import { openBluesky, type BlueskyFixture } from './open-bluesky.ts';

const since = new Date('2026-11-20T17:59:58.123Z');
const wanted = { key: 'delivery-1', since };
const png = bytes(PNG, { 'content-type': 'image/png' });
const ADA = `<title>no</title><meta property="og:title" content="Ada &amp; Grace"><meta property="og:description" content="Live!">
  <meta property="og:image" content="card.png">`;

/** A log, and the warnings in it. */
function warnings(): { readonly log: Log; readonly lines: string[] } {
  const lines: string[] = [];
  return { log: createLog({ level: 'warn', secrets: [], write: (line) => lines.push(line), color: false }), lines };
}

async function embedOf(fixture: BlueskyFixture, at = 0): Promise<unknown> {
  return (await fixture.records())[at]?.record['embed'];
}

test('the first link of a post has a card with the title, description and picture of its page', async () => {
  await using server = await servePages({ '/ada': ADA, '/card.png': png });
  await using fixture = await openBluesky();
  const { social } = fixture;
  const text = `now: ${near(fixture, server)}/ada, all day`;

  const post = await social.createPost(text);
  const shown = await social.postDetail(post);

  const [stored] = await fixture.records();
  const external = { uri: `${near(fixture, server)}/ada`, title: 'Ada & Grace', description: 'Live!' };
  expect(stored).toMatchObject({
    text,
    record: { embed: { $type: 'app.bsky.embed.external', external: { ...external, thumb: { mimeType: 'image/png', size: PNG.length } } } },
  });
  expect(AppBskyFeedPost.validateRecord(jsonToLex(stored?.record as never))).toMatchObject({ success: true }); // JSON of a record
  const card = {
    url: `${near(fixture, server)}/ada`,
    title: 'Ada & Grace',
    description: 'Live!',
    imageUrl: expect.stringMatching(/^http/),
  };
  expect(post).toMatchObject({ card, media: [] });
  expect(shown).toMatchObject({ card, media: [] });
  for (const { card: one } of [post, shown]) expect(Buffer.from(await (await fetch(one?.imageUrl ?? '')).arrayBuffer())).toEqual(PNG);
});

test('texts of a page cannot reverse or hide other text', async () => {
  const towers = `o${'&#x301;'.repeat(40)}`;
  await using server = await servePages({
    '/1': `<title>&#x202E;Ada \u2067live ${towers}\uFEFF</title><meta name=description content="a \u202Eb">`,
    '/2': '<title>\u202E\u2066</title>',
  });
  await using fixture = await openBluesky();

  const [one, nothing] = [
    await fixture.social.createPost(`${near(fixture, server)}/1`),
    await fixture.social.createPost(`${near(fixture, server)}/2`),
  ];

  expect(one.card).toMatchObject({ title: 'Ada live o\u0301\u0301\u0301', description: 'a b' });
  expect(nothing.card).toBeUndefined();
});

test('the card belongs to the first of several links', async () => {
  await using server = await servePages({ '/1': '<title>One</title>', '/2': '<title>Two</title>' });
  await using fixture = await openBluesky();

  const post = await fixture.social.createPost(`${near(fixture, server)}/1 ${near(fixture, server)}/2`);

  expect(post.card).toEqual({ url: `${near(fixture, server)}/1`, title: 'One', description: undefined, imageUrl: undefined });
  expect(server.asked).toEqual(['/1']);
});

test('each post of a thread has the card of its link', async () => {
  await using server = await servePages({ '/1': '<title>One</title>', '/2': '<title>Two</title>' });
  await using fixture = await openBluesky();
  const first = await fixture.social.createPost(`${near(fixture, server)}/1`);

  const second = await fixture.social.createPost(`${near(fixture, server)}/2`, { replyTo: first });

  expect([first.card?.title, second.card?.title]).toEqual(['One', 'Two']);
});

test('a post with files or a quote has no card and loads no page', async () => {
  using folder = temporaryFolder();
  await using server = await servePages({ '/': '<title>A</title>' });
  await using fixture = await openBluesky();
  const { social } = fixture;
  const quote = await social.createPost('quoted');

  const posts = [
    await social.createPost(`${near(fixture, server)}/`, { quote }),
    await social.createPost(`${near(fixture, server)}/`, { files: [fileWith(PNG, { folder, name: 'card.png' })] }),
    await social.createPost('no link'),
  ];

  expect(posts.map(({ card }) => card)).toEqual([undefined, undefined, undefined]);
  expect(server.asked).toEqual([]);
});

test.each([
  ['is missing', {}, /answered with 404/],
  ['has no title', { '/': '<p>hello</p>' }, /no title/],
  ['is a picture', { '/': png }, /no page/],
])('a link whose page %s is posted without a card, and the log has the reason', async (_, pages, why) => {
  const { log, lines } = warnings();
  await using server = await servePages(pages);
  await using fixture = await openBluesky();
  const social = new SocialAsync({ platform: fixture.adapter({ log }), clock: fixture.clock });

  const post = await social.createPost(`${near(fixture, server)}/`);

  expect(post.card).toBeUndefined();
  expect(await embedOf(fixture)).toBeUndefined();
  expect(lines).toEqual([expect.stringMatching(why)]);
  expect(lines[0]).toContain(`bluesky: a post is sent without its link's card host=${new URL(fixture.sandbox.url).host} why=`);
});

test.each([
  ['is missing', {}],
  ['is unsupported', { '/card.png': bytes(Buffer.from('<svg/>'), { 'content-type': 'image/svg+xml' }) }],
])('a card whose picture %s has no picture', async (_, pages) => {
  const { log, lines } = warnings();
  await using server = await servePages({ '/ada': ADA, ...pages });
  await using fixture = await openBluesky();
  const social = new SocialAsync({ platform: fixture.adapter({ log }), clock: fixture.clock });

  const post = await social.createPost(`${near(fixture, server)}/ada`);

  expect(post.card).toMatchObject({ title: 'Ada & Grace', imageUrl: undefined });
  expect(lines).toEqual([expect.stringContaining("bluesky: a post is sent without the picture of its link's card")]);
});

test('a picture that is too large for a card is shrunk', async () => {
  const noise = sharp(randomBytes(1200 * 900 * 3), { raw: { width: 1200, height: 900, channels: 3 } });
  const content = await noise.jpeg({ quality: 100 }).toBuffer();
  await using server = await servePages({ '/ada': ADA, '/card.png': bytes(content, { 'content-type': 'image/jpeg' }) });
  await using fixture = await openBluesky();

  await fixture.social.createPost(`${near(fixture, server)}/ada`);

  expect(content.length).toBeGreaterThan(1_000_000);
  expect(await embedOf(fixture)).toMatchObject({
    external: { thumb: { mimeType: 'image/jpeg', size: expect.toSatisfy((size) => size <= 1_000_000) } },
  });
});

test('if the upload of the picture fails, the post has a card without a picture', async () => {
  await using server = await servePages({ '/ada': ADA, '/card.png': png });
  await using fixture = await openBluesky();
  fixture.sandbox.faults.add({ platform: 'bluesky', kind: 'status', status: 400, method: 'POST', route: 'uploadBlob', times: 9 });

  const post = await fixture.social.createPost(`${near(fixture, server)}/ada`);

  expect(post.card).toMatchObject({ title: 'Ada & Grace', imageUrl: undefined });
});

test.each([
  ['before it arrived', 'resetBefore', 1, expect.any(String)],
  ['after it arrived', 'resetAfter', 1, expect.any(String)],
  ['each time', 'resetAfter', 9, undefined],
] as const)('an upload that is interrupted %s leads to exactly one post', async (_, kind, times, imageUrl) => {
  await using server = await servePages({ '/ada': ADA, '/card.png': png });
  await using fixture = await openBluesky();
  fixture.sandbox.faults.add({ platform: 'bluesky', kind, method: 'POST', route: 'uploadBlob', times });

  const post = await whileSleeping(fixture.clock, fixture.social.createPost(`${near(fixture, server)}/ada`, wanted));

  expect(post.card).toMatchObject({ title: 'Ada & Grace', imageUrl });
  expect(await fixture.postTexts()).toEqual([`${near(fixture, server)}/ada`]);
});

test('a post does not wait for a page that does not answer', async () => {
  const { log, lines } = warnings();
  await using server = await servePages({ '/': () => undefined });
  await using fixture = await openBluesky();
  const social = new SocialAsync({ platform: fixture.adapter({ log }), clock: fixture.clock });
  const post = await social.createPost(`${near(fixture, server)}/`);

  expect(post.card).toBeUndefined();
  expect(lines).toEqual([expect.stringContaining('it takes too long')]);
});

test('an aborted post aborts the request for its link', async () => {
  const stop = new AbortController();
  await using server = await servePages({ '/': () => stop.abort(new Error('enough')) });
  await using fixture = await openBluesky();

  await expect(fixture.social.createPost(`${near(fixture, server)}/`, { signal: stop.signal })).rejects.toThrow('enough');

  expect(await fixture.postTexts()).toEqual([]);
});

test('a changed page does not change or repeat a post', async () => {
  let title = 'old title';
  await using server = await servePages({
    '/': (_, answer) => void answer.writeHead(200, { 'content-type': 'text/html' }).end(`<title>${title}</title>`),
  });
  await using fixture = await openBluesky();
  const text = `${near(fixture, server)}/`;
  fixture.sandbox.faults.add({ platform: 'bluesky', kind: 'resetAfter', method: 'POST', route: 'putRecord', times: 1 });

  await expect(fixture.social.createPost(text, wanted)).rejects.toMatchObject({ fault: 'unanswered' });
  title = 'new title';
  const restarted = new SocialAsync({ platform: fixture.adapter(), clock: fixture.clock });
  const again = await restarted.createPost(text, wanted);
  const recovery = await recoverWrite(restarted, createPost.declared, { text }, { ...wanted, taken: new Set() });

  expect(again.card?.title).toBe('old title');
  expect(recovery).toEqual({ found: again });
  expect(await fixture.postTexts()).toEqual([text]);
});

test.each([
  ['of the open internet', 'https://bsky.social', '127.0.0.1'],
  ['of this machine', 'http://127.0.0.1:1', '127.0.0.1'],
  ['of this machine', 'http://127.0.0.1:1', 'a.test'],
])('an account on a server %s (%s) sends no request for a card to another server: %s', async (_, accountOrigin, host) => {
  const toBlob = (): never => {
    throw new Error('nothing is uploaded');
  };
  await using server = await servePages({ '/': '<title>A</title>' });
  const card = linkCards({ toBlob, accountOrigin });

  const found = await card(`http://${host}:${new URL(server.url).port}/`, {});

  expect(found).toBeUndefined();
  expect(server.asked).toEqual([]);
});
