import { expect, test } from 'vitest';
import { parseFeed } from '#adapters/feed/parse-feed.ts';
import type { FeedItem } from '#src/clients/feed/records.ts';

const fetchedAt = new Date('2026-11-20T20:00:00Z');

function read(text: string): readonly FeedItem[] {
  return parseFeed(text, {
    address: 'https://ada:secret@blog.example/feed.xml',
    base: new URL('https://blog.example/feed.xml'),
    fetchedAt,
  });
}

function rss(...items: readonly string[]): string {
  const names =
    'xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:itunes="http://www.itunes.com/dtds/podcast-1.0.dtd" xmlns:content="http://purl.org/rss/1.0/modules/content/"';
  return `<?xml version="1.0"?><rss version="2.0" ${names}><channel><title>Patch &amp;amp; notes</title>${items.join('')}</channel></rss>`;
}

test('an item of RSS has its texts without markup, its category, its recording and its picture', () => {
  const items = read(
    rss(`<item><title>Maps &amp;amp; &lt;b&gt;modes&lt;/b&gt;</title><link>/posts/1?a=1&amp;b=2</link><guid isPermaLink="false">p1</guid>
      <description><![CDATA[<p>Two maps.</p><script>x()</script><p>One   mode.</p>]]></description>
      <content:encoded><![CDATA[<img src="/map.png"><p>Long</p>]]></content:encoded>
      <dc:creator>Ada</dc:creator><category>News</category><category>News</category><pubDate>Fri, 20 Nov 2026 18:00:00 GMT</pubDate>
      <enclosure url="https://blog.example/1.mp3" type="audio/mpeg" length="12"/><itunes:duration>1:02:03</itunes:duration></item>`),
  );

  expect(items).toEqual([
    {
      platform: 'feed',
      id: 'p1',
      url: 'https://blog.example/posts/1?a=1&b=2',
      feed: { title: 'Patch & notes', url: 'https://blog.example/feed.xml' },
      title: 'Maps & modes',
      text: 'Two maps.\nOne mode.',
      authorName: 'Ada',
      tags: ['News'],
      publishedAt: new Date('2026-11-20T18:00:00Z'),
      updatedAt: undefined,
      thumbnailUrl: 'https://blog.example/map.png',
      enclosure: { url: 'https://blog.example/1.mp3', type: 'audio/mpeg', sizeBytes: 12 },
      durationMs: 3_723_000,
      fetchedAt,
    },
  ]);
});

const mastodonPost = (description: string, media: string): string =>
  `<rss version="2.0" xmlns:media="http://search.yahoo.com/mrss/"><channel><title>Ada</title><item><guid isPermaLink="true">https://m.example/@ada/1</guid>
    <link>https://m.example/@ada/1</link><description>${description.replaceAll('<', '&lt;')}</description>${media}</item></channel></rss>`;
const mastodonPicture = (name: string, rating: string): string =>
  `<media:content url="https://f.example/${name}.png" type="image/png" fileSize="12" medium="image"><media:rating scheme="urn:simple">${rating}</media:rating>
    <media:thumbnail url="https://f.example/small-${name}.png"/></media:content>`;
const EMOJI =
  '<img rel="emoji" draggable="false" width="16" height="16" class="emojione custom-emoji" alt=":blob:" src="https://f.example/blob.png">';

test('a post of Mastodon behind a content warning begins with the warning, and its sensitive pictures are left out', () => {
  const warned = `<p><strong>Content warning:</strong> Ends of games</p><hr /><p>The king ${EMOJI} <img src="https://f.example/king.png"></p>`;

  const [hidden] = read(mastodonPost(warned, mastodonPicture('a', 'adult')));
  const [mixed] = read(mastodonPost('<p>Two kings</p>', mastodonPicture('a', 'adult') + mastodonPicture('b', 'nonadult')));
  const [rated] = read(mastodonPost(warned, '<media:rating>adult</media:rating><media:thumbnail url="https://f.example/c.png"/>'));

  expect(hidden).toMatchObject({ text: 'Content warning: Ends of games\nThe king', thumbnailUrl: undefined });
  expect(mixed?.thumbnailUrl).toBe('https://f.example/b.png');
  expect(rated?.thumbnailUrl).toBeUndefined();
});

