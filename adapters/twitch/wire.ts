import { z } from 'zod';
import type { Game, Stream, User } from '#src/streaming/records.ts';

/** An empty text is Helix's way to say that there is none. */
const filled = z.string().transform((text) => text || undefined);
const instant = z.iso.datetime({ offset: true }).transform((text) => new Date(text));
const verified = { partner: 'partner', affiliate: 'affiliate', '': 'none' } as const;

/** A record as far as the answer says it. */
export type Row<T> = Omit<T, 'fetchedAt' | 'thumbnailUrl'>;

/** What every list of Helix answers with. */
export interface Rows<T> {
  readonly rows: readonly T[];
  /** Where the next answer starts; absent at the end. */
  readonly cursor: string | undefined;
}

const StreamRow = z
  .object({
    id: z.string(),
    user_id: z.string(),
    user_login: z.string(),
    user_name: z.string(),
    game_id: z.string(),
    game_name: z.string(),
    title: z.string(),
    viewer_count: z.int().min(0),
    started_at: instant,
    language: filled,
    tags: z.array(z.string()).nullish(),
    thumbnail_url: filled,
  })
  .transform((wire): Row<Stream> => {
    const url = channelUrl(wire.user_login);
    return {
      platform: 'twitch',
      id: wire.id,
      url,
      owner: { platform: 'twitch', id: wire.user_id, url, handle: wire.user_login, displayName: wire.user_name },
      game: wire.game_id === '' ? undefined : { platform: 'twitch', id: wire.game_id, url: gameUrl(wire.game_name), name: wire.game_name },
      title: wire.title,
      viewerCount: wire.viewer_count,
      startedAt: wire.started_at,
      language: wire.language?.toLowerCase(),
      tags: wire.tags ?? [],
      thumbnailTemplate: wire.thumbnail_url && toTemplate(wire.thumbnail_url),
    };
  });

const GameRow = z
  .object({ id: z.string(), name: z.string(), box_art_url: filled.optional(), igdb_id: filled.optional() })
  .transform((wire): Row<Game> => ({
    platform: 'twitch',
    id: wire.id,
    url: gameUrl(wire.name),
    name: wire.name,
    boxArtUrl: wire.box_art_url && sized(toTemplate(wire.box_art_url), 600, 800),
    igdbId: wire.igdb_id,
  }));

const UserRow = z
  .object({
    id: z.string(),
    login: z.string(),
    display_name: z.string(),
    description: filled,
    profile_image_url: filled,
    offline_image_url: filled,
    broadcaster_type: z.enum(['partner', 'affiliate', '']).catch(''),
    created_at: instant,
  })
  .transform((wire): Row<User> => ({
    platform: 'twitch',
    id: wire.id,
    url: channelUrl(wire.login),
    handle: wire.login,
    displayName: wire.display_name,
    bio: wire.description,
    avatarUrl: wire.profile_image_url,
    bannerUrl: wire.offline_image_url,
    createdAt: wire.created_at,
    verified: verified[wire.broadcaster_type],
  }));

export const StreamRows = rowsOf(StreamRow);
export const GameRows = rowsOf(GameRow);
export const UserRows = rowsOf(UserRow);

function rowsOf<T>(row: z.ZodType<T>): z.ZodType<Rows<T>> {
  return z
    .object({ data: z.array(row), pagination: z.object({ cursor: z.string().optional() }).nullish() })
    .transform(({ data, pagination }) => ({ rows: data, cursor: pagination?.cursor || undefined }));
}

/** The stream that a row was at `fetchedAt`. */
export function toStream(row: Row<Stream>, fetchedAt: Date): Stream {
  const { thumbnailTemplate } = row;
  // The picture changes under the same address.
  const thumbnailUrl = thumbnailTemplate && `${sized(thumbnailTemplate, 1280, 720)}?t=${fetchedAt.getTime()}`;
  return { ...row, thumbnailUrl, fetchedAt };
}

function channelUrl(login: string): string {
  return `https://www.twitch.tv/${login}`;
}

function gameUrl(name: string): string {
  return `https://www.twitch.tv/directory/game/${encodeURIComponent(name)}`;
}

/** `%{width}` as some answers have it, and `{width}`, as `{width}`. */
function toTemplate(url: string): string {
  return url.replaceAll('%{', '{');
}

function sized(template: string, width: number, height: number): string {
  return template.replaceAll('{width}', String(width)).replaceAll('{height}', String(height));
}
