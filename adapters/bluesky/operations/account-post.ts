import { z } from 'zod';
import type { Person } from '#src/clients/operation/record.ts';
import type { Media } from '#src/clients/social/records/media.ts';
import type { Post } from '#src/clients/social/records/post.ts';
import { atUri, parseRecordUri, postUrl, type RecordAddress } from '../addresses.ts';
import { PLATFORM } from '../errors.ts';
import { toText } from '../wire/facets.ts';
import { anything, listOf, maybe, maybeText } from '../wire/parts.ts';
import { PostRecord, warningIn } from '../wire/post.ts';
import { BlobRef } from './media.ts';

const AspectRatio = maybe(z.object({ width: z.int().min(1), height: z.int().min(1) }));
const Shown = z.object({ aspectRatio: AspectRatio, alt: maybeText });
const External = z.object({ uri: z.string().min(1), title: maybeText, description: maybeText, thumb: maybe(BlobRef) });
const Embed = z.object({
  external: maybe(External),
  images: maybe(listOf(Shown.extend({ image: BlobRef }))),
  video: maybe(BlobRef),
  alt: maybeText,
  aspectRatio: AspectRatio,
  record: anything,
  media: anything,
});
type MediaEmbed = Partial<z.output<typeof Embed>>;
const Ref = z.object({ uri: z.string() });

interface AccountRecord {
  readonly address: RecordAddress;
  readonly value: unknown;
  readonly author: Person;
  /** The account's server. */
  readonly pds: string;
  readonly replyAudience: Post['replyAudience'];
  readonly fetchedAt: Date;
}

/** A post of the account from its record, which is available before the AppView shows the post. */
export function fromRecord({ address, value, author, pds, replyAudience, fetchedAt }: AccountRecord): Post {
  const { text, facets, langs, reply, createdAt = fetchedAt, embed, labels } = PostRecord.parse(value);
  const id = atUri(address);
  const shown = mediaEmbedOf(embed);
  const urlOf = ({ ref }: BlobRef): string => `${pds}/xrpc/com.atproto.sync.getBlob?did=${address.did}&cid=${ref.$link}`;
  return {
    platform: PLATFORM,
    id,
    url: postUrl({ did: address.did, handle: author.handle }, address.rkey),
    author,
    ...toText(text, facets),
    language: langs?.[0],
    createdAt,
    conversationId: reply?.root.uri ?? id,
    replyTo: reply && { postId: reply.parent.uri, userId: parseRecordUri(reply.parent.uri)?.did },
    quoted: quotedIn(embed),
    media: mediaIn(shown, urlOf),
    card: cardIn(shown, urlOf),
    ...warningIn(labels),
    visibility: 'public',
    replyAudience,
    counts: { likes: 0, reposts: 0, replies: 0, quotes: 0, bookmarks: 0 },
    viewer: { liked: false, reposted: false, bookmarked: false, pinned: false },
    fetchedAt,
  };
}

/** The quoted post. A record with media contains the quote one level deeper. */
function quotedIn(embed: unknown, depth = 0): Post['quoted'] {
  const { data } = Embed.safeParse(embed);
  const { data: ref } = Ref.safeParse(data?.record);
  if (ref) return ref.uri.includes('/app.bsky.feed.post/') ? { postId: ref.uri, state: 'accepted' } : undefined;
  return data?.record !== undefined && depth < 2 ? quotedIn(data.record, depth + 1) : undefined;
}

/** The files or the link card. A record with media contains them one level deeper. */
function mediaEmbedOf(embed: unknown): MediaEmbed {
  const { data } = Embed.safeParse(embed);
  return (data?.media === undefined ? data : Embed.safeParse(data.media).data) ?? {};
}

function cardIn({ external }: MediaEmbed, urlOf: (blob: BlobRef) => string): Post['card'] {
  if (!external) return undefined;
  const { uri: url, title = url, description, thumb } = external;
  return { url, title, description, imageUrl: thumb && urlOf(thumb) };
}

function mediaIn({ images = [], video, alt, aspectRatio }: MediaEmbed, urlOf: (blob: BlobRef) => string): Media[] {
  const videos = video ? [{ blob: video, kind: 'video' as const, alt, aspectRatio }] : [];
  const pictures = images.map(({ image, ...shown }) => ({ blob: image, kind: 'image' as const, ...shown }));
  return [...pictures, ...videos].map(({ blob, kind, ...shown }) => ({
    id: blob.ref.$link,
    kind,
    url: urlOf(blob),
    altText: shown.alt,
    width: shown.aspectRatio?.width,
    height: shown.aspectRatio?.height,
    sizeBytes: blob.size,
    state: 'ready',
  }));
}
