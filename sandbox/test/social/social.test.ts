import { fetch } from 'undici';
import { expect, test } from 'vitest';
import { SocialAsync } from '#src/clients/social/social.ts';
import { openSocial, type SandboxFixture } from '../../../test/adapters/sandbox/open-social.ts';
import { PNG } from '../../../test/support/media-files.ts';
import { temporaryFolder } from '../../../test/support/temporary-folder.ts';

test('generated posts are constant, and new ones appear during the day', async () => {
  await using one = await openSocial();
  await using two = await openSocial();
  const [first, second] = [new SocialAsync(one), new SocialAsync(two)];

  const posts = await first.search('the', { filter: 'Latest' });
  const same = await second.search('the', { filter: 'Latest' });
  await one.clock.advance(3_600_000);
  const later = await first.search('the', { filter: 'Latest' });

  const ids = posts.items.map(({ id }) => id);
  expect(same.items.map(({ id }) => id)).toEqual(ids);
  expect(later.items.map(({ id }) => id)).not.toEqual(ids);
});

test('generated posts have authors in the world and no time in the future', async () => {
  await using fixture = await openSocial();

  const posts = await new SocialAsync(fixture).search('a', { filter: 'Latest', pages: 3, waitTime: 0 });

  const nowMs = fixture.clock.nowMs();
  expect(posts.length).toBe(60);
  expect(posts.items.filter((post) => 'author' in post && post.createdAt.getTime() > nowMs)).toEqual([]);
  expect(posts.items.filter((post) => !('author' in post) || !fixture.sandbox.world.findPerson(post.author.handle))).toEqual([]);
});

test('posts and their keys survive a restart, even after deletion', async () => {
  using folder = temporaryFolder();
  const file = `${folder.path}/sandbox.sqlite`;
  const since = new Date('2026-11-20T18:00:00Z');
  async function write(): Promise<readonly string[]> {
    await using fixture = await openSocial({ file });
    const social = new SocialAsync(fixture);
    const kept = await social.createPost('kept', { key: 'a', since });
    const deleted = await social.createPost('deleted', { key: 'b', since });
    await social.deletePost(deleted);
    return [kept.id, deleted.id, ...(await fixture.postTexts())];
  }

  const before = await write();
  const after = await write();

  expect(after).toEqual(before);
  expect(before.slice(2)).toEqual(['kept']);
});

test('the URLs of a post and of its author are pages with escaped text', async () => {
  await using fixture = await openSocial();
  const post = await new SocialAsync(fixture).createPost('<img src=x onerror=alert(1)> & "quotes"');

  const pages = await Promise.all([post.url, post.author.url, `${fixture.sandbox.url}/social`].map((url) => read(url)));

  for (const { status, text } of pages) {
    expect(status).toBe(200);
    expect(text).toContain('&lt;img src=x onerror=alert(1)&gt; &amp; &quot;quotes&quot;');
    expect(text).not.toContain('<img src=x');
  }
  const headings = pages.map(({ text }) => /<main>\s*<h1 dir="auto">([^<]+)<\/h1>/u.exec(text)?.[1]);
  expect(headings).toEqual(['Post', post.author.displayName, 'Latest posts']);
  expect(pages[0]?.text).toContain(`<time datetime="${post.createdAt.toISOString()}">`);
  expect((await read(`${fixture.sandbox.url}/social/posts/none`)).status).toBe(404);
  expect((await read(`${fixture.sandbox.url}/social/@nobody_at_all`)).status).toBe(404);
});

test('the page of a post hides a text behind its content warning, also in a quote', async () => {
  await using fixture = await openSocial();
  const social = new SocialAsync(fixture);
  const post = await social.createPost('the killer is the butler', { warning: 'spoilers' });
  const quoting = await social.createPost('seen?', { quote: post });

  const [page, timeline] = await Promise.all([post.url, `${fixture.sandbox.url}/social`].map(async (url) => (await read(url)).text));

  expect(page).toContain(`<title>${post.author.displayName}: spoilers</title>`);
  expect(page).toMatch(/<details>\s*<summary dir="auto">spoilers<\/summary>\s*<p dir="auto">the killer is the butler<\/p>/u);
  expect(quoting.quoted).toMatchObject({ warning: 'spoilers' });
  expect(timeline).toContain('<blockquote dir="auto">spoilers</blockquote>');
  expect(page).toContain('1 quote ·');
});

test('a post that is only a warning is not hidden, and sensitive files are', async () => {
  await using fixture = await openSocial();
  const social = new SocialAsync(fixture);
  const [only, files] = [
    await social.createPost('spoilers', { warning: 'spoilers' }),
    await social.createPost('look', { files: [{ base64: PNG.toString('base64') }], sensitive: true }),
  ];

  const [onlyPage, filesPage] = await Promise.all([only.url, files.url].map(async (url) => (await read(url)).text));

  expect(onlyPage).toContain('<p dir="auto">spoilers</p>');
  expect(onlyPage).not.toContain('<details>');
  expect(filesPage).toMatch(/<p dir="auto">look<\/p>\s*<details>\s*<summary[^>]*>[^<]+<\/summary>\s*<img/u);
});

test('the control API lists all written posts with their keys', async () => {
  await using fixture = await openSocial();
  const social = new SocialAsync(fixture);
  fixture.sandbox.faults.add({ platform: 'social', kind: 'delayedVisibility', ms: 5_000 });
  const post = await social.createPost('hello', { key: 'k' });
  await social.deletePost(post);

  const { text } = await read(`${fixture.sandbox.url}/control/posts`);

  expect(JSON.parse(text)).toEqual({
    items: [
      {
        id: post.id,
        author: 'fanfare',
        text: 'hello',
        key: 'k',
        createdAt: '2026-11-20T18:00:00.000Z',
        visibleAt: '2026-11-20T18:00:05.000Z',
        deletedAt: '2026-11-20T18:00:00.000Z',
      },
    ],
  });
});

test.for([
  ['an unknown operation', '/flyAway', '{}', 404],
  ['a body that is not JSON', '/createPost', 'hello', 400],
  ['an undeclared parameter', '/createPost', '{"params":{"text":"a","colour":"red"}}', 400],
  ['an empty text', '/createPost', '{"params":{"text":""}}', 400],
  ['a path of a file', '/uploadMedia', '{"params":{"file":"/etc/hostname"}}', 422],
  ['files without an upload', '/createPost', '{"params":{"text":"a","files":["card.png"]}}', 422],
  ['a missing upload', '/createPost', '{"params":{"text":"a","files":[{"id":"media-1"}]}}', 404],
  ['a foreign cursor', '/getPosts', '{"params":{"user":"ada"},"cursor":"later"}', 400],
  ['an unsupported search', '/search', '{"params":{"keyword":"a","filter":"Lists"}}', 422],
] as const)('the API refuses %s', async ([, path, body, status]) => {
  await using fixture = await openSocial();

  const answer = await post(fixture, path, body);

  expect(answer).toMatchObject({ status, json: { error: expect.any(String), message: expect.any(String) } });
});

async function read(url: string | undefined): Promise<{ readonly status: number; readonly text: string }> {
  const response = await fetch(url ?? '');
  return { status: response.status, text: await response.text() };
}

async function post({ sandbox }: SandboxFixture, path: string, body: string): Promise<{ readonly status: number; readonly json: unknown }> {
  const { SANDBOX_URL, SANDBOX_TOKEN } = sandbox.environment;
  const response = await fetch(`${SANDBOX_URL}${path}`, { method: 'POST', body, headers: { authorization: `Bearer ${SANDBOX_TOKEN}` } });
  return { status: response.status, json: await response.json() };
}
