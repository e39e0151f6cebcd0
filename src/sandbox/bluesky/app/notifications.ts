import { z } from 'zod';
import type { JsonObject } from '#src/operation/json.ts';
import type { Bluesky } from '../core.ts';
import { hears } from '../view/declarations.ts';
import { selfLabels } from '../view/labels.ts';
import { lookOf, requireActor, type Look } from '../view/look.ts';
import { notificationsFor, type Notification } from '../view/notifications.ts';
import { toProfile } from '../view/profile.ts';
import { procedure, query, type Endpoints } from '../xrpc/endpoint.ts';
import { Did, flag, many, paging, text } from '../xrpc/params.ts';
import { cutPage } from '../xrpc/paging.ts';
import { invalidRequest } from '../xrpc/refusal.ts';

const SEEN = 'notifications-seen';

/** `app.bsky.notification`: what somebody is told of. */
export function notificationEndpoints(bluesky: Bluesky): Endpoints {
  const { journal } = bluesky.context;

  function seenAtMs({ viewer }: Look): number {
    const at = journal.get(SEEN, viewer.id);
    return typeof at === 'number' ? at : 0;
  }

  function toNotification({ author, reason, atMs, subject, record }: Notification, look: Look): JsonObject {
    const named = record();
    return {
      uri: named.uri,
      cid: named.cid,
      author: toProfile(author, look),
      reason,
      reasonSubject: subject && bluesky.posts.of(subject).uri,
      record: named.record,
      isRead: atMs <= seenAtMs(look),
      indexedAt: new Date(atMs).toISOString(),
      labels: selfLabels(named, { did: bluesky.directory.didOf(author), atMs }),
    };
  }

  return {
    'app.bsky.notification.listNotifications': query(
      z.object({ reasons: many(z.string()).optional(), priority: flag.optional(), seenAt: text.optional(), ...paging() }),
      ({ reasons, priority = false, limit, cursor }, call) => {
        const look = lookOf(bluesky, call);
        const wanted = notificationsFor(look).filter(({ reason }) => reasons === undefined || reasons.includes(reason));
        const page = cutPage(wanted, { limit, cursor }, { idOf: ({ id }) => id, fault: call.fault });
        const seenAt = seenAtMs(look) === 0 ? undefined : new Date(seenAtMs(look)).toISOString();
        return { cursor: page.cursor, notifications: page.items.map((one) => toNotification(one, look)), priority, seenAt };
      },
    ),

    'app.bsky.notification.getUnreadCount': query(z.object({ priority: flag.optional(), seenAt: text.optional() }), (_, call) => {
      const look = lookOf(bluesky, call);
      return { count: notificationsFor(look).filter(({ atMs }) => atMs > seenAtMs(look)).length };
    }),

    'app.bsky.notification.updateSeen': procedure(
      z.looseObject({ seenAt: z.iso.datetime({ offset: true }) }),
      ({ seenAt }, { session }) => {
        journal.put(SEEN, session.person.id, Date.parse(seenAt));
        return undefined;
      },
    ),

    'app.bsky.notification.putActivitySubscription': procedure(
      z.looseObject({ subject: Did, activitySubscription: z.looseObject({ post: z.boolean(), reply: z.boolean() }) }),
      ({ subject, activitySubscription: { post, reply } }, call) => {
        const look = lookOf(bluesky, call);
        const person = requireActor(look, subject);
        if (person.id === look.viewer.id) throw invalidRequest('Cannot subscribe to own activity');
        bluesky.subscriptions.set({ from: look.viewer.id, to: person.id, post, reply, sinceMs: call.nowMs });
        return { subject, activitySubscription: post || reply ? { post, reply } : undefined };
      },
    ),

    'app.bsky.notification.listActivitySubscriptions': query(z.object(paging()), (asked, call) => {
      const look = lookOf(bluesky, call);
      const people = bluesky.subscriptions.of(look.viewer.id).flatMap(({ to }) => look.moment.people.find(to) ?? []);
      const heard = people.filter((person) => hears(look, person));
      const { items, cursor } = cutPage(heard, asked, { idOf: ({ id }) => id, fault: call.fault });
      return { cursor, subscriptions: items.map((person) => toProfile(person, look)) };
    }),
  };
}
