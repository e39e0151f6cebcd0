import { fc } from '../../support/property.ts';
import { expect, test } from 'vitest';
import { PlatformError } from '#src/errors.ts';
import { message, minutesAgo, NOW, person, post, stream } from '../../support/view-records.ts';
import { openSite } from '../open-site.ts';

const PARTS = ['live', 'posts', 'messages'] as const;

/** The site of Fanfare on the sandbox. */
function openDemo() {
  return openSite({ sandboxOrigin: 'http://127.0.0.1:1' });
}

test('the page is complete without its script', async () => {
  const { routes, apiQueries } = await openDemo();
  apiQueries.streams = [stream('s1', { owner: person('Ada'), title: 'Ranked until midnight', viewerCount: 12_345 })];
  apiQueries.timeline = [post('p1', { text: 'Ada is now #2' })];
  apiQueries.channelMessages = [message('m1', { content: 'New: **Ada**', editedAt: NOW })];

  const page = await (await routes.request('/demo')).text();

  for (const seen of [
    '<bdi>Ada</bdi>',
    'Ranked until midnight',
    'VALORANT',
    '12.3K',
    'Ada is now #2',
    'stream-news',
    'New: <strong>Ada</strong>',
    '(edited)',
    '<time datetime="2026-11-20T17:57:00.000Z" title="20 Nov 2026, 17:57:00 UTC">20 Nov, 17:57 UTC</time>',
  ]) {
    expect(page).toContain(seen);
  }
});

test('the timeline hides a text behind its content warning, and screen readers are told the warning alone', async () => {
  const { routes, apiQueries } = await openDemo();
  apiQueries.timeline = [post('p1', { text: 'spoilers\n\nthe butler', warning: 'spoilers' })];

  const page = await (await routes.request('/demo')).text();

  expect(page).toMatch(/<details>\s*<summary dir="auto">spoilers<\/summary>\s*<p class="text" dir="auto">the butler<\/p>\s*<\/details>/u);
  expect(page).toMatch(/data-say="[^"]* spoilers"/u);
});

test.each([
  ['the text of a post whose pictures alone are covered, as on Bluesky', 'At the beach'],
  ['a text that is only the warning', 'Nudity'],
])('the timeline shows %s', async (_, text) => {
  const { routes, apiQueries } = await openDemo();
  apiQueries.timeline = [post('p1', { text, warning: 'Nudity' })];

  const page = await (await routes.request('/demo')).text();

  expect(page).toContain(`<p class="text" dir="auto">${text}</p>`);
  expect(page).not.toContain('<summary dir="auto">');
  expect(page).toMatch(new RegExp(`data-say="[^"]* ${text}"`, 'u'));
});

test('the time of the page is that of its end, even if a platform answers slowly', async () => {
  const { routes, apiQueries, clock } = await openDemo();
  apiQueries.live = async () => {
    await clock.advance(2000);
    return [];
  };

  const page = await (await routes.request('/demo')).text();

  expect(page).toContain(`data-now="${new Date(NOW.getTime() + 2000).toISOString()}"`);
});

test.for(PARTS)('/demo/%s equals that part of the demonstration', async (part) => {
  const { routes, apiQueries } = await openDemo();
  apiQueries.streams = [stream('s1')];

  const fragment = await (await routes.request(`/demo/${part}`)).text();
  const page = await (await routes.request('/demo')).text();

  expect(fragment).toContain(`id="${part}"`);
  expect(page).toContain(fragment);
});

