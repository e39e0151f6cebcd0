import { z } from 'zod';
import type { User } from '#src/clients/streaming/records.ts';
import { channelUrl, filled, instant, type Row, rowsOf } from './rows.ts';

const verified = { partner: 'partner', affiliate: 'affiliate', '': 'none' } as const;

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

export const UserRows = rowsOf(UserRow);

/** A channel that a search found. */
const ChannelRow = z.object({ id: z.string(), is_live: z.boolean() }).transform((wire) => ({ id: wire.id, isLive: wire.is_live }));

export const ChannelRows = rowsOf(ChannelRow);
