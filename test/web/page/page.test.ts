import { fc } from '../../support/property.ts';
import { expect, test } from 'vitest';
import { PlatformError } from '#src/errors.ts';
import { decision, delivery, message, minutesAgo, NOW, person, post, rule, stream } from '../../support/view-records.ts';
import { openSite } from '../open-site.ts';

const PARTS = ['state', 'live', 'posts', 'messages', 'rules', 'deliveries'] as const;

test('the page is complete without its script', async () => {
  const { routes, views } = await openSite();
  views.accountList = [{ name: 'mastodon_de', platform: 'mastodon', role: 'social', sandbox: false, state: 'connected' }];
  views.streams = [stream('s1', { owner: person('Ada'), title: 'Ranked until midnight', viewerCount: 12_345 })];
  views.timeline = [post('p1', { text: 'Ada is now #2' })];
  views.channelMessages = [message('m1', { content: 'New: **Ada**', editedAt: NOW })];
  views.ruleList = [rule('valorant-top', { lastDecision: decision({ outcome: 'suppressed', message: '48213 >= 50000 is false.' }) })];
  views.deliveryList = [
    delivery('d1', {
      state: 'unknown',
      message: 'x did not answer.',
      item: { key: 'sandbox/grace', name: 'Grace' },
      text: 'Grace is live: Chess & more',
    }),
  ];

  const page = await (await routes.request('/')).text();

  for (const seen of [
    'Running',
    'mastodon_de',
    '<bdi>Ada</bdi>',
    'Ranked until midnight',
    'VALORANT',
    '12.3K',
    'Ada is now #2',
    'stream-news',
    'New: <strong>Ada</strong>',
    '(edited)',
    'valorant-top',
    '>suppressed</span>',
    '48213 &gt;= 50000 is false.',
    '>unknown</span>',
    'x did not answer.',
    '<bdi class="item">Grace</bdi>',
    'Grace is live: Chess &amp; more',
    '<time datetime="2026-11-20T17:57:00.000Z" title="20 Nov 2026, 17:57:00 UTC">20 Nov, 17:57 UTC</time>',
  ]) {
    expect(page).toContain(seen);
  }
});

test('the time of the page is that of its end, even if a platform answers slowly', async () => {
  const { routes, views, clock } = await openSite();
  views.live = async () => {
    await clock.advance(2000);
    return [];
  };

  const page = await (await routes.request('/')).text();

  expect(page).toContain(`data-now="${new Date(NOW.getTime() + 2000).toISOString()}"`);
});

test.for(PARTS)('/fragments/%s equals that part of the page', async (part) => {
  const { routes, views } = await openSite();
  views.streams = [stream('s1')];

  const fragment = await (await routes.request(`/fragments/${part}`)).text();
  const page = await (await routes.request('/')).text();

  expect(fragment).toContain(`id="${part}"`);
  expect(page).toContain(fragment);
});

