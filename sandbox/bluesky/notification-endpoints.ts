import { z } from 'zod';
import type { JsonObject } from '#src/operation/json.ts';
import type { StoredPost } from '../social/posts.ts';
import type { WorldPerson } from '../world/world.ts';
import type { Bluesky } from './core.ts';
import { Did, type Endpoints, cutPage, flag, many, paging, procedure, query, text } from './endpoint.ts';
import { invalidRequest } from './refusal.ts';
import { hears, toProfile } from './profile-view.ts';
import type { NamedRecord } from './records.ts';
import { type BlueskyView, isDetached, isTaken, mentions, reactorsOf, requireActor, selfLabels, viewOf } from './view.ts';

type Reason = 'like' | 'repost' | 'follow' | 'mention' | 'reply' | 'quote' | 'subscribed-post';

/** A notification of the viewer. */
interface Notification {
  /** The same for the same thing. */
  readonly id: string;
  readonly author: WorldPerson;
  readonly reason: Reason;
  readonly atMs: number;
  /** The viewer's own post that it is about. */
  readonly subject?: StoredPost | undefined;
  readonly record: () => NamedRecord;
}

/** The notifications of the viewer, the latest first. */
function notificationsFor(view: BlueskyView): readonly Notification[] {
  const { snapshot, viewer } = view;
  const stored = snapshot.feed.all().filter(({ authorId }) => authorId === viewer.id);
  const all = [...stored.flatMap((post) => reactionsTo(post, view)), ...writings(stored, view), ...follows(view), ...subscribed(view)];
  return all
    .filter(({ author }) => author.id !== viewer.id && !snapshot.relations.parted(viewer.id, author.id))
    .toSorted((a, b) => b.atMs - a.atMs || (a.id < b.id ? -1 : 1));
}

function reactionsTo(subject: StoredPost, view: BlueskyView): readonly Notification[] {
  return (['like', 'repost'] as const).flatMap((reason) =>
    reactorsOf(reason, subject, view).map(({ person, atMs }) => ({
      id: `${reason} ${person.id} ${subject.id}`,
      author: person,
      reason,
      atMs,
      subject,
      record: () => view.bluesky.graph.ofReaction(reason, person, subject, atMs),
    })),
  );
}

/** What others wrote to the viewer: of one post they are told once. */
function writings(stored: readonly StoredPost[], view: BlueskyView): readonly Notification[] {
  const { bluesky, snapshot, viewer } = view;
  const did = bluesky.directory.didOf(viewer);
  const byId = new Map(stored.map((post) => [post.id, post]));
  return snapshot.feed.all().flatMap((post) => {
    if (post.authorId === viewer.id) return [];
    // A generated post mentions people only with an @. A written record can contain any facet.
    const canName = post.text.includes('@') || bluesky.core.written.find(post.id) !== undefined;
    if (canName && mentions(bluesky.posts.of(post).record, did)) return toSessionJson(post, 'mention', undefined, view);
    const quoted = byId.get(post.quote ?? '');
    if (quoted && !isDetached(view, { shown: bluesky.posts.of(quoted).uri, by: bluesky.posts.of(post).uri })) {
      return toSessionJson(post, 'quote', quoted, view);
    }
    const answered = byId.get(post.replyTo ?? '');
    return answered && isTaken(view, post) ? toSessionJson(post, 'reply', answered, view) : [];
  });
}

function toSessionJson(post: StoredPost, reason: Reason, subject: StoredPost | undefined, view: BlueskyView): readonly Notification[] {
  const author = view.snapshot.people.find(post.authorId);
  if (!author) return [];
  return [{ id: `${reason} ${post.id}`, author, reason, atMs: post.createdAtMs, subject, record: () => view.bluesky.posts.of(post) }];
}

function follows(view: BlueskyView): readonly Notification[] {
  const { bluesky, snapshot, viewer } = view;
  return snapshot.relations.followersOf(viewer.id).flatMap((id): Notification[] => {
    const author = snapshot.people.find(id);
    if (!author) return [];
    const record = bluesky.graph.ofRelation('follow', author, viewer);
    return [{ id: `follow ${id}`, author, reason: 'follow', atMs: record.atMs, record: () => record }];
  });
}

/** What those wrote of whom the viewer wants to hear, and who let themselves be heard. */
function subscribed(view: BlueskyView): readonly Notification[] {
  const { bluesky, snapshot, viewer } = view;
  const requested = new Map(bluesky.subscriptions.of(viewer.id).map((subscription) => [subscription.to, subscription]));
  return snapshot.feed.all().flatMap((post) => {
    const subscription = requested.get(post.authorId);
    const author = subscription && snapshot.people.find(post.authorId);
    if (!author || post.createdAtMs < subscription.sinceMs || !hears(view, author)) return [];
    return (post.replyTo === undefined ? subscription.post : subscription.reply)
      ? toSessionJson(post, 'subscribed-post', undefined, view)
      : [];
  });
}

const SEEN = 'notifications-seen';

/** `app.bsky.notification`: notifications and activity subscriptions. */
export function notificationEndpoints(bluesky: Bluesky): Endpoints {
  const { journal } = bluesky.context;

  function seenAtMs({ viewer }: BlueskyView): number {
    const at = journal.get(SEEN, viewer.id);
    return typeof at === 'number' ? at : 0;
  }

  function toNotification({ author, reason, atMs, subject, record }: Notification, view: BlueskyView): JsonObject {
    const named = record();
    return {
      uri: named.uri,
      cid: named.cid,
      author: toProfile(author, view),
      reason,
      reasonSubject: subject && bluesky.posts.of(subject).uri,
      record: named.record,
      isRead: atMs <= seenAtMs(view),
      indexedAt: new Date(atMs).toISOString(),
      labels: selfLabels(named, { did: bluesky.directory.didOf(author), atMs }),
    };
  }

  return {
    'app.bsky.notification.listNotifications': query(
      z.object({ reasons: many(z.string()).optional(), priority: flag.optional(), seenAt: text.optional(), ...paging() }),
      ({ reasons, priority = false, limit, cursor }, call) => {
        const view = viewOf(bluesky, call);
        const requested = notificationsFor(view).filter(({ reason }) => reasons === undefined || reasons.includes(reason));
        const page = cutPage(requested, { limit, cursor }, { idOf: ({ id }) => id, fault: call.fault });
        const seenAt = seenAtMs(view) === 0 ? undefined : new Date(seenAtMs(view)).toISOString();
        return { cursor: page.cursor, notifications: page.items.map((one) => toNotification(one, view)), priority, seenAt };
      },
    ),

    'app.bsky.notification.putActivitySubscription': procedure(
      z.looseObject({ subject: Did, activitySubscription: z.looseObject({ post: z.boolean(), reply: z.boolean() }) }),
      ({ subject, activitySubscription: { post, reply } }, call) => {
        const view = viewOf(bluesky, call);
        const person = requireActor(view, subject);
        if (person.id === view.viewer.id) throw invalidRequest('Cannot subscribe to own activity');
        bluesky.subscriptions.set({ from: view.viewer.id, to: person.id, post, reply, sinceMs: call.nowMs });
        return { subject, activitySubscription: post || reply ? { post, reply } : undefined };
      },
    ),
  };
}
