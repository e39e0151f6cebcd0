import { countIn, filledIn, objectIn, rowsIn, textIn, type WireObject } from '#src/http/values.ts';
import type { Media } from '#src/clients/social/records/media.ts';
import type { Post } from '#src/clients/social/records/post.ts';
import { facetsIn, toText } from './facets.ts';

/** The size; undefined if a side is missing or 0. */
function sizeIn(wire: unknown): { readonly width: number; readonly height: number } | undefined {
  const ratio = objectIn(wire);
  const [width, height] = [countIn(ratio?.['width']), countIn(ratio?.['height'])];
  return width && height ? { width, height } : undefined;
}

/** The media, the quote and the card of a post. */
export interface Carried {
  readonly media: readonly Media[];
  readonly quoted: Post['quoted'];
  readonly card: Post['card'];
}

const NOTHING: Carried = { media: [], quoted: undefined, card: undefined };

/** The kind of an embed view; undefined for any other value. */
function kindOf(embed: WireObject | undefined): string | undefined {
  return textIn(embed?.['$type'])?.replace(/#view$/, '');
}

/** The content of an embed view. An unknown embed has none. */
export function carriedBy(wire: unknown): Carried {
  const embed = objectIn(wire);
  switch (kindOf(embed)) {
    case 'app.bsky.embed.record':
      return { ...NOTHING, quoted: toQuoted(embed?.['record']) };
    case 'app.bsky.embed.recordWithMedia':
      return { ...mediaOf(objectIn(embed?.['media'])), quoted: toQuoted(objectIn(embed?.['record'])?.['record']) };
    default:
      return mediaOf(embed);
  }
}

/** The content of an embed that cannot contain another embed. */
function mediaOf(embed: WireObject | undefined): Carried {
  switch (embed && kindOf(embed)) {
    case 'app.bsky.embed.images':
      return { ...NOTHING, media: rowsIn(embed?.['images'], objectIn).map(toImage) };
    case 'app.bsky.embed.gallery':
      return { ...NOTHING, media: rowsIn(embed?.['items'], objectIn).map(toImage) };
    case 'app.bsky.embed.video':
      return { ...NOTHING, media: videosIn(embed) };
    case 'app.bsky.embed.external':
      return { ...NOTHING, card: cardIn(embed?.['external']) };
    default:
      return NOTHING;
  }
}

/** A card; the address of a page replaces a missing title. */
function cardIn(wire: unknown): Post['card'] {
  const card = objectIn(wire);
  const url = filledIn(card?.['uri']);
  if (!card || url === undefined) return undefined;
  return { url, title: filledIn(card['title']) ?? url, description: filledIn(card['description']), imageUrl: filledIn(card['thumb']) };
}

function toImage(image: WireObject, index: number): Media {
  const url = filledIn(image['fullsize']);
  const previewUrl = filledIn(image['thumbnail']) ?? filledIn(image['thumb']);
  const size = sizeIn(image['aspectRatio']);
  return {
    id: url ?? previewUrl ?? String(index),
    kind: 'image',
    url,
    previewUrl,
    altText: filledIn(image['alt']),
    width: size?.width,
    height: size?.height,
    state: 'ready',
  };
}

function videosIn(video: WireObject | undefined): readonly Media[] {
  const cid = textIn(video?.['cid']);
  if (!video || cid === undefined) return [];
  const size = sizeIn(video['aspectRatio']);
  return [
    {
      id: cid,
      kind: video['presentation'] === 'gif' ? 'gif' : 'video',
      url: filledIn(video['playlist']),
      previewUrl: filledIn(video['thumbnail']),
      altText: filledIn(video['alt']),
      width: size?.width,
      height: size?.height,
      state: 'ready',
    },
  ];
}

/** Feeds, lists and the like are shown the same way, and are no posts. */
function toQuoted(wire: unknown): Post['quoted'] {
  const shown = objectIn(wire);
  const postId = textIn(shown?.['uri']);
  if (!shown || !postId?.includes('/app.bsky.feed.post/')) return undefined;
  const type = textIn(shown['$type']) ?? '';
  if (type.endsWith('#viewBlocked')) return { postId, state: 'blocked' };
  if (type.endsWith('#viewRecord')) {
    const record = objectIn(shown['value']);
    const { text } = toText(textIn(record?.['text']) ?? '', facetsIn(record?.['facets']));
    return { postId, state: 'accepted', text: filledIn(text) };
  }
  return { postId, state: 'unavailable' };
}
