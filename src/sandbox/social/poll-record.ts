import type { Poll } from '#src/social/records/post.ts';
import type { StoredPost } from './posts.ts';
import type { Moment } from './moment.ts';

/** The poll of a post as it stands: the people vote evenly until it ends, and who votes through the API counts at once. */
export function pollOf({ id, poll, createdAtMs }: StoredPost, { now, votes }: Moment): Poll | undefined {
  if (!poll) return undefined;
  const { options, endsAtMs, multiple } = poll;
  const elapsed = Math.min(1, Math.max(0, (now.getTime() - createdAtMs) / (endsAtMs - createdAtMs)));
  const said = votes.on(id);
  const counts = options.map(
    ({ crowd }, index) => Math.floor(crowd * elapsed) + said.filter(({ choices }) => choices.includes(index)).length,
  );
  return {
    id,
    options: options.map(({ label }, index) => ({ index, label, votes: counts[index] })),
    totalVotes: sum(counts),
    // Each of the people has one vote.
    voters: sum(options.map(({ crowd }) => Math.floor(crowd * elapsed))) + said.length,
    endsAt: new Date(endsAtMs),
    closed: now.getTime() >= endsAtMs,
    multiple,
  };
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
