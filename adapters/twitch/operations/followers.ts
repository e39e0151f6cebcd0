import { ignoreFaults } from '#src/http/errors.ts';
import type { Channel } from '../auth/channel.ts';
import { READ_FOLLOWERS } from '../auth/scopes.ts';
import { type ChannelHelix, MOST_ROWS, type Primitives } from '../client.ts';
import type { UserNames } from './users.ts';
import { FollowerRows, FollowerTotal } from '../wire/follower.ts';

const PATH = '/channels/followers';

/** The followers of the signed-in channel, newest first, or one of them. */
export function followers(channel: Channel, helix: ChannelHelix, names: UserNames): Primitives['getFollowers'] {
  return async ({ user }, { cursor, signal }) => {
    const userId = user === undefined ? undefined : await names.idOf(user, signal);
    const answer = await channel.authorized(READ_FOLLOWERS, signal, (token, id) =>
      helix.get(token, PATH, { broadcaster_id: id, user_id: userId, first: MOST_ROWS, after: cursor }, signal),
    );
    const { rows, partialErrors, cursor: next } = answer.response.json(FollowerRows);
    return { items: rows.map((row) => ({ ...row, fetchedAt: answer.fetchedAt })), partialErrors, cursor: next };
  };
}

/** The number of followers of a channel; undefined if it is not the signed-in one. */
export function followerCountOf(channel: Channel, helix: ChannelHelix) {
  return async (userId: string, signal: AbortSignal | undefined): Promise<number | undefined> => {
    if ((await channel.id()) !== userId) return undefined;
    const reading = channel.authorized(READ_FOLLOWERS, signal, (token, id) =>
      helix.get(token, PATH, { broadcaster_id: id, first: 1 }, signal),
    );
    // Without the signed-in channel, only the number of followers is absent.
    return (await ignoreFaults(reading, 'forbidden'))?.response.json(FollowerTotal).total;
  };
}
