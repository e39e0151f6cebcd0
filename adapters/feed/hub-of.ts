import type { Hub } from '#src/http/websub/follow-topics.ts';
import { withoutUserInfo } from '#src/http/without-user-info.ts';
import { parseDocument } from './parse-document.ts';

const LONGEST_HEADER = 4_000;
const LONGEST_ADDRESS = 2_000;

interface FeedDocument {
  readonly text: string;
  /** The address after all redirects, without credentials. */
  readonly url: URL;
  /** The header `Link`. */
  readonly links: string | undefined;
}

interface FoundLink {
  readonly rel: string;
  readonly href: string;
  /** The `xml:base` of the feed. */
  readonly base?: string | undefined;
}

/**
 * The hub and the topic (`self`) that a feed names in its header or in its document; undefined: none. Hubs know a feed by its topic, so
 * WebSub requires both.
 */
export function hubOf({ text, url, links = '' }: FeedDocument): Hub | undefined {
  const found = [...inHeader(links.slice(0, LONGEST_HEADER)), ...inDocument(text)];
  const addressOf = (rel: string): string | undefined => {
    const { href = '', base = '' } = found.find((one) => one.rel === rel) ?? {};
    const address = href === '' || href.length > LONGEST_ADDRESS ? null : URL.parse(href, URL.parse(base, url.href)?.href ?? url.href);
    return address && /^https?:$/u.test(address.protocol) ? address.href : undefined;
  };
  const hub = addressOf('hub');
  const topic = addressOf('self');
  if (hub === undefined || topic === undefined) return undefined;
  // Messages show the topic, and without its password, the hub does not know it.
  return topic === withoutUserInfo(topic) ? { hub, topic } : undefined;
}

/** The links of a header such as `<https://hub.example>; rel="hub"`. */
function* inHeader(header: string): Generator<FoundLink> {
  for (const [, href = '', parameters = ''] of header.matchAll(/<([^<>]{1,2000})>((?:[^,"<]|"[^"]{0,500}")*)/gu)) {
    const [, quoted, plain = ''] = /;\s*rel\s*=\s*(?:"([^"]*)"|([^\s;,]+))/iu.exec(parameters) ?? [];
    for (const rel of (quoted ?? plain).toLowerCase().split(/\s+/u)) yield { rel, href };
  }
}

function inDocument(text: string): readonly FoundLink[] {
  try {
    const document = parseDocument(text);
    switch (document.format) {
      case 'json':
        return [
          ...(document.feed.hubs ?? []).flatMap(({ url: href }) => (href === undefined ? [] : [{ rel: 'hub', href }])),
          ...(document.feed.feed_url === undefined ? [] : [{ rel: 'self', href: document.feed.feed_url }]),
        ];
      case 'atom':
        return linksOf(document.feed.links, document.feed.xml?.base);
      default:
        return linksOf(document.feed.atom?.links, document.feed.xml?.base);
    }
  } catch {
    // The poll of the feed reports what is wrong with it.
    return [];
  }
}

function linksOf(
  links: readonly { readonly rel?: string | undefined; readonly href?: string | undefined }[] = [],
  base?: string,
): readonly FoundLink[] {
  return links.flatMap(({ rel = 'alternate', href }) => (href === undefined ? [] : [{ rel: rel.toLowerCase(), href, base }]));
}
