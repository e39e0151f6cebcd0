import type * as reactionTopic from '#src/clients/social/reactions.ts';
import type { PrimitivesOf } from '#src/clients/social/social.ts';
import type { StoredPost } from '../posts.ts';
import type { ReactionKind } from '../reactions.ts';
import { toPost } from '../records.ts';
import { Refusal } from '../refusal.ts';
import { type SocialRequest, postIdOf, requirePost, requireViewerPost } from '../request.ts';

const MOST_PINS = 5;

/** Reactions, bookmarks and votes of the signed-in account. */
export function reactionsOperations(request: SocialRequest): PrimitivesOf<typeof reactionTopic> {
  const { snapshot, viewer } = request;
  const { bookmarks, reactions, votes, now } = snapshot;

  function react(kind: ReactionKind, { id }: StoredPost, on: boolean): true {
    reactions.set(kind, { userId: viewer.id, postId: id }, { on, atMs: now.getTime() });
    return true;
  }

  /** A post that is gone has no reactions. */
  function undo(kind: ReactionKind, post: string): true {
    const found = snapshot.feed.find(postIdOf(post, snapshot));
    return found ? react(kind, kind === 'pin' ? requireViewerPost(request, post) : requirePost(request, post), false) : true;
  }

  return {
    likePost: async ({ post }) => react('like', requirePost(request, post), true),
    unlikePost: async ({ post }) => undo('like', post),
    repostPost: async ({ post }) => react('repost', requirePost(request, post), true),
    deleteRepost: async ({ post }) => undo('repost', post),
    unpinPost: async ({ post }) => undo('pin', post),

    async pinPost({ post: id }) {
      const post = requireViewerPost(request, id);
      const others = reactions.by('pin', viewer.id).filter(({ postId }) => postId !== post.id && snapshot.feed.find(postId));
      if (others.length >= MOST_PINS) throw new Refusal(422, 'too_many_pins', `At most ${MOST_PINS} posts can be pinned.`);
      return react('pin', post, true);
    },

    async bookmarkPost({ post }) {
      bookmarks.add(viewer.id, requirePost(request, post).id);
      return true;
    },

    async unbookmarkPost({ post }) {
      bookmarks.remove(viewer.id, postIdOf(post, snapshot));
      return true;
    },

    async votePoll({ post: id, choices }) {
      const post = requirePost(request, id);
      const vote = { userId: viewer.id, postId: post.id, choices: [...new Set(choices)].toSorted((a, b) => a - b) };
      const earlier = votes.find(vote);
      if (earlier && String(earlier.choices) === String(vote.choices)) return toPost(post, snapshot);
      if (earlier) throw new Refusal(422, 'voted_already', 'A vote cannot be changed.');
      const { poll } = post;
      if (!poll) throw new Refusal(422, 'no_poll', 'This post has no poll.');
      if (now.getTime() >= poll.endsAtMs) throw new Refusal(422, 'poll_closed', 'This poll is closed.');
      if (vote.choices.some((index) => index >= poll.options.length)) throw new Refusal(422, 'no_such_option', 'There is no such answer.');
      if (vote.choices.length > 1 && !poll.multiple) throw new Refusal(422, 'one_choice', 'This poll takes one answer.');
      votes.add(vote);
      return toPost(post, snapshot);
    },
  };
}
