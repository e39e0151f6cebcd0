import { z } from 'zod';
import { instant, readRows, type ReadRows } from '#src/http/lenient.ts';
import type { Game, Stream } from '#src/clients/streaming/records.ts';

/** A text that is absent if empty or null. */
const filled = z
  .string()
  .nullish()
  .transform((text) => text || undefined);
/** The address of a picture. Discord refuses a whole message with any other text in its place, so such a text is absent. */
const picture = filled.transform((text) => (text !== undefined && /^https?:\/\/./u.test(text) && URL.canParse(text) ? text : undefined));
const id = z.int().transform(String);
const count = z.int().min(0);
const tags = z
  .array(z.string())
  .nullish()
  .transform((list) => list ?? []);

/** A page of rows. */
export interface Rows<T> extends ReadRows<T> {
  /** The start of the next page; absent at the end. */
  readonly cursor: string | undefined;
}

/** A game in a response. */
export type GameRow = Omit<Game, 'fetchedAt'>;

const CategoryRow = z.object({ id, name: z.string(), thumbnail: picture }).transform((wire): GameRow => ({
  platform: 'kick',
  id: wire.id,
  url: `https://kick.com/category/${slugOf(wire.name)}`,
  name: wire.name,
  boxArtUrl: wire.thumbnail,
}));

/** A live stream, and its full game. */
export interface LiveRow {
  readonly stream: Omit<Stream, 'fetchedAt' | 'thumbnailUrl'> & { readonly thumbnail: string | undefined };
  readonly game: GameRow | undefined;
}

const LivestreamRow = z
  .object({
    broadcaster_user: z.object({ id, username: z.string(), profile_picture: picture }),
    channel: z.object({ slug: z.string() }),
    category: CategoryRow.nullish(),
    title: z.string(),
    language_code: filled,
    tags,
    started_at: instant,
    thumbnail: picture,
    viewer_count: count,
    has_mature_content: z.boolean().nullish(),
  })
  .transform((wire) => {
    const { id: userId, username, profile_picture: avatarUrl } = wire.broadcaster_user;
    const owner = { id: userId, slug: wire.channel.slug, name: username, avatarUrl };
    return toLive(owner, {
      title: wire.title,
      category: wire.category,
      language: wire.language_code,
      tags: wire.tags,
      startedAt: wire.started_at,
      thumbnail: wire.thumbnail,
      viewerCount: wire.viewer_count,
      mature: wire.has_mature_content,
    });
  });

const ChannelRow = z
  .object({
    broadcaster_user_id: id,
    slug: z.string(),
    channel_description: filled,
    banner_picture: picture,
    stream_title: z.string().nullish(),
    category: CategoryRow.nullish(),
    stream: z
      .object({
        is_live: z.boolean(),
        is_mature: z.boolean().nullish(),
        language: filled,
        start_time: instant,
        thumbnail: picture,
        viewer_count: count,
        custom_tags: tags,
      })
      .nullish(),
  })
  .transform((wire) => ({
    userId: wire.broadcaster_user_id,
    slug: wire.slug,
    bio: wire.channel_description,
    bannerUrl: wire.banner_picture,
    live: wire.stream?.is_live
      ? {
          title: wire.stream_title ?? '',
          category: wire.category?.id === '0' ? undefined : wire.category,
          language: wire.stream.language,
          tags: wire.stream.custom_tags,
          startedAt: wire.stream.start_time,
          thumbnail: wire.stream.thumbnail,
          viewerCount: wire.stream.viewer_count,
          mature: wire.stream.is_mature,
        }
      : undefined,
  }));
export type ChannelRow = z.output<typeof ChannelRow>;

const UserRow = z
  .object({ user_id: id, name: z.string(), profile_picture: picture })
  .transform((wire) => ({ id: wire.user_id, name: wire.name, avatarUrl: wire.profile_picture }));
export type UserRow = z.output<typeof UserRow>;

export const LiveRows = rowsOf(LivestreamRow);
export const ChannelRows = rowsOf(ChannelRow, ['broadcaster_user_id', 'slug']);
export const UserRows = rowsOf(UserRow, ['user_id']);
export const CategoryRows = rowsOf(CategoryRow);

function rowsOf<T>(row: z.ZodType<T>, named?: readonly string[]): z.ZodType<Rows<T>> {
  return z
    .object({ data: readRows(row, { isRequired: true, named }), pagination: z.object({ next_cursor: filled }).nullish() })
    .transform(({ data, pagination }) => ({ ...data, cursor: pagination?.next_cursor }));
}

interface Owner {
  readonly id: string;
  readonly slug: string;
  readonly name: string;
  readonly avatarUrl?: string | undefined;
  readonly bannerUrl?: string | undefined;
}

/** The stream of a live channel. Only one of Kick's lists has stream ids, so the id is made from the channel and the start. */
export function toLive(owner: Owner, live: NonNullable<ChannelRow['live']>): LiveRow {
  const url = channelUrl(owner.slug);
  const game = live.category ?? undefined;
  return {
    game,
    stream: {
      platform: 'kick',
      id: `${owner.id}:${Math.floor(live.startedAt.getTime() / 1000)}`,
      url,
      owner: {
        platform: 'kick',
        id: owner.id,
        url,
        handle: owner.slug,
        displayName: owner.name,
        avatarUrl: owner.avatarUrl,
        bannerUrl: owner.bannerUrl,
      },
      game: game && { platform: 'kick', id: game.id, url: game.url, name: game.name, boxArtUrl: game.boxArtUrl },
      title: live.title,
      viewerCount: live.viewerCount,
      startedAt: live.startedAt,
      language: live.language?.toLowerCase(),
      tags: live.tags,
      mature: live.mature ?? undefined,
      thumbnail: live.thumbnail,
    },
  };
}

/** The stream of a row at `fetchedAt`. */
export function toStream({ stream: { thumbnail, ...stream } }: LiveRow, fetchedAt: Date): Stream {
  // The picture changes at the same address.
  const thumbnailUrl = thumbnail && `${thumbnail}${thumbnail.includes('?') ? '&' : '?'}t=${fetchedAt.getTime()}`;
  return { ...stream, thumbnailUrl, fetchedAt };
}

export function channelUrl(slug: string): string {
  return `https://kick.com/${slug}`;
}

/** The name of a category in addresses of the site. */
function slugOf(name: string): string {
  const plain = name.toLowerCase().replaceAll(/['’]/g, '');
  return plain.replaceAll(/[^\p{L}\p{N}]+/gu, '-').replaceAll(/^-|-$/g, '');
}
