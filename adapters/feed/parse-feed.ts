import { hash } from 'node:crypto';
import type { FeedItem } from '#src/clients/feed/records.ts';
import { PlatformError } from '#src/errors.ts';
import { parseInstant } from '#src/http/parse-instant.ts';
import { withoutUserInfo } from '#src/http/without-user-info.ts';
import { entriesOf, type Entry } from './entries.ts';
import { parseDocument, RefusedDocument } from './parse-document.ts';
import { firstPicture, plainText, plainTitle } from './plain-text.ts';

/** The most items of a feed. */
const MOST_ITEMS = 200;
const MOST_CHARACTERS = 5_000;
const LONGEST_TITLE = 500;
const MOST_TAGS = 50;

interface ParseFeedOptions {
  /** The address of the feed in the rule. */
  readonly address: string;
  /** The address after all redirects, without credentials. Relative addresses refer to it. */
  readonly base: URL;
  readonly fetchedAt: Date;
}

/** Reads the items of a document, newest first. Throws a `malformed` PlatformError if it is no feed. */
export function parseFeed(text: string, { address, base, fetchedAt }: ParseFeedOptions): readonly FeedItem[] {
  const { title, base: stated, entries } = documentOf(text, base);
  const feed = { title: title === undefined ? undefined : plainTitle(title).slice(0, LONGEST_TITLE), url: withoutUserInfo(address) };
  const items = entries.flatMap((entry) => toItem(entry, { feed, address: base, base: baseOf(stated, base), fetchedAt }) ?? []);
  const written = new Set(entries.map(({ id }) => filled(id)));
  return withUniqueIds(newestFirst(items), written).slice(0, MOST_ITEMS);
}

function documentOf(text: string, base: URL): ReturnType<typeof entriesOf> {
  try {
    return entriesOf(parseDocument(text));
  } catch (error) {
    const why = error instanceof RefusedDocument ? error.message : 'it is neither RSS nor Atom nor JSON Feed';
    throw new PlatformError(`The feed at ${base.hostname} cannot be read: ${why}.`, { platform: 'feed', fault: 'malformed', cause: error });
  }
}

/** Servers list items in the order of their changes, or of their titles. An item without a date stays behind the one before it. */
function newestFirst(items: readonly FeedItem[]): readonly FeedItem[] {
  const timeOf = ({ publishedAt, updatedAt }: FeedItem): number | undefined => (publishedAt ?? updatedAt)?.getTime();
  let lastMs = items.map(timeOf).find((ms) => ms !== undefined);
  const timed = items.map((item) => {
    lastMs = timeOf(item) ?? lastMs;
    return { item, ms: lastMs ?? 0 };
  });
  return timed.toSorted((a, b) => b.ms - a.ms).map(({ item }) => item);
}

interface ItemContext {
  readonly feed: FeedItem['feed'];
  /** The address of the document. */
  readonly address: URL;
  /** The `xml:base` of the feed, else the address of the document. */
  readonly base: URL;
  readonly fetchedAt: Date;
}

/**
 * Items without an id that share an address, as in podcasts and changelogs, get their titles into their ids. The oldest one keeps its id, which it had
 * before the next one came. Items that share a stated id, but no title and no address, get a hash of their addresses: some servers state the address of the
 * site as the id of each item. Items without a date keep their ids, because after an upgrade, all of them would be new.
 */
function withUniqueIds(items: readonly FeedItem[], written: ReadonlySet<string | undefined>): readonly FeedItem[] {
  const oldest = new Map(items.map((item) => [item.id, item]));
  return items.map((item) => {
    const content = contentOf(item);
    const first = oldest.get(item.id);
    if (!first || item.publishedAt === undefined || content === undefined || contentOf(first) === content) return item;
    if (!written.has(item.id)) return { ...item, id: `${item.id}#${contentHash(content)}` };
    if (item.url === undefined || first.url === undefined || item.url === first.url) return item;
    return { ...item, id: `${item.id}#${contentHash(item.url)}` };
  });
}

function contentOf({ title, text }: Pick<FeedItem, 'title' | 'text'>): string | undefined {
  return title ?? text;
}

function contentHash(content: string): string {
  return hash('sha256', content, 'base64url').slice(0, 22);
}

/** Undefined for an entry without any content. */
function toItem(entry: Entry, { feed, address, base: ofFeed, fetchedAt }: ItemContext): FeedItem | undefined {
  const base = baseOf(entry.base, ofFeed);
  const addressOf = (written: string | undefined): string | undefined => webAddress(written, base);
  const url = addressOf(entry.link);
  const title = filled(plainTitle(entry.title ?? ''))?.slice(0, LONGEST_TITLE);
  const html = filled(entry.summary) ?? filled(entry.content) ?? '';
  const text = filled(plainText(html, MOST_CHARACTERS));
  const content = contentOf({ title, text });
  const id = filled(entry.id) ?? url ?? (content === undefined ? undefined : contentHash(content));
  if (id === undefined) return undefined;
  const file = entry.enclosure;
  const fileUrl = addressOf(file?.url);
  const picture = entry.picture ?? (file?.type?.startsWith('image/') ? file.url : undefined);
  // Texts are parts of a page, so without an `xml:base`, their addresses are those of the page.
  const textBase = baseOf(entry.contentBase, base === address && url !== undefined ? new URL(url) : base);
  return {
    platform: 'feed',
    id,
    url,
    feed,
    title,
    text,
    authorName: filled(entry.author),
    tags: [...new Set(entry.tags.map((tag = '') => tag.trim()))].filter((tag) => tag !== '').slice(0, MOST_TAGS),
    publishedAt: instantOf(entry.published),
    updatedAt: instantOf(entry.updated),
    thumbnailUrl: entry.hidesPictures
      ? undefined
      : picture === undefined
        ? webAddress(firstPicture(filled(entry.content) ?? html), textBase)
        : addressOf(picture),
    enclosure: fileUrl === undefined ? undefined : { url: fileUrl, type: filled(file?.type), sizeBytes: countOf(file?.sizeBytes) },
    durationMs: countOf(entry.durationS === undefined ? undefined : Math.round(entry.durationS * 1000)),
    fetchedAt,
  };
}

function filled(text: string | undefined): string | undefined {
  return text?.trim() || undefined;
}

function countOf(number: number | undefined): number | undefined {
  return number !== undefined && Number.isSafeInteger(number) && number >= 0 ? number : undefined;
}

function instantOf(text: string | undefined): Date | undefined {
  return text === undefined ? undefined : parseInstant(text);
}

/** The base that an `xml:base` states, itself relative to the outer one. */
function baseOf(stated: string | undefined, outer: URL): URL {
  const address = webAddress(stated, outer);
  return address === undefined ? outer : new URL(address);
}

function webAddress(written: string | undefined, base: URL): string | undefined {
  const url = filled(written) === undefined ? undefined : URL.parse(written ?? '', base.href);
  return url && /^https?:$/u.test(url.protocol) ? url.href : undefined;
}
