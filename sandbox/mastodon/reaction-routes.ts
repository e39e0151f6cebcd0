import type { StoredPost } from '../social/posts.ts';
import { end, establish } from './duplicates.ts';
import { invalid, notAllowed, recordNotFound } from './refusal.ts';
import {
  postNameOf,
  refreshed,
  requireOriginal,
  requireStatus,
  type MastodonRequest,
  type Routes,
  type SignedInRequest,
} from './request.ts';
import { toPoll, toStatus } from './status-json.ts';
import { visibilityOf } from './visibility.ts';

const MOST_PINS = 5;

/** The reactions of the viewer to posts, and the votes in polls. */
export function reactionRoutes(routes: Routes): void {
  addReaction(routes, 'favourite', 'write:favourites', (post, request) => react('like', post, request));
  addReaction(routes, 'unfavourite', 'write:favourites', (post, request) => unreact('like', post, request));
  addReaction(routes, 'bookmark', 'write:bookmarks', ({ id }, request) => {
    const { bookmarks } = request.snapshot;
    const isSet = bookmarks.has(request.viewer.id, id);
    establish(request, { kind: 'bookmark', target: id, isSet, set: () => bookmarks.add(request.viewer.id, id) });
  });
  addReaction(routes, 'unbookmark', 'write:bookmarks', ({ id }, request) =>
    end(request, { kind: 'bookmark', target: id, unset: () => request.snapshot.bookmarks.remove(request.viewer.id, id) }),
  );
  addReaction(routes, 'unpin', 'write:accounts', (post, request) => unreact('pin', post, request));
  addReaction(routes, 'unreblog', 'write:statuses', (post, request) => unreact('repost', post, request));

  routes.signedIn('POST /v1/statuses/:id/pin', 'write:accounts', (request) => {
    const { viewer, state, snapshot } = request;
    const post = requireStatus(request.param('id'), request);
    if (post.repostOf !== undefined) throw invalid('A boost cannot be pinned');
    if (post.authorId !== viewer.id) throw invalid("Someone else's post cannot be pinned");
    if (visibilityOf(post, state) === 'direct') throw invalid('Posts that are only visible to mentioned users cannot be pinned');
    const others = snapshot.reactions.by('pin', viewer.id).filter(({ postId }) => postId !== post.id && snapshot.feed.find(postId));
    if (others.length >= MOST_PINS) throw invalid('You have already pinned the maximum number of posts');
    react('pin', post, request);
    return toStatus(post, refreshed(request));
  });

  routes.signedIn('POST /v1/statuses/:id/reblog', 'write:statuses', (request) => {
    const { viewer, state, snapshot } = request;
    const post = requireOriginal(request.param('id'), request);
    const visibility = visibilityOf(post, state);
    if (visibility === 'direct' || (visibility === 'private' && post.authorId !== viewer.id)) throw notAllowed();
    react('repost', post, request);
    const number = snapshot.reactions.on('repost', post.id).find(({ userId }) => userId === viewer.id)?.number;
    const after = refreshed(request);
    const boost = after.snapshot.feed.find(`repost-${number}`);
    if (!boost) throw recordNotFound();
    return toStatus(boost, after);
  });

  routes.open('GET /v1/polls/:id', (request) => toPoll(requirePollPost(request), request) ?? {});

  routes.signedIn('POST /v1/polls/:id/votes', 'write:statuses', (request) => {
    const { viewer, snapshot, fields } = request;
    const post = requirePollPost(request);
    const choices = [...new Set(fields.texts('choices').map(Number))];
    const vote = { userId: viewer.id, postId: post.id };
    const hasVoted = snapshot.votes.find(vote) !== undefined;
    const set = (): void => {
      checkVote(choices, post, hasVoted, request);
      snapshot.votes.add({ ...vote, choices: choices.toSorted((a, b) => a - b) });
    };
    establish(request, { kind: 'vote', target: post.id, isSet: hasVoted, set });
    return toPoll(post, refreshed(request)) ?? {};
  });
}

type Apply = (post: StoredPost, request: SignedInRequest) => void;

function addReaction(routes: Routes, name: string, scope: string, apply: Apply): void {
  routes.signedIn(`POST /v1/statuses/:id/${name}`, scope, (request) => {
    const post = requireOriginal(request.param('id'), request);
    apply(post, request);
    return toStatus(post, refreshed(request));
  });
}

const KINDS = { like: 'favourite', pin: 'pin', repost: 'reblog' } as const;

function react(kind: keyof typeof KINDS, { id: postId }: StoredPost, request: SignedInRequest): void {
  const { snapshot, viewer, nowMs } = request;
  const reaction = { userId: viewer.id, postId };
  const isSet = snapshot.reactions.find(kind, reaction) === true;
  const set = (): void => snapshot.reactions.set(kind, reaction, { on: true, atMs: nowMs });
  establish(request, { kind: KINDS[kind], target: postId, isSet, set });
}

function unreact(kind: keyof typeof KINDS, { id: postId }: StoredPost, request: SignedInRequest): void {
  const { snapshot, viewer, nowMs } = request;
  const unset = (): void => snapshot.reactions.set(kind, { userId: viewer.id, postId }, { on: false, atMs: nowMs });
  end(request, { kind: KINDS[kind], target: postId, unset });
}

function requirePollPost(request: MastodonRequest): StoredPost {
  const post = request.snapshot.feed.find(postNameOf(request.param('id'), request, 'poll') ?? '');
  if (!post?.poll) throw recordNotFound();
  return post;
}

function checkVote(
  choices: readonly number[],
  { authorId, poll }: StoredPost,
  hasVoted: boolean,
  { viewer, nowMs }: SignedInRequest,
): void {
  if (!poll || nowMs >= poll.endsAtMs) throw invalid('The poll has already ended');
  if (authorId === viewer.id) throw invalid('You cannot vote in your own polls');
  const exists = (choice: number): boolean => Number.isInteger(choice) && choice >= 0 && choice < poll.options.length;
  if (choices.length === 0 || !choices.every(exists)) throw invalid('The chosen vote option does not exist');
  if (hasVoted || (choices.length > 1 && !poll.multiple)) throw invalid('You have already voted on this poll');
}