test('emojis and tracking pixels in a text are not its picture', () => {
  const pixel = '<img src="https://t.example/1.gif" height="1" width="1">';
  const pictureIn = (html: string) => read(mastodonPost(html, ''))[0]?.thumbnailUrl;

  expect(pictureIn(`<p>${EMOJI} hello${pixel}</p>`)).toBeUndefined();
  expect(pictureIn(`<p>${EMOJI}${pixel}<img src="https://f.example/map.png" width="640"></p>`)).toBe('https://f.example/map.png');
  expect(pictureIn('<img src="https://f.example/map.png" width="20%" height="">')).toBe('https://f.example/map.png');
});

test('an entry of Atom has the text and the picture of its media group, as YouTube writes them', () => {
  const [item] = read(`<feed xmlns="http://www.w3.org/2005/Atom" xmlns:media="http://search.yahoo.com/mrss/"><title>Ada</title><entry>
    <id>yt:video:abc</id><title>Ten openings</title><link rel="alternate" href="https://www.youtube.com/watch?v=abc"/><author><name>Ada</name></author>
    <published>2026-11-20T18:00:00+00:00</published><updated>2026-11-20T19:00:00+00:00</updated>
    <media:group><media:thumbnail url="https://i.ytimg.com/vi/abc/hq.jpg"/><media:description>First &lt;line&gt;
second</media:description></media:group></entry></feed>`);

  expect(item).toMatchObject({
    id: 'yt:video:abc',
    url: 'https://www.youtube.com/watch?v=abc',
    title: 'Ten openings',
    text: 'First <line>\nsecond',
    authorName: 'Ada',
    publishedAt: new Date('2026-11-20T18:00:00Z'),
    updatedAt: new Date('2026-11-20T19:00:00Z'),
    thumbnailUrl: 'https://i.ytimg.com/vi/abc/hq.jpg',
  });
});

test('an item of JSON Feed has its plain text and its attachment', () => {
  const [item] = read(
    JSON.stringify({
      version: 'https://jsonfeed.org/version/1.1',
      title: 'Notes',
      items: [
        {
          id: 7,
          url: 'https://blog.example/7',
          content_text: 'a < b\nc',
          date_published: '2026-11-20T18:00:00+01:00',
          tags: ['x'],
          attachments: [{ url: 'https://blog.example/7.mp3', mime_type: 'audio/mpeg', duration_in_seconds: 1.5 }],
        },
      ],
    }),
  );

  expect(item).toMatchObject({
    id: '7',
    text: 'a < b\nc',
    tags: ['x'],
    publishedAt: new Date('2026-11-20T17:00:00Z'),
    enclosure: { url: 'https://blog.example/7.mp3' },
    durationMs: 1500,
  });
});

test('an item of RDF has its address as id', () => {
  const [item] = read(
    '<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns="http://purl.org/rss/1.0/"><channel><title>t</title></channel><item rdf:about="https://blog.example/1"><title>One</title><link>https://blog.example/1</link></item></rdf:RDF>',
  );

  expect(item).toMatchObject({ id: 'https://blog.example/1', title: 'One' });
});

test('without an id, the address identifies an item, else its title, else its text', () => {
  const ids = (...items: readonly string[]): readonly string[] => read(rss(...items)).map(({ id }) => id);

  expect(ids('<item><link>https://blog.example/1</link><title>a</title></item>')).toEqual(['https://blog.example/1']);
  const [first = '', ...others] = ids(
    '<item><title>a</title></item>',
    '<item><title>b</title></item>',
    '<item><description>a b</description></item>',
  );
  expect(new Set([first, ...others]).size).toBe(3);
  expect(ids('<item><title>a</title><description>edited</description></item>')).toEqual([first]);
  expect(ids('<item><category>only</category></item>')).toEqual([]);
});

