import { z } from 'zod';
import type { Follower } from '#src/clients/streaming/records.ts';
import { channelUrl, instant, type Row, rowsOf } from './rows.ts';

const FollowerRow = z
  .object({ user_id: z.string(), user_login: z.string(), user_name: z.string(), followed_at: instant })
  .transform((wire): Row<Follower> => ({
    platform: 'twitch',
    id: wire.user_id,
    url: channelUrl(wire.user_login),
    handle: wire.user_login,
    displayName: wire.user_name,
    followedAt: wire.followed_at,
  }));

export const FollowerRows = rowsOf(FollowerRow);

/** The number of followers. */
export const FollowerTotal = z.object({ total: z.int().min(0) });
