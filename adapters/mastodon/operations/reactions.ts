import type { MastodonContext, Primitives } from '../context.ts';
import { isFault, rejected } from '../faults.ts';
import { PollRow } from '../wire/poll.ts';
import { toPost, type StatusRow } from '../wire/status.ts';

type Name =
  | 'likePost'
  | 'unlikePost'
  | 'repostPost'
  | 'deleteRepost'
  | 'pinPost'
  | 'unpinPost'
  | 'bookmarkPost'
  | 'unbookmarkPost'
  | 'votePoll';
type Reacting = Pick<Primitives, Name>;
type Say = Reacting['likePost'];

/** What the signed-in account says to posts by a click. */
export function reactionsOperations({ api, statuses }: MastodonContext): Reacting {
  function saying(verb: string, scope: string, budget?: string): Say {
    return async ({ post }, { signal }) => {
      const id = await statuses.idOf(post, signal);
      await api.send({ method: 'POST', path: `/api/v1/statuses/${encodeURIComponent(id)}/${verb}`, scope, budget, signal });
      return true;
    };
  }

  const pin = saying('pin', 'write:accounts');
  const vote = async (pollId: string, choices: readonly number[], signal: AbortSignal | undefined): Promise<PollRow> => {
    const path = `/api/v1/polls/${encodeURIComponent(pollId)}/votes`;
    return (await api.send({ method: 'POST', path, json: { choices }, scope: 'write:statuses', signal })).json(PollRow);
  };

  return {
    likePost: saying('favourite', 'write:favourites'),
    unlikePost: saying('unfavourite', 'write:favourites'),
    repostPost: saying('reblog', 'write:statuses'),
    deleteRepost: saying('unreblog', 'write:statuses', 'deletes'),
    unpinPost: saying('unpin', 'write:accounts'),
    bookmarkPost: saying('bookmark', 'write:bookmarks'),
    unbookmarkPost: saying('unbookmark', 'write:bookmarks'),

    async pinPost(params, options) {
      try {
        return await pin(params, options);
      } catch (error) {
        if (!isFault(error, 'rejected')) throw error;
        // A server refuses to pin what is pinned.
        if ((await statuses.find(params.post, options.signal)).pinned) return true;
        throw rejected('this post cannot be pinned: it has to be one of your own that others see, and a server takes about five.', error);
      }
    },

    async votePoll({ post, choices }, { signal }) {
      const row = await statuses.find(post, signal);
      const subject = row.reblog ?? row;
      if (!subject.poll) throw rejected('this post has no poll.');
      const { poll, ownVotes, voted } = subject.poll;
      if (voted && isSame(ownVotes, choices)) return toPost(row, api.now());
      if (voted) throw rejected('you have voted in this poll, and a vote cannot be changed.');
      if (poll.closed) throw rejected('this poll is closed.');
      const after = await vote(poll.id ?? '', [...new Set(choices)], signal).catch(async (error: unknown) => {
        if (!isFault(error, 'rejected')) throw error;
        // Of a vote whose answer was lost, the repeat is refused.
        const now = await statuses.find(post, signal);
        const known = (now.reblog ?? now).poll;
        if (!known?.voted || !isSame(known.ownVotes, choices)) throw error;
        return known;
      });
      return toPost(withPoll(row, after), api.now());
    },
  };
}

function withPoll(row: StatusRow, poll: PollRow): StatusRow {
  return row.reblog ? { ...row, reblog: { ...row.reblog, poll } } : { ...row, poll };
}

function isSame(some: readonly number[], others: readonly number[]): boolean {
  return [...new Set(some)].toSorted((a, b) => a - b).join() === [...new Set(others)].toSorted((a, b) => a - b).join();
}