test('items without an id that share an address are different items, and none of them becomes new when the oldest one leaves', () => {
  const item = (title: string, day?: number): string => {
    const date = day === undefined ? '' : `<pubDate>Fri, 0${String(day)} Nov 2026 10:00:00 GMT</pubDate>`;
    return `<item><title>${title}</title><link>https://cast.example/</link>${date}</item>`;
  };
  const idsOf = (...items: readonly string[]) => new Map(read(rss(...items)).map(({ id, title = '' }) => [title, id]));

  const ids = idsOf(item('3', 3), item('2', 2), item('1', 1));

  expect(new Set(ids.values()).size).toBe(3);
  expect(ids.get('1')).toBe('https://cast.example/');
  const later = idsOf(item('4', 4), item('3', 3), item('2', 2));
  expect(later.get('3')).toBe(ids.get('3'));
  expect(later.get('2')).toBe(ids.get('1'));
  expect([...ids.values()]).not.toContain(later.get('4'));
  // The same item twice, items with an id, and items without a date, which would all be new after an upgrade.
  expect(idsOf(item('1', 2), item('1', 1))).toEqual(new Map([['1', 'https://cast.example/']]));
  expect(idsOf(item('2'), item('1'))).toEqual(new Map(['2', '1'].map((title) => [title, 'https://cast.example/'])));
  const stated = item('2', 2).replace('<link>', '<guid>https://cast.example/</guid><link>');
  expect(idsOf(stated, item('1', 1))).toEqual(new Map(['2', '1'].map((title) => [title, 'https://cast.example/'])));
});

test('items that share a stated id are different if their titles and addresses differ', () => {
  const item = (title: string, day: number, url = `https://blog.example/${title}`): string =>
    `<item><title>${title}</title><link>${url}</link><guid>https://blog.example/</guid><pubDate>Fri, 0${String(day)} Nov 2026 10:00:00 GMT</pubDate></item>`;
  const idsOf = (...items: readonly string[]) => read(rss(...items)).map(({ id }) => id);

  const [second, first] = idsOf(item('2', 2), item('1', 1));

  expect(first).toBe('https://blog.example/');
  expect(second).not.toBe(first);
  // The newest item is new even if the oldest one leaves. An item with an edited title is not new.
  const [third, ...others] = idsOf(item('3', 3), item('2', 2));
  expect(others).toEqual([first]);
  expect([first, second]).not.toContain(third);
  expect(idsOf(item('3 edited', 3, 'https://blog.example/3'), item('2', 2))).toEqual([third, first]);
  // Versions of one item, and an item that is listed twice.
  expect(idsOf(item('2', 2, 'https://blog.example/1'), item('1', 1))).toEqual([first, first]);
  expect(idsOf(item('1', 2, 'https://blog.example/2'), item('1', 1))).toEqual([first, first]);
});

test('items are sorted by their dates, and an item without a date stays behind the one before it', () => {
  const dated = (title: string, day: number): string =>
    `<item><title>${title}</title><pubDate>${day} Nov 2026 10:00:00 GMT</pubDate></item>`;
  const undated = (title: string): string => `<item><title>${title}</title><pubDate>soon</pubDate></item>`;
  const titles = (...items: readonly string[]): readonly (string | undefined)[] => read(rss(...items)).map(({ title }) => title);

  expect(titles(dated('old', 1), dated('new', 3), dated('middle', 2))).toEqual(['new', 'middle', 'old']);
  expect(titles(undated('pinned'), dated('old', 1), undated('a'), undated('b'), dated('new', 3), undated('c'))).toEqual([
    'new',
    'c',
    'pinned',
    'old',
    'a',
    'b',
  ]);
  expect(titles(undated('b'), undated('c'), undated('a'))).toEqual(['b', 'c', 'a']);
});

test('of a feed that begins with its oldest items, the newest 200 count, also if one has no date', () => {
  const date = (index: number): string => new Date(Date.UTC(2026, 0, 1 + index)).toUTCString();
  const items = Array.from(
    { length: 300 },
    (_, index) => `<item><guid>${index}</guid><pubDate>${index === 7 ? '' : date(index)}</pubDate></item>`,
  );

  const ids = read(rss(...items)).map(({ id }) => id);

  expect(ids).toHaveLength(200);
  expect([ids[0], ids.at(-1)]).toEqual(['299', '100']);
});

