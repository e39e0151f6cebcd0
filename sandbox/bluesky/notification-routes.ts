import { z } from 'zod';
import type { StoredPost } from '../social/posts.ts';
import { Did } from './addresses.ts';
import { authorOf } from './post-json.ts';
import { recordOf } from './post-records.ts';
import { toProfile } from './profile-json.ts';
import { invalidRequest } from './refusal.ts';
import { pageAnswer, paging, procedure, query, requireActor, type SignedInRequest, type XrpcRoute } from './request.ts';
import { mentions } from './threads.ts';

type Reason = 'mention' | 'subscribed-post';

/** `app.bsky.notification`: mentions, and the posts of people to whom the viewer has subscribed. */
export const notificationRoutes: readonly XrpcRoute[] = [
  query(
    'app.bsky.notification.listNotifications',
    { reasons: z.array(z.string()).optional(), ...paging },
    ({ reasons, ...page }, request) => {
      const { state, snapshot } = request;
      const found = snapshot.feed.all().flatMap((post) => {
        const reason = reasonOf(post, request);
        return reason && (reasons?.includes(reason) ?? true) ? [{ ...post, reason }] : [];
      });
      return pageAnswer('notifications', found, page, request, ({ reason, ...post }) => ({
        ...recordOf(post, state),
        author: toProfile(authorOf(post, request), request),
        reason,
        isRead: false,
        indexedAt: new Date(post.createdAtMs).toISOString(),
      }));
    },
  ),

  procedure(
    'app.bsky.notification.putActivitySubscription',
    z.looseObject({ subject: Did, activitySubscription: z.looseObject({ post: z.boolean(), reply: z.boolean() }) }),
    ({ subject, activitySubscription }, request) => {
      const { viewer, snapshot, nowMs } = request;
      const person = requireActor(subject, request);
      if (person.id === viewer.id) throw invalidRequest('Cannot subscribe to own activity');
      snapshot.relations.setNotify(viewer.id, person.id, activitySubscription.post, nowMs);
      return { subject, activitySubscription: { post: activitySubscription.post, reply: false } };
    },
  ),
];

/** The reason why the viewer hears of a post. */
function reasonOf(post: StoredPost, { state, snapshot, viewer }: SignedInRequest): Reason | undefined {
  if (post.authorId === viewer.id) return undefined;
  // A generated post mentions people only with an @. A record from a client can contain any facet.
  const canMention = post.text.includes('@') || state.core.written.find(post.id) !== undefined;
  if (canMention && mentions(recordOf(post, state).record, state.directory.didOf(viewer))) return 'mention';
  const sinceMs = snapshot.relations.notifiedSinceMs(viewer.id, post.authorId) ?? Infinity;
  const isFollower = snapshot.relations.follows(viewer.id, post.authorId);
  return isFollower && post.createdAtMs >= sinceMs && post.replyTo === undefined ? 'subscribed-post' : undefined;
}
