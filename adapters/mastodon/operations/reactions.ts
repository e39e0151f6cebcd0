import { z } from 'zod';
import { maybe } from '#src/http/lenient.ts';
import type { HttpResponse } from '#src/http/client.ts';
import { ignoreFaults, isFault } from '#src/http/errors.ts';
import type { AccountContext, Primitives } from '../account-context.ts';
import { rejected, untilUndone } from '../errors.ts';
import { PollRow, type StatusRow, toPost } from '../wire/status.ts';

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
type Write = Reacting['likePost'];
type Flag = 'favourited' | 'reblogged' | 'bookmarked' | 'pinned';

interface Sending {
  readonly scope: string;
  readonly budget?: string | undefined;
  readonly creates?: true;
  readonly signal: AbortSignal | undefined;
}

const Stated = {
  favourited: maybe(z.boolean()),
  reblogged: maybe(z.boolean()),
  bookmarked: maybe(z.boolean()),
  pinned: maybe(z.boolean()),
};
/** The state of a status for the signed-in account, as far as the response contains it. */
const Flags = z.object(Stated);

const Answer = z.object({ ...Stated, reblog: maybe(Flags) });

/** Whether an answer states that a state is not set. */
function isRefused(answer: HttpResponse, name: Flag): boolean {
  const { reblog, ...status } = answer.json(Answer);
  const stated = [status[name], reblog?.[name]].filter((one) => one !== undefined);
  return stated.length > 0 && !stated.includes(true);
}

/** Likes, boosts, bookmarks, pins and votes of the signed-in account. */
export function reactionsOperations({ api, statuses }: AccountContext): Reacting {
  const send = async (id: string, verb: string, request: Sending): Promise<HttpResponse> =>
    api.send({ method: 'POST', path: `/api/v1/statuses/${encodeURIComponent(id)}/${verb}`, ...request });

  /** Sets a state unless it is already set: on some servers, as GoToSocial, a repeat makes another boost. */
  function doing(verb: string, name: Flag, scope: string): Write {
    return async ({ post }, { signal }) => {
      const row = await statuses.find(post, signal);
      if ((row.reblog ?? row)[name]) return true;
      try {
        const answer = await send(row.id, verb, { scope, creates: true, signal });
        if (isRefused(answer, name) && !(await isSet())) throw rejected(`the server did not ${verb} the post.`);
      } catch (error) {
        if (!isFault(error, 'unanswered', 'malformed') || !(await isSet())) throw error;
      }
      return true;

      async function isSet(): Promise<boolean> {
        const now = await statuses.find(post, signal);
        return (now.reblog ?? now)[name] === true;
      }
    };
  }

  /** Undoes a state, as often as it was set. */
  function undoing(verb: string, name: Flag, { scope, budget }: { readonly scope: string; readonly budget?: string }): Write {
    return async ({ post }, { signal }) => {
      // A post that is gone has no reactions.
      const id = await ignoreFaults(statuses.idOf(post, signal), 'missing');
      if (id === undefined) return true;
      const isLeft = async (): Promise<boolean> =>
        (await ignoreFaults(send(id, verb, { scope, budget, signal }), 'missing'))?.json(Flags)[name] === true;
      return untilUndone(isLeft, `the post is still ${name} after ${verb}`);
    };
  }

  const pin = doing('pin', 'pinned', 'write:accounts');
  const vote = async (pollId: string, choices: readonly number[], signal: AbortSignal | undefined): Promise<PollRow> => {
    const path = `/api/v1/polls/${encodeURIComponent(pollId)}/votes`;
    return (await api.send({ method: 'POST', path, json: { choices }, scope: 'write:statuses', creates: true, signal })).json(PollRow);
  };

  return {
    likePost: doing('favourite', 'favourited', 'write:favourites'),
    unlikePost: undoing('unfavourite', 'favourited', { scope: 'write:favourites' }),
    repostPost: doing('reblog', 'reblogged', 'write:statuses'),
    deleteRepost: undoing('unreblog', 'reblogged', { scope: 'write:statuses', budget: 'deletes' }),
    unpinPost: undoing('unpin', 'pinned', { scope: 'write:accounts' }),
    bookmarkPost: doing('bookmark', 'bookmarked', 'write:bookmarks'),
    unbookmarkPost: undoing('unbookmark', 'bookmarked', { scope: 'write:bookmarks' }),

    async pinPost(params, options) {
      try {
        return await pin(params, options);
      } catch (error) {
        if (!isFault(error, 'rejected')) throw error;
        throw rejected('this post cannot be pinned: only public posts of the account can be pinned, and most servers allow five.', error);
      }
    },

    async votePoll({ post, choices }, { signal }) {
      const row = await statuses.find(post, signal);
      const subject = row.reblog ?? row;
      if (!subject.poll) throw rejected('this post has no poll.');
      const { poll, chosen, voted } = subject.poll;
      if (voted && isSame(chosen, choices)) return toPost(row, api.now());
      if (voted) throw rejected('the account has already voted in this poll, and votes cannot be changed.');
      if (poll.closed) throw rejected('this poll is closed.');
      const counted = async (): Promise<PollRow | undefined> => {
        const now = await statuses.find(post, signal);
        const known = (now.reblog ?? now).poll;
        return known?.voted && isSame(known.chosen, choices) ? known : undefined;
      };
      const answered = await vote(poll.id ?? '', [...new Set(choices)], signal).catch(async (error: unknown) => {
        // If the response was lost, the vote may exist. The server then refuses a repeat.
        const known = isFault(error, 'rejected', 'unanswered') ? await counted() : undefined;
        if (!known) throw error;
        return known;
      });
      const after = answered.isRefused ? await counted() : answered;
      if (!after) throw rejected('the server did not count the vote.');
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