test('addresses of other protocols are absent', () => {
  const [item] = read(
    rss('<item><guid>1</guid><link>javascript:alert(1)</link><enclosure url="file:///etc/passwd" type="a/b" length="1"/></item>'),
  );

  expect(item).toMatchObject({ url: undefined, enclosure: undefined });
});

test('the newest 200 items count, and long texts end with an ellipsis', () => {
  const items = read(
    rss(...Array.from({ length: 300 }, (_, index) => `<item><guid>${index}</guid><description>${'a'.repeat(6000)}</description></item>`)),
  );

  expect(items).toHaveLength(200);
  expect(items[0]?.text).toHaveLength(5000);
  expect(items[0]?.text).toMatch(/a…$/u);
});

const ENTITIES = '<!DOCTYPE rss [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;"><!ENTITY c SYSTEM "file:///etc/passwd">]>';

const MANY_TAGS = '<x/>'.repeat(250_000);

/** Documents that would occupy the parser for seconds. */
test.for([
  ['entities', rss('<item><title>&b;&c;</title></item>').replace('<rss', `${ENTITIES}<rss`)],
  ['entities behind a comment', rss('<item><title>x</title></item>').replace('<rss', `<!-- <a> --><?x <b> ?>${ENTITIES}<rss`)],
  ['a million tags', rss(`<item>${'<x/>'.repeat(500_000)}</item>`)],
  ['a hundred thousand attributes', rss(`<item ${Array.from({ length: 250_000 }, (_, index) => `a${index}="1"`).join(' ')}></item>`)],
  ['deep levels without an end', rss(`<item>${'<a>'.repeat(150_000)}`)],
  ['tags behind a section in a comment', rss(`<!-- <![CDATA[ -->${MANY_TAGS}<!-- ]]> -->`)],
  ['tags behind a section in an instruction', rss(`<?x <![CDATA[ ?>${MANY_TAGS}<?x ]]> ?>`)],
  ['tags behind a quote in an end tag', rss(`<x></x ">${MANY_TAGS}<x y=""/>`)],
  ['tags behind a quote in an instruction', rss(`<?x " ?>${MANY_TAGS}<?x " ?>`)],
  ['tags behind an odd comment', rss(`<title><!--></title>${MANY_TAGS}<!-- -->`)],
  ['a section that two comments make', rss(`<!<!-- -->[CDATA[${MANY_TAGS}]]>`)],
  ['a section without an end', rss(`<item><title>a</title></item><![CDATA[${MANY_TAGS}`)],
  ['attributes without values', rss(`<item ${'a '.repeat(250_000)}/>`)],
  ['attributes without spaces', rss(`<item ${'a="1"'.repeat(250_000)}/>`)],
  ['attributes between other spaces', rss(`<item ${'a\u00a0'.repeat(250_000)}/>`)],
  [
    'entities behind a long type',
    rss('<item><title>&a;</title></item>').replace('<rss', `<!DOCTYPE rss ${' '.repeat(3000)}[<!ENTITY a "b">]><rss`),
  ],
  ['entities behind a tag', rss('<!DOCTYPE rss [<!ENTITY a "b">]><item><title>&a;</title></item>')],
  ['many values of JSON', `{"version":"https://jsonfeed.org/version/1.1","title":"T","items":[${'{"id":"1"},'.repeat(150_000)}{}]}`],
  [
    'many keys of JSON',
    JSON.stringify({ title: 'T', items: [], ...Object.fromEntries(Array.from({ length: 2000 }, (_, key) => [key, key])) }),
  ],
  ['tags without an end', rss(`<item><title>${'<a'.repeat(100_000)}</title></item><x "`)],
  ['an endless section', rss(`<item><title>${'<![CDATA['.repeat(100_000)}`)],
  ['a page', '<!DOCTYPE html><html><head><title>Sign in</title></head></html>'],
  ['nothing', ''],
  ['other JSON', '{"items":[1]}'],
] as const)('a document with %s is no feed', ([, text]) => {
  expect(() => read(text)).toThrow(expect.objectContaining({ platform: 'feed', fault: 'malformed' }));
});