test('nothing in the page is inline, and nothing comes from elsewhere', async () => {
  const { routes, apiQueries } = await openDemo();
  apiQueries.channelMessages = [message('m1', { embeds: [{ title: 'A card', color: 0x9146ff }] })];
  apiQueries.timeline = [post('p1', { text: 'a b' })];

  const page = await (await routes.request('/demo')).text();

  expect(page).not.toMatch(/\sstyle=|\son\w+=|<style/);
  expect(page.replaceAll(/="[^"]*"/g, '').match(/<[^>]*=[^>]*>/g)).toBeNull(); // every value of an attribute is quoted
  expect([...page.matchAll(/<script[^>]*>[^<]*/g)].map(String)).toEqual(['<script type="module" src="/demo.js" blocking="render">']);
  expect([...page.matchAll(/<link [^>]*href="([^"]*)"/g)].map(([, href]) => href)).toSatisfy((all: string[]) =>
    all.every((href) => href.startsWith('/')),
  );
});

test('texts of people stay text in all parts of the page', async () => {
  const { routes, apiQueries } = await openDemo();
  const fill = (text: string): void => {
    const owner = { ...person('Ada'), displayName: text, handle: text };
    apiQueries.streams = [stream('s1', { owner, title: text, game: { platform: 'twitch', id: '1', name: text } })];
    apiQueries.timeline = [post('p1', { author: owner, text })];
    apiQueries.channelMessages = [
      message('m1', {
        author: owner,
        content: text,
        channel: { id: '1', name: text },
        embeds: [{ title: text, footer: text, fields: [{ name: text, value: text }] }],
        files: [{ name: text, url: text }],
        buttons: [text],
        reactions: [{ emoji: text, count: 1 }],
        thread: { platform: 'discord', id: '9', name: text, url: text },
      }),
    ];
  };
  const countDelimiters = async (text: string): Promise<readonly number[]> => {
    fill(text);
    const page = await (await routes.request('/demo')).text();
    return ['<', '>', '"'].map((delimiter) => page.split(delimiter).length);
  };
  const harmless = await countDelimiters('xx');
  const hostile = fc.constantFrom(
    '<script>alert(1)</script>',
    '"><img src=x onerror=alert(1)>',
    "' onmouseover='x",
    '&lt;b&gt;',
    '</title>',
    '<!--',
    ']]>',
    '\u202E',
    'é',
  );

  await fc.assert(
    // An `x` at both ends, because an empty text leaves its element out.
    fc.asyncProperty(fc.array(hostile, { maxLength: 4 }), async (pieces) => {
      expect(await countDelimiters(`x${pieces.join(' ')}x`)).toEqual(harmless);
    }),
    { numRuns: 40 },
  );
});

test('a message shows its files, buttons, reactions and thread', async () => {
  const { routes, apiQueries } = await openDemo();
  const url = 'https://discord.example/9';
  apiQueries.channelMessages = [
    message('m1', {
      files: [
        { name: 'card.png', url: `${url}/card.png` },
        { name: 'list.csv', url: `${url}/list.csv` },
      ],
      buttons: ['send', 'drop'],
      reactions: [{ emoji: '🎉', count: 3 }],
      thread: { platform: 'discord', id: '9', name: 'Bets', url },
    }),
  ];

  const page = await (await routes.request('/demo/messages')).text();
  const shown = page.replaceAll(/\s*<\/?bdi>\s*/g, '').replaceAll(/\s+/g, ' ');

  expect(shown).toContain(`<img class="file" src="${url}/card.png" alt="card.png"`);
  expect(shown).toMatch(/<a href="[^"]+list.csv"[^>]*>list.csv<\/a>/);
  expect(shown).toContain('<ul class="buttons" aria-label="Buttons"> <li>send</li><li>drop</li> </ul>');
  expect(shown).toMatch(/<li>🎉 ?3<\/li>/);
  expect(shown).toMatch(/Thread: <a href="https:\/\/discord.example\/9"[^>]*>Bets<\/a>/);
});

test('an address without http or https is neither a link nor a picture', async () => {
  const { routes, apiQueries } = await openDemo();
  const bad = 'javascript:alert(1)';
  apiQueries.streams = [stream('s1', { url: bad, thumbnailUrl: bad })];
  apiQueries.timeline = [post('p1', { url: bad })];
  apiQueries.channelMessages = [
    message('m1', {
      embeds: [{ title: 'T', url: bad, image: bad, thumbnail: bad }],
      files: [
        { name: 'a.png', url: bad },
        { name: 'b.txt', url: bad },
      ],
      thread: { platform: 'discord', id: '9', name: 'T', url: bad },
    }),
  ];

  const page = await (await routes.request('/demo')).text();

  expect(page).not.toContain('javascript:');
});

test('a part that fails shows its error if the message is safe, and the other parts render', async () => {
  const { routes, apiQueries } = await openDemo();
  apiQueries.live = () =>
    Promise.reject(new PlatformError('twitch is rate limited until 18:04.', { platform: 'twitch', fault: 'rateLimited' }));
  apiQueries.posts = () => Promise.reject(new Error('token=abc'));
  apiQueries.channelMessages = [message('m1', { content: 'still here' })];

  const answer = await routes.request('/demo');
  const page = await answer.text();

  expect(answer.status).toBe(200);
  expect(page).toContain('twitch is rate limited until 18:04.');
  expect(page).not.toContain('token=abc');
  expect(page).toContain('still here');
});

test('an empty page explains what will appear, and when', async () => {
  const { routes } = await openDemo();

  const page = await (await routes.request('/demo')).text();

  for (const text of ['No live streams.', 'No posts yet.', 'No messages yet.']) expect(page).toContain(text);
});

test('a channel shows the newest message last, and close messages of one author share one name', async () => {
  const { routes, apiQueries } = await openDemo();
  apiQueries.channelMessages = [
    message('m3', { content: 'third', createdAt: minutesAgo(1) }),
    message('m2', { content: 'second', createdAt: minutesAgo(20) }),
    message('m1', { content: 'first', createdAt: minutesAgo(22) }),
  ];

  const part = await (await routes.request('/demo/messages')).text();

  expect(['first', 'second', 'third'].map((word) => part.indexOf(`>${word}<`))).toSatisfy((positions: number[]) =>
    positions.every((place, index) => place > (positions[index - 1] ?? 0)),
  );
  expect(part.match(/class="avatar"/g)).toHaveLength(2);
});

test('each part and each channel shows its thirty newest entries', async () => {
  const { routes, apiQueries } = await openDemo();
  const forty = Array.from({ length: 40 }, (_, index) => index);
  apiQueries.streams = forty.map((index) => stream(`s${index}`));
  apiQueries.timeline = forty.map((index) => post(`p${index}`));
  apiQueries.channelMessages = forty.flatMap((index) => [
    message(`m${index}`),
    message(`m${index}`, { id: `2/m${index}`, channel: { id: '2', name: 'live' } }),
  ]);

  const page = await (await routes.request('/demo')).text();

  const entries = (kind: string): number => page.split(`class="${kind}`).length - 1;
  expect([entries('stream"'), entries('post"'), entries('message ')]).toEqual([30, 30, 60]);
});

test('thumbnails are small, and their address changes every five minutes', async () => {
  const { routes, apiQueries } = await openDemo();
  apiQueries.streams = [
    stream('s1', { thumbnailTemplate: 'https://cdn.test/a-{width}x{height}.jpg', thumbnailUrl: 'https://cdn.test/a-1280x720.jpg?t=1' }),
  ];

  const part = await (await routes.request('/demo/live')).text();

  expect(part).toContain(`src="https://cdn.test/a-320x180.jpg?at=${NOW.getTime() / 300_000}"`);
});

test('with real accounts, there is no demonstration', async () => {
  const { routes } = await openSite();

  for (const path of ['/demo', '/demo/live']) expect((await routes.request(path)).status).toBe(404);
});

test('a part that does not exist is not found', async () => {
  const { routes } = await openDemo();

  expect((await routes.request('/demo/rules')).status).toBe(404);
});

test.for([
  [undefined, '/overview', ['/overview', '/deliveries', '/why']],
  ['http://127.0.0.1:1', '/demo', ['/demo', '/overview', '/deliveries', '/why']],
] as const)('with the sandbox at %s, the first page is %s, which the navigation lists first', async ([sandboxOrigin, first, some]) => {
  const { routes } = await openSite({ sandboxOrigin });

  const answer = await routes.request('/');
  const page = await (await routes.request(first)).text();

  expect([answer.status, answer.headers.get('location')]).toEqual([302, first]);
  const [bar = ''] = /<nav class="navigation".*?<\/nav>/su.exec(page) ?? [];
  const paths = [...bar.matchAll(/href="([^"]+)"/gu)].map(([, path]) => path);
  expect(paths[0]).toBe(first);
  expect(paths).toEqual(expect.arrayContaining([...some]));
  expect(paths.includes('/demo')).toBe(sandboxOrigin !== undefined);
});

test('readers of German get German texts, also in a part that the script loads again', async () => {
  const { routes, apiQueries } = await openDemo();
  const headers = { 'accept-language': 'de' };
  apiQueries.streams = [stream('s1', { viewerCount: 12_345 })];

  const page = await (await routes.request('/demo', { headers })).text();
  const part = await (await routes.request('/demo/posts', { headers })).text();

  expect(page).toContain('<html lang="de">');
  for (const text of ['Jetzt live', '<span class="unseen"> Zuschauer</span>', 'begann <time', 'Noch keine Beiträge.', 'Zu den Streams'])
    expect(page).toContain(text);
  expect(part).toContain('Noch keine Beiträge.');
});
