import type { StoredPost } from '../../../social/posts.ts';
import { standingPoll, toPoll, type StandingPoll } from '../../entities/poll.ts';
import { requirePollPost } from '../../posts/finding.ts';
import { invalid, recordNotFound } from '../../refusal.ts';
import { establish } from '../../repeats.ts';
import { anew, json, type UserVisit, type Visit } from '../../visit.ts';
import { anybody, signedIn, type Routes } from '../api.ts';

/** `/api/v1/polls`. */
export function pollRoutes(routes: Routes): void {
  routes.get(
    '/v1/polls/:id',
    anybody('read:statuses', (found, c) => {
      const { post, poll } = requirePoll(c.req.param('id') ?? '', found);
      return json(found, toPoll(post, poll, found));
    }),
  );

  routes.post(
    '/v1/polls/:id/votes',
    signedIn('write:statuses', (found, c) => {
      const { post, poll } = requirePoll(c.req.param('id') ?? '', found);
      const choices = [...new Set(found.fields.texts('choices').map(Number))];
      const set = (): void => {
        checkVote(choices, { post, poll }, found);
        found.moment.votes.add({ userId: found.viewer.id, postId: poll.ballot, choices: choices.toSorted((a, b) => a - b) });
      };
      const isSet = found.moment.votes.find({ userId: found.viewer.id, postId: poll.ballot }) !== undefined;
      establish(found, { kind: 'vote', target: poll.ballot, isSet, set });
      return json(found, toPoll(post, poll, anew(found)));
    }),
  );
}

interface Asked {
  readonly post: StoredPost;
  readonly poll: StandingPoll;
}

function requirePoll(id: string, found: Visit): Asked {
  const post = requirePollPost(id, found);
  const poll = standingPoll(post, found.ground);
  if (!poll) throw recordNotFound();
  return { post, poll };
}

function checkVote(choices: readonly number[], { post, poll: { poll, ballot } }: Asked, { viewer, moment }: UserVisit): void {
  if (moment.now.getTime() >= poll.endsAtMs) throw invalid('pollOver');
  if (post.authorId === viewer.id) throw invalid('pollOwn');
  const isThere = (choice: number): boolean => Number.isInteger(choice) && choice >= 0 && choice < poll.options.length;
  if (choices.length === 0 || !choices.every(isThere)) throw invalid('pollChoice');
  if (moment.votes.find({ userId: viewer.id, postId: ballot }) || (choices.length > 1 && !poll.multiple)) throw invalid('pollVoted');
}
