import { conversationOf } from '../../../social/conversations.ts';
import type { StoredPost } from '../../../social/posts.ts';
import { toStatus } from '../../entities/status.ts';
import { MOST_PINS } from '../../posts/bounds.ts';
import { findStatus, requireOriginal, requireStatus } from '../../posts/finding.ts';
import { visibilityOf } from '../../posts/visibility.ts';
import { invalid, notAllowed, recordNotFound } from '../../refusal.ts';
import { end, establish } from '../../repeats.ts';
import { anew, json, spend, type UserVisit } from '../../visit.ts';
import { nowhere, signedIn, type Routes } from '../api.ts';

type Change = (post: StoredPost, found: UserVisit) => void;

/** What readers do with posts. */
export function reactingRoutes(routes: Routes): void {
  const said =
    (kind: 'like' | 'pin', on: boolean): Change =>
    ({ id: postId }, found) => {
      const { moment, viewer } = found;
      const place = { userId: viewer.id, postId };
      const say = (): void => moment.reactions.set(kind, place, { on, atMs: moment.now.getTime() });
      const repeated = { kind: kind === 'like' ? 'favourite' : kind, target: postId } as const;
      if (on) establish(found, { ...repeated, isSet: moment.reactions.find(kind, place) === true, set: say });
      else end(found, { ...repeated, unset: say });
    };

  change(routes, 'favourite', 'write:favourites', said('like', true));
  change(routes, 'unfavourite', 'write:favourites', said('like', false));
  change(routes, 'bookmark', 'write:bookmarks', ({ id }, found) => {
    const { bookmarks } = found.moment;
    const isSet = bookmarks.has(found.viewer.id, id);
    establish(found, { kind: 'bookmark', target: id, isSet, set: () => bookmarks.add(found.viewer.id, id) });
  });
  change(routes, 'unbookmark', 'write:bookmarks', ({ id }, found) =>
    end(found, { kind: 'bookmark', target: id, unset: () => found.moment.bookmarks.remove(found.viewer.id, id) }),
  );
  change(routes, 'mute', 'write:mutes', (post, { ground, viewer, moment }) =>
    ground.marks.set({ kind: 'muteThread', userId: viewer.id, target: conversationOf(post, moment.feed), atMs: moment.now.getTime() }),
  );
  change(routes, 'unmute', 'write:mutes', (post, { ground, viewer, moment }) =>
    ground.marks.drop('muteThread', viewer.id, conversationOf(post, moment.feed)),
  );
  change(routes, 'unpin', 'write:accounts', (post, found) => {
    if (post.authorId === found.viewer.id) said('pin', false)(post, found);
  });
  change(routes, 'unreblog', 'write:statuses', ({ id: postId }, found) => {
    const { moment, viewer } = found;
    const unset = (): void => moment.reactions.set('repost', { userId: viewer.id, postId }, { on: false, atMs: moment.now.getTime() });
    end(found, { kind: 'reblog', target: postId, unset });
  });

  routes.post(
    '/v1/statuses/:id/pin',
    signedIn('write:accounts', (found, c) => {
      const post = requireStatus(c.req.param('id') ?? '', found);
      checkPin(post, found);
      said('pin', true)(post, found);
      return json(found, toStatus(post, anew(found)));
    }),
  );

  routes.post(
    '/v1/statuses/:id/reblog',
    signedIn('write:statuses', (found, c) => json(found, reblog(requireOriginal(c.req.param('id') ?? '', found), found))),
  );

  routes.post(
    '/v1/statuses/:id/quotes/:quoting/revoke',
    signedIn('write:statuses', (found, c) => {
      if (!found.ground.settings.features.hasQuotes) return nowhere(found.ground);
      const post = requireOriginal(c.req.param('id') ?? '', found);
      const quoting = findStatus(c.req.param('quoting') ?? '', found);
      if (quoting?.quote !== post.id) throw recordNotFound();
      if (post.authorId !== found.viewer.id) throw notAllowed();
      found.ground.marks.set({ kind: 'quoteRevoked', userId: found.viewer.id, target: quoting.id, atMs: found.moment.now.getTime() });
      return json(found, toStatus(quoting, anew(found)));
    }),
  );
}

function change(routes: Routes, name: string, scope: string, apply: Change): void {
  routes.post(
    `/v1/statuses/:id/${name}`,
    signedIn(scope, (found, c) => {
      const post = requireOriginal(c.req.param('id') ?? '', found);
      apply(post, found);
      return json(found, toStatus(post, anew(found)));
    }),
  );
}

function checkPin(post: StoredPost, { viewer, ground, moment }: UserVisit): void {
  if (post.repostOf !== undefined) throw invalid('pinBoost');
  if (post.authorId !== viewer.id) throw invalid('pinOthers');
  if (visibilityOf(post, ground) === 'direct') throw invalid('pinDirect');
  const others = moment.reactions.by('pin', viewer.id).filter(({ postId }) => postId !== post.id && moment.feed.find(postId));
  if (others.length >= MOST_PINS) throw invalid('pinLimit');
}

/** The boost; whoever does it again gets the first one. */
function reblog(post: StoredPost, found: UserVisit): ReturnType<typeof toStatus> {
  const { ground, viewer, moment } = found;
  const visibility = visibilityOf(post, ground);
  const isOwn = post.authorId === viewer.id;
  if (visibility === 'direct' || (visibility === 'private' && !isOwn)) throw notAllowed();
  const place = { userId: viewer.id, postId: post.id };
  const isSet = moment.reactions.find('repost', place) === true;
  const set = (): void => {
    if (isSet) return;
    spend(found, 'statuses', viewer.id);
    moment.reactions.set('repost', place, { on: true, atMs: moment.now.getTime() });
  };
  establish(found, { kind: 'reblog', target: post.id, isSet, set });
  const number = moment.reactions.on('repost', post.id).find(({ userId }) => userId === viewer.id)?.number;
  const after = anew(found);
  const boost = after.moment.feed.find(`repost-${number}`);
  if (!boost) throw recordNotFound();
  return toStatus(boost, after);
}
