import type { JsonObject } from '#src/clients/operation/json.ts';
import { conversationOf } from '../social/conversations.ts';
import { generatedReactions } from '../social/engagement.ts';
import type { StoredPost } from '../social/posts.ts';
import { toAccount, toAccounts } from './account-json.ts';
import { hashedOrder, idNumberAt, type IdNumber } from './ids.ts';
import { ACCOUNTS, idPage, pageAnswer, STATUSES } from './paging.ts';
import type { Routes, SignedInRequest } from './request.ts';
import { toStatus } from './status-json.ts';
import { mentionedIn, visibilityOf } from './visibility.ts';

/** `/api/v1/notifications` and `/api/v1/conversations`. */
export function inboxRoutes(routes: Routes): void {
  routes.signedIn('GET /v1/notifications', 'read:notifications', (request) => {
    const { fields } = request;
    const types = new Set(fields.texts('types'));
    const selected = notificationsFor(request).filter(({ type }) => types.size === 0 || types.has(type));
    const page = idPage(selected, request, ACCOUNTS, numberOf);
    const items = page.items.flatMap((notification) => toNotification(notification, request));
    return pageAnswer(request, { ...page, items });
  });

  // Mastodon pages conversations by the ids of their last statuses.
  routes.signedIn('GET /v1/conversations', 'read:statuses', (request) => {
    const { state } = request;
    const page = idPage(conversationsOf(request), request, STATUSES, ({ last }) => state.ids.numberOf(last));
    const items = page.items.map((conversation) => toConversation(conversation, request));
    return pageAnswer(request, { ...page, items });
  });
}

/** A notification on the wire; none if its sender does not exist. */
export function toNotification(notification: Notification, request: SignedInRequest): readonly JsonObject[] {
  const { type, atMs, fromId, post } = notification;
  const person = request.snapshot.people.find(fromId);
  if (!person) return [];
  const id = notificationId(notification, request);
  const account = toAccount(person, request);
  return [{ id, type, created_at: new Date(atMs).toISOString(), account, ...(post && { status: toStatus(post, request) }) }];
}

/** A conversation on the wire. */
export function toConversation({ root, last, others }: Conversation, request: SignedInRequest): JsonObject {
  const { state, viewer } = request;
  return {
    id: state.ids.related('conversation', root),
    unread: last.authorId !== viewer.id,
    accounts: toAccounts(others, request),
    last_status: toStatus(last, request),
  };
}

interface Notification {
  readonly type: 'mention' | 'status' | 'reblog' | 'follow' | 'favourite' | 'poll' | 'quote';
  readonly atMs: number;
  readonly fromId: string;
  readonly post?: StoredPost | undefined;
}

export function notificationId(notification: Notification, { state }: SignedInRequest): string {
  return state.ids.write(numberOf(notification));
}

function numberOf({ type, atMs, fromId, post }: Notification): IdNumber {
  return idNumberAt(atMs, hashedOrder(`${type} ${fromId} ${post?.id}`));
}

export function notificationsFor(request: SignedInRequest): readonly Notification[] {
  const { viewer, snapshot, state } = request;
  const follows = state.follows
    .all()
    .filter(({ userId, target }) => target === viewer.id && snapshot.relations.follows(userId, viewer.id))
    .map(({ userId, atMs }): Notification => ({ type: 'follow', atMs, fromId: userId }));
  const all = [...snapshot.feed.all().flatMap((post) => fromPost(post, request)), ...follows];
  return all.filter(({ fromId }) => fromId !== viewer.id);
}

/** The notifications that one post causes. */
function fromPost(post: StoredPost, { viewer, snapshot, state, nowMs }: SignedInRequest): readonly Notification[] {
  const { feed, relations, reactions, votes } = snapshot;
  const { id, authorId, createdAtMs, replyTo, quote, poll } = post;
  const base = { atMs: createdAtMs, fromId: authorId, post };
  if (authorId === viewer.id) {
    return (
      [
        ['like', 'favourite'],
        ['repost', 'reblog'],
      ] as const
    ).flatMap(([kind, type]): readonly Notification[] => [
      ...reactions.on(kind, id).flatMap(({ on, userId, atMs }) => (on ? [{ type, atMs, fromId: userId, post }] : [])),
      ...generatedReactions(kind, post, snapshot).map(({ person, atMs }) => ({ type, atMs, fromId: person.id, post })),
    ]);
  }
  if (mentionedIn(post.text, state).includes(viewer.id)) return [{ ...base, type: 'mention' }];
  const sinceMs = relations.notifiedSinceMs(viewer.id, authorId);
  const isReply = replyTo !== undefined && feed.find(replyTo)?.authorId !== authorId;
  const isQuote = quote !== undefined && feed.find(quote)?.authorId === viewer.id;
  const hasVoted = poll && poll.endsAtMs <= nowMs && votes.find({ userId: viewer.id, postId: id }) !== undefined;
  return [
    ...(isQuote ? [{ ...base, type: 'quote' as const }] : []),
    ...(sinceMs !== undefined && createdAtMs >= sinceMs && !isReply ? [{ ...base, type: 'status' as const }] : []),
    ...(hasVoted ? [{ ...base, type: 'poll' as const, atMs: poll.endsAtMs }] : []),
  ];
}

/** Direct posts by the post that began them. */
interface Conversation {
  readonly root: StoredPost;
  readonly last: StoredPost;
  /** The ids of the members without the viewer. */
  readonly others: readonly string[];
}

export function conversationsOf({ snapshot, state, viewer }: SignedInRequest): readonly Conversation[] {
  const direct = snapshot.feed.all().filter((post) => visibilityOf(post, state) === 'direct');
  return [...Map.groupBy(direct, (post) => conversationOf(post, snapshot.feed)).values()].flatMap((posts): Conversation[] => {
    const [last, root] = [posts.at(0), posts.at(-1)];
    const members = new Set(posts.flatMap((post) => [post.authorId, ...mentionedIn(post.text, state)]));
    return last && root ? [{ root, last, others: [...members].filter((id) => id !== viewer.id) }] : [];
  });
}
