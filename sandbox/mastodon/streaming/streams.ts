import { z } from 'zod';
import type { JsonObject } from '#src/clients/operation/json.ts';
import type { StoredPost } from '../../social/posts.ts';
import type { Versioned } from '../../social/push/differences.ts';
import { conversationsOf, notificationId, notificationsFor, toConversation, toNotification } from '../inbox-routes.ts';
import { findList, postsOfList } from '../list-routes.ts';
import type { SignedInRequest } from '../request.ts';
import { postsTagged, toStatus } from '../status-json.ts';
import { homeTimeline } from '../timeline-routes.ts';
import { visibilityOf } from '../visibility.ts';

/** A subscription of a client. */
export const Subscription = z.union([
  z.object({ stream: z.enum(['user', 'user:notification', 'direct', 'public']) }),
  z.object({ stream: z.literal('list'), list: z.union([z.string(), z.number()]).transform(String) }),
  z.object({ stream: z.literal('hashtag'), tag: z.string().min(1) }),
]);
export type Subscription = z.output<typeof Subscription>;

/** The stream as events name it. */
export function partsOf(subscription: Subscription): readonly string[] {
  if (subscription.stream === 'list') return ['list', subscription.list];
  return subscription.stream === 'hashtag' ? ['hashtag', subscription.tag] : [subscription.stream];
}

/** Something that a stream announces. */
export interface Announced extends Versioned {
  readonly kind: 'status' | 'notification' | 'conversation';
  /** The id in a `delete`. */
  readonly statusId: string;
  readonly payload: () => JsonObject;
}

/** What a stream has now, newest first; undefined if the viewer has no such stream. */
export function contentOf(subscription: Subscription, request: SignedInRequest): readonly Announced[] | undefined {
  const statuses = (posts: readonly StoredPost[]): readonly Announced[] => posts.map((post) => status(post, request));
  switch (subscription.stream) {
    case 'user':
      return [...statuses(homeTimeline(request)), ...notifications(request)];
    case 'user:notification':
      return notifications(request);
    case 'direct':
      return conversations(request);
    case 'public':
      return statuses(request.snapshot.feed.all().filter((post) => visibilityOf(post, request.state) === 'public'));
    case 'hashtag':
      return statuses(postsTagged(subscription.tag, request));
    case 'list': {
      const list = findList(subscription.list, request);
      return list && statuses(postsOfList(list, request));
    }
  }
}

function status(post: StoredPost, request: SignedInRequest): Announced {
  const statusId = request.state.ids.status(post);
  return { kind: 'status', id: post.id, version: String(post.editedAtMs ?? 0), statusId, payload: () => toStatus(post, request) };
}

function notifications(request: SignedInRequest): readonly Announced[] {
  return notificationsFor(request)
    .filter(({ fromId }) => request.snapshot.people.find(fromId) !== undefined)
    .map((one) => ({
      kind: 'notification',
      id: `notification ${notificationId(one, request)}`,
      version: '',
      statusId: '',
      payload: () => toNotification(one, request)[0] ?? {},
    }));
}

function conversations(request: SignedInRequest): readonly Announced[] {
  return conversationsOf(request).map((one) => ({
    kind: 'conversation',
    id: one.root.id,
    version: one.last.id,
    statusId: '',
    payload: () => toConversation(one, request),
  }));
}