test('nothing in the page is inline, and nothing comes from elsewhere', async () => {
  const { routes, views } = await openSite();
  views.channelMessages = [message('m1', { embeds: [{ title: 'A card', color: 0x9146ff }] })];
  views.timeline = [post('p1', { text: 'a b' })];

  const page = await (await routes.request('/')).text();

  expect(page).not.toMatch(/\sstyle=|\son\w+=|<style/);
  expect(page.replaceAll(/="[^"]*"/g, '').match(/<[^>]*=[^>]*>/g)).toBeNull(); // every value of an attribute is quoted
  expect([...page.matchAll(/<script[^>]*>[^<]*/g)].map(String)).toEqual([
    '<script type="module" src="/page.js" blocking="render">',
    '<script type="module" src="/actions.js">',
  ]);
  expect([...page.matchAll(/<link [^>]*href="([^"]*)"/g)].map(([, href]) => href)).toSatisfy((all: string[]) =>
    all.every((href) => href.startsWith('/')),
  );
});

test('texts of people stay text in all parts of the page', async () => {
  const { routes, views } = await openSite();
  const fill = (text: string): void => {
    const owner = { ...person('Ada'), displayName: text, handle: text };
    views.readiness = { ready: false, message: text };
    views.accountList = [{ name: text, platform: 'x', role: 'social', sandbox: false, state: 'failed', problem: text }];
    views.streams = [stream('s1', { owner, title: text, game: { platform: 'twitch', id: '1', name: text } })];
    views.timeline = [post('p1', { author: owner, text })];
    views.channelMessages = [
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
    const problem = {
      severity: 'error',
      code: 'x',
      file: text,
      line: 1,
      column: 1,
      path: '',
      message: text,
      hint: text,
      excerpt: text,
    } as const;
    views.ruleList = [rule('r1', { about: text, lastDecision: decision({ message: text }), diagnostics: [problem] })];
    views.deliveryList = [
      delivery('d1', { rule: text, item: { key: text, name: text }, text, account: text, message: text, result: { url: text } }),
    ];
  };
  const countDelimiters = async (text: string): Promise<readonly number[]> => {
    fill(text);
    const page = await (await routes.request('/')).text();
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
  const { routes, views } = await openSite();
  const url = 'https://discord.example/9';
  views.channelMessages = [
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

  const page = await (await routes.request('/fragments/messages')).text();
  const shown = page.replaceAll(/\s*<\/?bdi>\s*/g, '').replaceAll(/\s+/g, ' ');

  expect(shown).toContain(`<img class="file" src="${url}/card.png" alt="card.png"`);
  expect(shown).toMatch(/<a href="[^"]+list.csv"[^>]*>list.csv<\/a>/);
  expect(shown).toContain('<ul class="buttons" aria-label="Buttons"> <li>send</li><li>drop</li> </ul>');
  expect(shown).toMatch(/<li>🎉 ?3<\/li>/);
  expect(shown).toMatch(/Thread: <a href="https:\/\/discord.example\/9"[^>]*>Bets<\/a>/);
});

test('an address without http or https is neither a link nor a picture', async () => {
  const { routes, views } = await openSite();
  const bad = 'javascript:alert(1)';
  views.streams = [stream('s1', { url: bad, thumbnailUrl: bad })];
  views.timeline = [post('p1', { url: bad })];
  views.channelMessages = [
    message('m1', {
      embeds: [{ title: 'T', url: bad, image: bad, thumbnail: bad }],
      files: [
        { name: 'a.png', url: bad },
        { name: 'b.txt', url: bad },
      ],
      thread: { platform: 'discord', id: '9', name: 'T', url: bad },
    }),
  ];
  views.deliveryList = [delivery('d1', { result: { url: bad } })];

  const page = await (await routes.request('/')).text();

  expect(page).not.toContain('javascript:');
});

test('a part that fails shows its error if the message is safe, and the other parts render', async () => {
  const { routes, views } = await openSite();
  views.live = () => Promise.reject(new PlatformError('twitch is rate limited until 18:04.', { platform: 'twitch', fault: 'rateLimited' }));
  views.posts = () => Promise.reject(new Error('token=abc'));
  views.ruleList = [rule('valorant-top')];

  const answer = await routes.request('/');
  const page = await answer.text();

  expect(answer.status).toBe(200);
  expect(page).toContain('twitch is rate limited until 18:04.');
  expect(page).not.toContain('token=abc');
  expect(page).toContain('valorant-top');
});

test('an empty page explains what will appear, and when', async () => {
  const { routes } = await openSite();

  const page = await (await routes.request('/')).text();

  for (const text of ['No live streams.', 'No posts yet.', 'No messages yet.', 'No rules yet.', 'No deliveries yet.'])
    expect(page).toContain(text);
});

test('a rule that cannot run shows the position and the hint of each error', async () => {
  const { routes, views } = await openSite();
  const problem = {
    severity: 'error',
    code: 'expression',
    file: 'rules/raid.yaml',
    line: 12,
    column: 13,
    path: 'then[0]',
    message: 'There is no field "viewers".',
    hint: 'Did you mean viewerCount?',
    excerpt: '  text: x',
  } as const;
  views.ruleList = [rule('fine'), rule('raid', { on: false, diagnostics: [problem] }), rule('patched', { diagnostics: [problem] })];

  const part = await (await routes.request('/fragments/rules')).text();

  expect(part).toContain('rules/raid.yaml:12:13');
  expect(part).toContain('There is no field &quot;viewers&quot;.');
  expect(part).toContain('Did you mean viewerCount?');
  expect(part).toContain('>out</span>');
  expect(part).toContain('>on, as before</span>');
});

test('a paused rule has a red badge, the cause and time of the pause, and the command that resumes it', async () => {
  const { routes, views } = await openSite();
  const paused = { at: new Date('2026-11-20T18:00:00Z'), fuse: { firings: 30, perMs: 3_600_000 } };
  views.ruleList = [
    rule('fine'),
    rule('loud', { paused }),
    rule('told', { paused: { ...paused, by: '<b>ada</b>' } }),
    rule('off', { on: false, paused }),
  ];

  const part = await (await routes.request('/fragments/rules')).text();

  expect(part.match(/class="badge bad"[^>]*>paused</g)).toHaveLength(2);
  expect(part).toMatch(
    /Paused automatically <time[^>]*datetime="2026-11-20T18:00:00.000Z".*more than 30 announcements in an hour.*fanfare resume loud/su,
  );
  expect(part).toMatch(/&lt;b&gt;ada&lt;\/b&gt;<\/bdi> paused it <time.*fanfare resume told/su);
});

test('an unknown delivery of any age comes first, once, with the commands that resolve it', async () => {
  const { routes, views } = await openSite();
  const many = Array.from({ length: 40 }, (_, index) => delivery(`d${index}`));
  views.deliveryList = [delivery('new', { state: 'unknown' }), ...many, delivery('-old4567890', { state: 'unknown', account: '<b>x</b>' })];

  const part = await (await routes.request('/fragments/deliveries')).text();
  const keys = [...part.matchAll(/data-key="([\w-]+)"/g)].map(([, key]) => key);

  expect(keys.slice(0, 4)).toEqual(['new', '-old4567890', 'd0', 'd1']);
  expect(keys).toHaveLength(30);
  expect(part).toContain('<code>fanfare resolve old45678 sent</code>');
  expect(part).toContain('<code>fanfare resolve old45678 again</code>');
  expect(part).toContain('&lt;b&gt;x&lt;/b&gt;');
  expect(part.match(/fanfare resolve/g)).toHaveLength(4);
});

test('the header shows a problem of a running process', async () => {
  const { routes, views } = await openSite();
  views.readiness = { ready: true, message: 'live-card could not be run: see the log' };

  const part = await (await routes.request('/fragments/state')).text();

  expect(part).toContain('Running, but live-card could not be run: see the log');
  expect(part).toContain('class="readiness doubt"');
});

test('the header shows a name that equals its role once', async () => {
  const { routes, views } = await openSite();
  views.accountList = [{ name: 'assistant', platform: 'openai', role: 'assistant', sandbox: true, state: 'connected' }];

  const part = await (await routes.request('/fragments/state')).text();

  expect(part.replaceAll(/<[^>]*>/g, ' ').replaceAll(/\s+/g, ' ')).toContain('assistant on openai');
  expect(part.replaceAll(/<[^>]*>/g, '').match(/assistant/g)).toHaveLength(1);
});

test('a step with forEach is shown as done, and not as skipped', async () => {
  const { routes, views } = await openSite();
  views.deliveryList = [
    delivery('d1', { state: 'skipped', message: 'done for each of 3', reason: { kind: 'forEachDone', count: 3 } }),
    delivery('d2', { state: 'skipped', message: 'the list of forEach is empty', reason: { kind: 'emptyList' } }),
  ];

  const part = await (await routes.request('/fragments/deliveries')).text();

  expect([...part.matchAll(/class="badge[^>]*>(\w+)</g)].map(([, word]) => word)).toEqual(['done', 'skipped']);
});

test.for([
  [true, true, 'on'],
  [false, false, 'off'],
  ['sandbox', false, 'off'],
] as const)('a rule with enabled: %s that runs: %s is %s', async ([enabled, on, word]) => {
  const { routes, views } = await openSite();
  views.ruleList = [rule('r1', { enabled, on })];

  expect(await (await routes.request('/fragments/rules')).text()).toContain(`>${word}</span>`);
});

test('a channel shows the newest message last, and close messages of one author share one name', async () => {
  const { routes, views } = await openSite();
  views.channelMessages = [
    message('m3', { content: 'third', createdAt: minutesAgo(1) }),
    message('m2', { content: 'second', createdAt: minutesAgo(20) }),
    message('m1', { content: 'first', createdAt: minutesAgo(22) }),
  ];

  const part = await (await routes.request('/fragments/messages')).text();

  expect(['first', 'second', 'third'].map((word) => part.indexOf(`>${word}<`))).toSatisfy((positions: number[]) =>
    positions.every((place, index) => place > (positions[index - 1] ?? 0)),
  );
  expect(part.match(/class="avatar"/g)).toHaveLength(2);
});

test('each part and each channel shows its thirty newest entries', async () => {
  const { routes, views } = await openSite();
  const forty = Array.from({ length: 40 }, (_, index) => index);
  views.streams = forty.map((index) => stream(`s${index}`));
  views.timeline = forty.map((index) => post(`p${index}`));
  views.channelMessages = forty.flatMap((index) => [
    message(`m${index}`),
    message(`m${index}`, { id: `2/m${index}`, channel: { id: '2', name: 'live' } }),
  ]);
  views.deliveryList = forty.map((index) => delivery(`d${index}`));

  const page = await (await routes.request('/')).text();

  const entries = (kind: string): number => page.split(`class="${kind}`).length - 1;
  expect([entries('stream"'), entries('post"'), entries('message '), entries('delivery"')]).toEqual([30, 30, 60, 30]);
});

test('thumbnails are small, and their address changes every five minutes', async () => {
  const { routes, views } = await openSite();
  views.streams = [
    stream('s1', { thumbnailTemplate: 'https://cdn.test/a-{width}x{height}.jpg', thumbnailUrl: 'https://cdn.test/a-1280x720.jpg?t=1' }),
  ];

  const part = await (await routes.request('/fragments/live')).text();

  expect(part).toContain(`src="https://cdn.test/a-320x180.jpg?at=${NOW.getTime() / 300_000}"`);
});

test('the delivery of a post shows its author, and when it goes out', async () => {
  const { routes, views } = await openSite();
  views.deliveryList = [
    delivery('d1', { rule: '/post', by: 'ada' }),
    delivery('d2', {
      rule: '/post',
      by: '<b>',
      state: 'pending',
      sentAt: undefined,
      result: undefined,
      dueAt: new Date('2026-12-24T17:00:00Z'),
    }),
  ];

  const part = await (await routes.request('/fragments/deliveries')).text();
  const listed: unknown = await (await routes.request('/api/deliveries')).json();

  expect(part).toContain('posted by <bdi>ada</bdi>');
  expect(part).toContain('posted by <bdi>&lt;b&gt;</bdi>');
  expect(part).toContain('due <time datetime="2026-12-24T17:00:00.000Z"');
  expect(listed).toMatchObject({ items: [{ by: 'ada' }, { by: '<b>', dueAt: '2026-12-24T17:00:00.000Z' }] });
});
