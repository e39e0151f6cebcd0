import type { FeedDocument as Document } from './parse-document.ts';

type RssItem = NonNullable<Extract<Document, { format: 'rss' }>['feed']['items']>[number];
type RdfItem = NonNullable<Extract<Document, { format: 'rdf' }>['feed']['items']>[number];
type AtomEntry = NonNullable<Extract<Document, { format: 'atom' }>['feed']['entries']>[number];
type JsonItem = NonNullable<Extract<Document, { format: 'json' }>['feed']['items']>[number];
type Media = NonNullable<RssItem['media']>;

/** An item of a feed of any format. Texts are HTML. */
export interface Entry {
  readonly id?: string | undefined;
  readonly link?: string | undefined;
  readonly title?: string | undefined;
  readonly summary?: string | undefined;
  readonly content?: string | undefined;
  /** The `xml:base` of the entry, to which its addresses refer. */
  readonly base?: string | undefined;
  /** The `xml:base` of the content, or of the summary if there is no content. */
  readonly contentBase?: string | undefined;
  readonly author?: string | undefined;
  readonly tags: readonly (string | undefined)[];
  readonly published?: string | undefined;
  readonly updated?: string | undefined;
  readonly picture?: string | undefined;
  /** Whether the feed rates all pictures as adult. */
  readonly hidesPictures?: boolean | undefined;
  readonly enclosure?:
    | { readonly url?: string | undefined; readonly type?: string | undefined; readonly sizeBytes?: number | undefined }
    | undefined;
  readonly durationS?: number | undefined;
}

/** A feed of any format. */
interface Feed {
  readonly title: string | undefined;
  readonly base?: string | undefined;
  readonly entries: readonly Entry[];
}

/** The entries of a parsed document. */
export function entriesOf(document: Document): Feed {
  switch (document.format) {
    case 'rss':
      return { title: document.feed.title, base: document.feed.xml?.base, entries: (document.feed.items ?? []).map(ofRss) };
    case 'rdf':
      return { title: document.feed.title, base: document.feed.xml?.base, entries: (document.feed.items ?? []).map(ofRdf) };
    case 'atom':
      return { title: document.feed.title?.value, base: document.feed.xml?.base, entries: (document.feed.entries ?? []).map(ofAtom) };
    case 'json':
      return { title: document.feed.title, entries: (document.feed.items ?? []).map(ofJson) };
  }
}

function ofRss({
  guid,
  link,
  title,
  description,
  content,
  authors,
  dc,
  categories,
  pubDate,
  enclosures,
  itunes,
  media,
  atom,
  xml,
}: RssItem): Entry {
  const [file] = enclosures ?? [];
  // A guid that is a permanent link is the address if there is no other.
  const permanent = guid?.isPermaLink === false ? undefined : webLink(guid?.value);
  return {
    id: guid?.value,
    link: link ?? permanent,
    title: title ?? itunes?.title,
    summary: description ?? itunes?.summary ?? mediaText(media),
    content: content?.encoded,
    base: xml?.base,
    author: authors?.[0]?.name ?? dc?.creators?.[0] ?? itunes?.author,
    tags: [...(categories ?? []).map(({ name }) => name), ...(dc?.subjects ?? [])],
    published: pubDate ?? dc?.dates?.[0],
    updated: atom?.updated,
    ...pictureOf(media, itunes?.image),
    enclosure: file && { url: file.url, type: file.type, sizeBytes: file.length },
    durationS: itunes?.duration,
  };
}

function ofRdf({ rdf, link, title, description, content, dc, media, xml }: RdfItem): Entry {
  return {
    id: rdf?.about,
    link,
    title,
    summary: description ?? dc?.descriptions?.[0],
    content: content?.encoded,
    base: xml?.base,
    author: dc?.creators?.[0],
    tags: dc?.subjects ?? [],
    published: dc?.dates?.[0],
    ...pictureOf(media),
  };
}

function ofAtom({
  id,
  links = [],
  title,
  summary,
  content,
  authors,
  categories,
  published,
  updated,
  media,
  itunes,
  xml,
}: AtomEntry): Entry {
  const page = links.find(({ rel = 'alternate' }) => rel === 'alternate') ?? links.find(({ rel }) => rel !== 'enclosure');
  const file = links.find(({ rel }) => rel === 'enclosure');
  return {
    id,
    link: page?.href,
    title: title?.value,
    summary: summary?.value ?? mediaText(media),
    content: content?.value,
    base: xml?.base,
    contentBase: (content?.value === undefined ? summary : content)?.xml?.base,
    author: authors?.[0]?.name,
    tags: (categories ?? []).map(({ label, term }) => label ?? term),
    published: published ?? updated,
    updated,
    ...pictureOf(media, itunes?.image),
    enclosure: file && { url: file.href, type: file.type, sizeBytes: file.length },
    durationS: itunes?.duration,
  };
}

function ofJson(item: JsonItem): Entry {
  const [file] = item.attachments ?? [];
  return {
    id: item.id,
    link: item.url ?? item.external_url,
    title: item.title,
    summary: item.summary,
    content: item.content_html ?? (item.content_text === undefined ? undefined : escaped(item.content_text)),
    author: item.authors?.[0]?.name,
    tags: item.tags ?? [],
    published: item.date_published ?? item.date_modified,
    updated: item.date_modified,
    picture: item.image ?? item.banner_image,
    enclosure: file && { url: file.url, type: file.mime_type, sizeBytes: file.size_in_bytes },
    durationS: file?.duration_in_seconds,
  };
}

function webLink(text: string | undefined): string | undefined {
  return text !== undefined && /^https?:/iu.test(text.trim()) ? text : undefined;
}

/** The picture of Media RSS, which has its elements in the item, or in a group of the item, as YouTube does. */
function pictureOf(media: Media | undefined, otherwise?: string): Pick<Entry, 'picture' | 'hidesPictures'> {
  const places = [media, ...(media?.groups ?? [])];
  const contents = places.flatMap((place) => place?.contents ?? []);
  const pictures = contents.filter(({ medium, type }) => medium === 'image' || type?.startsWith('image/'));
  const shown = pictures.filter((picture) => !isAdult(picture));
  // Mastodon rates the pictures of a sensitive post.
  if (isAdult(media) || (pictures.length > 0 && shown.length === 0)) return { hidesPictures: true };
  return { picture: places.flatMap((place) => place?.thumbnails ?? [])[0]?.url ?? shown[0]?.url ?? otherwise };
}

function isAdult(rated: Pick<Media, 'ratings'> | undefined): boolean {
  return rated?.ratings?.some(({ value }) => value === 'adult') ?? false;
}

function mediaText(media: Media | undefined): string | undefined {
  const text = [media, ...(media?.groups ?? [])].find((place) => place?.description !== undefined)?.description?.value;
  return text === undefined ? undefined : escaped(text);
}

/** Plain text as HTML with its lines. */
function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('\n', '<br>');
}
