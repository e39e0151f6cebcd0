import type { Article } from './articles.ts';

/** A feed with its articles. */
interface Feed {
  readonly host: string;
  /** The address of the hub that notifies about the feed. */
  readonly hub: string;
  readonly articles: readonly Article[];
}

interface FeedDocument {
  readonly contentType: string;
  readonly body: string;
}

/** The document of a feed: JSON Feed for a path that ends with `.json`, Atom for `.atom`, else RSS, with recordings for `podcast.…`. */
export function documentOf(feed: Feed, path: string): FeedDocument {
  const self = `https://${feed.host}${path}`;
  if (path.endsWith('.json')) return { contentType: 'application/feed+json', body: jsonFeed(feed, self) };
  if (path.endsWith('.atom')) return { contentType: 'application/atom+xml; charset=utf-8', body: atom(feed, self) };
  return { contentType: 'application/rss+xml; charset=utf-8', body: rss(feed, self) };
}

function jsonFeed({ host, hub, articles }: Feed, self: string): string {
  return JSON.stringify({
    version: 'https://jsonfeed.org/version/1.1',
    title: titleOf(host),
    home_page_url: `https://${host}/`,
    feed_url: self,
    hubs: [{ type: 'WebSub', url: hub }],
    items: articles.map(({ id, url, title, text, author, category, publishedMs, updatedMs }) => ({
      id,
      url,
      title,
      content_html: text,
      authors: [{ name: author }],
      tags: [category],
      date_published: new Date(publishedMs).toISOString(),
      ...(updatedMs !== undefined && { date_modified: new Date(updatedMs).toISOString() }),
    })),
  });
}

function atom({ host, hub, articles }: Feed, self: string): string {
  const entries = articles.map(
    ({ id, url, title, text, author, category, publishedMs, updatedMs = publishedMs }) => `<entry>
<id>${xml(id)}</id><title>${xml(title)}</title><link rel="alternate" href="${xml(url)}"/>
<published>${new Date(publishedMs).toISOString()}</published><updated>${new Date(updatedMs).toISOString()}</updated>
<author><name>${xml(author)}</name></author><category term="${xml(category)}"/><content type="html">${xml(text)}</content>
</entry>`,
  );
  return `<?xml version="1.0" encoding="utf-8"?>
<feed xmlns="http://www.w3.org/2005/Atom"><id>https://${host}/</id><title>${xml(titleOf(host))}</title>
<link rel="self" href="${xml(self)}"/><link rel="hub" href="${xml(hub)}"/>
${entries.join('\n')}
</feed>
`;
}

function rss({ host, hub, articles }: Feed, self: string): string {
  const items = articles.map(({ id, url, title, text, author, category, publishedMs }) => {
    const recording = host.startsWith('podcast.')
      ? `<enclosure url="${xml(`${url}.mp3`)}" type="audio/mpeg" length="24000000"/><itunes:duration>3600</itunes:duration>`
      : '';
    return `<item>
<guid isPermaLink="false">${xml(id)}</guid><title>${xml(title)}</title><link>${xml(url)}</link><description>${xml(text)}</description>
<dc:creator>${xml(author)}</dc:creator><category>${xml(category)}</category><pubDate>${new Date(publishedMs).toUTCString()}</pubDate>${recording}
</item>`;
  });
  return `<?xml version="1.0" encoding="utf-8"?>
<rss version="2.0" xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:itunes="http://www.itunes.com/dtds/podcast-1.0.dtd" xmlns:atom="http://www.w3.org/2005/Atom"><channel>
<title>${xml(titleOf(host))}</title><link>https://${host}/</link><description>A feed of the sandbox</description>
<atom:link rel="self" href="${xml(self)}"/><atom:link rel="hub" href="${xml(hub)}"/>
${items.join('\n')}
</channel></rss>
`;
}

function titleOf(host: string): string {
  const [name = ''] = host.split('.');
  return `${name.slice(0, 1).toUpperCase()}${name.slice(1)} of the sandbox`;
}

function xml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}
