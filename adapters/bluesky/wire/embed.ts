import { z } from 'zod';
import type { Media } from '#src/social/records/media.ts';
import type { Post } from '#src/social/records/post.ts';
import { anything, listOf, maybe, maybeText } from './parts.ts';

const AspectRatio = maybe(z.object({ width: z.int().min(1), height: z.int().min(1) }));

const Image = z.object({ thumb: maybeText, thumbnail: maybeText, fullsize: maybeText, alt: maybeText, aspectRatio: AspectRatio });

const Video = z.object({
  cid: z.string(),
  playlist: maybeText,
  thumbnail: maybeText,
  alt: maybeText,
  aspectRatio: AspectRatio,
  presentation: maybeText,
});

/** A post, or something else, that a post shows. */
const Shown = z.object({
  $type: maybeText,
  uri: z.string(),
  value: maybe(z.object({ text: maybeText })),
});

const External = z.object({ uri: z.string().min(1), title: maybeText, description: maybeText, thumb: maybeText });

const View = z.object({
  $type: z.string(),
  external: maybe(External),
  images: maybe(listOf(Image)),
  items: maybe(listOf(Image)),
  record: anything,
  media: anything,
});

/** The media, the quote and the card of a post. */
export interface Carried {
  readonly media: readonly Media[];
  readonly quoted: Post['quoted'];
  readonly card: Post['card'];
}

const NOTHING: Carried = { media: [], quoted: undefined, card: undefined };

/** The content of an embed view. An unknown embed has none. */
export function carriedBy(embed: unknown): Carried {
  const { data } = View.safeParse(embed);
  switch (data?.$type.replace(/#view$/, '')) {
    case 'app.bsky.embed.record':
      return { ...NOTHING, quoted: toQuoted(data.record) };
    case 'app.bsky.embed.recordWithMedia':
      return { ...mediaOf(data.media), quoted: toQuoted(inner(data.record)) };
    default:
      return mediaOf(embed);
  }
}

/** The content of an embed that cannot contain another embed. */
function mediaOf(embed: unknown): Carried {
  const { data } = View.safeParse(embed);
  switch (data?.$type.replace(/#view$/, '')) {
    case 'app.bsky.embed.images':
      return { ...NOTHING, media: (data.images ?? []).map(toImage) };
    case 'app.bsky.embed.gallery':
      return { ...NOTHING, media: (data.items ?? []).map(toImage) };
    case 'app.bsky.embed.video':
      return { ...NOTHING, media: toVideos(embed) };
    case 'app.bsky.embed.external':
      return { ...NOTHING, card: data.external && toCard(data.external) };
    default:
      return NOTHING;
  }
}

/** A card; the address of a page replaces a missing title. */
function toCard({ uri: url, title = url, description, thumb: imageUrl }: z.output<typeof External>): Post['card'] {
  return { url, title, description, imageUrl };
}

function toImage({ thumb, thumbnail = thumb, fullsize, alt, aspectRatio }: z.output<typeof Image>, index: number): Media {
  return {
    id: fullsize ?? thumbnail ?? String(index),
    kind: 'image',
    url: fullsize,
    previewUrl: thumbnail,
    altText: alt,
    width: aspectRatio?.width,
    height: aspectRatio?.height,
    state: 'ready',
  };
}

function toVideos(embed: unknown): readonly Media[] {
  const { data } = Video.safeParse(embed);
  if (!data) return [];
  const { cid, playlist, thumbnail, alt, aspectRatio, presentation } = data;
  return [
    {
      id: cid,
      kind: presentation === 'gif' ? 'gif' : 'video',
      url: playlist,
      previewUrl: thumbnail,
      altText: alt,
      width: aspectRatio?.width,
      height: aspectRatio?.height,
      state: 'ready',
    },
  ];
}

function inner(record: unknown): unknown {
  return typeof record === 'object' && record !== null && 'record' in record ? record.record : undefined;
}

/** Feeds, lists and the like are shown the same way, and are no posts. */
function toQuoted(record: unknown): Post['quoted'] {
  const { data } = Shown.safeParse(record);
  if (!data?.uri.includes('/app.bsky.feed.post/')) return undefined;
  const { $type = '', uri: postId, value } = data;
  if ($type.endsWith('#viewBlocked')) return { postId, state: 'blocked' };
  if ($type.endsWith('#viewRecord')) return { postId, state: 'accepted', text: value?.text };
  return { postId, state: 'unavailable' };
}
