import type { JsonObject } from '#src/operation/json.ts';
import { pollOf } from '../../social/poll-record.ts';
import type { StoredPoll, StoredPost } from '../../social/posts.ts';
import type { Visit } from '../visit.ts';

/** A poll as it stands after edits. */
export interface StandingPoll {
  readonly poll: StoredPoll;
  /** What votes are kept under: edits that change the answers begin anew. */
  readonly ballot: string;
  readonly hideTotals: boolean;
}

/** The poll of a post; undefined where there is none, or none any more. */
export function standingPoll(post: StoredPost, { facts }: Pick<Visit['ground'], 'facts'>): StandingPoll | undefined {
  const known = facts.find(post.id);
  const edited = known?.poll;
  if (!edited) return post.poll && { poll: post.poll, ballot: post.id, hideTotals: known?.hideTotals ?? false };
  if (!edited.poll) return undefined;
  const { options, multiple, hideTotals } = edited.poll;
  const poll = { options: options.map((label) => ({ label, crowd: 0 })), endsAtMs: edited.endsAtMs, multiple };
  return { poll, ballot: `${post.id}/${edited.edition}`, hideTotals };
}

/** A poll as the viewer sees it. */
export function toPoll(post: StoredPost, { poll, ballot, hideTotals }: StandingPoll, { ground, moment, viewer }: Visit): JsonObject {
  const stands = pollOf({ ...post, id: ballot, poll }, moment);
  const vote = viewer && moment.votes.find({ userId: viewer.id, postId: ballot });
  const hidden = hideTotals && stands?.closed === false;
  return {
    id: ground.ids.poll(post),
    expires_at: new Date(poll.endsAtMs).toISOString(),
    expired: stands?.closed ?? false,
    multiple: poll.multiple,
    votes_count: stands?.totalVotes ?? 0,
    voters_count: stands?.voters ?? 0,
    options: (stands?.options ?? []).map(({ label, votes }) => ({ title: label, votes_count: hidden ? null : (votes ?? 0) })),
    emojis: [],
    ...(viewer && { voted: vote !== undefined || viewer.id === post.authorId, own_votes: vote?.choices ?? [] }),
  };
}