test('a document type without entities is allowed, as in RSS 0.91', () => {
  const [item] = read(
    rss('<item><title>One</title></item>').replace(
      '<rss',
      '<!DOCTYPE rss PUBLIC "-//Netscape Communications//DTD RSS 0.91//EN" "https://my.netscape.com/rss-0.91.dtd"><rss',
    ),
  );

  expect(item?.title).toBe('One');
});

test('a sign before an odd quote is text', () => {
  expect(read(rss(`<item><guid>1</guid><title>I <3 Ada's maps</title></item>`))).toMatchObject([{ title: "I <3 Ada's maps" }]);
});

test('markup in sections and comments is text', () => {
  const [item] = read(
    rss(`<!-- <item> --><?x <item> ?><item><guid>1</guid><title>a<!-- b --><![CDATA[ &amp; <c>]]> &amp;amp; d</title>
      <link><![CDATA[https://blog.example/?a=1&b=2]]></link>
      <description><![CDATA[<p title="]]]]><![CDATA[>">One &lt;two&gt; &amp;amp; three</p>${'<i a="b"></i>'.repeat(100_000)}]]></description></item>`),
  );

  expect(item).toMatchObject({ title: 'a & <c> & d', url: 'https://blog.example/?a=1&b=2', text: 'One <two> &amp; three' });
});

const BASES = [
  ['the feed', { feed: 'https://ada.example/blog/' }, 'https://ada.example/blog/post', 'https://ada.example/blog/a.png'],
  ['the entry', { entry: 'https://ada.example/2026/' }, 'https://ada.example/2026/post', 'https://ada.example/2026/a.png'],
  ['the content', { content: 'https://ada.example/img/' }, 'https://blog.example/post', 'https://ada.example/img/a.png'],
  [
    'feed, entry and content',
    { feed: 'https://ada.example/blog/', entry: '2026/', content: 'img/' },
    'https://ada.example/blog/2026/post',
    'https://ada.example/blog/2026/img/a.png',
  ],
  ['a feed without web address', { feed: 'urn:blog' }, 'https://blog.example/post', 'https://blog.example/a.png'],
] as const;

test.for(BASES)('relative addresses of Atom refer to the xml:base of %s', ([, bases, url, thumbnailUrl]) => {
  const base = (of: 'feed' | 'entry' | 'content') =>
    of in bases ? `xml:base="${new Map<string, string>(Object.entries(bases)).get(of)}"` : '';

  const [item] = read(`<feed xmlns="http://www.w3.org/2005/Atom" ${base('feed')}><title>Ada</title><entry ${base('entry')}><id>1</id>
    <link href="post"/><content type="html" ${base('content')}>&lt;img src="a.png"></content></entry></feed>`);

  expect(item).toMatchObject({ url, thumbnailUrl });
});

test('relative addresses of RSS refer to the xml:base of the item, else of the feed', () => {
  const items = read(`<rss version="2.0" xml:base="https://ada.example/blog/"><channel><title>Ada</title>
    <item xml:base="2026/"><guid isPermaLink="false">1</guid><link>post</link></item>
    <item><guid isPermaLink="false">2</guid><link>post</link><enclosure url="1.mp3" type="audio/mpeg" length="1"/></item></channel></rss>`);

  expect(items).toMatchObject([
    { url: 'https://ada.example/blog/2026/post' },
    { url: 'https://ada.example/blog/post', enclosure: { url: 'https://ada.example/blog/1.mp3' } },
  ]);
});

test('a picture in a text without an xml:base refers to the page of the item', () => {
  const [item] = read(rss('<item><link>https://ada.example/2026/post/</link><description>&lt;img src="a.png"></description></item>'));

  expect(item?.thumbnailUrl).toBe('https://ada.example/2026/post/a.png');
});
