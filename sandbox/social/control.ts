import { Hono } from 'hono';
import type { Clock } from '#src/clock.ts';
import type { JsonObject } from '#src/clients/operation/json.ts';
import { serve } from '../control/endpoint.ts';
import { OrderError, unknownName } from '../control/order-error.ts';
import type { WorldPerson } from '../world/world.ts';
import { createGroup, hideReply, listSocialPosts, openSocialSession } from './control-endpoints.ts';
import { rootOf } from './conversations.ts';
import type { SocialCore } from './core.ts';
import type { StoredMessage } from './messaging/direct-messages.ts';
import type { People } from './people.ts';
import type { WrittenPost } from './posts.ts';
import type { Sessions } from './sessions.ts';

/** All sent messages, whether or not reads show them, with the ids of a platform. */
export function messagesTruth(
  { directMessages, people }: Pick<SocialCore, 'directMessages' | 'people'>,
  idOf: (message: StoredMessage) => string,
): readonly JsonObject[] {
  return directMessages.all().map((message) => ({
    id: idOf(message),
    author: people.find(message.senderId)?.handle,
    text: message.text,
    media: message.media.map(({ kind, altText }) => ({ kind, altText })),
    sentAt: new Date(message.createdAtMs).toISOString(),
    visibleAt: new Date(message.visibleAtMs).toISOString(),
  }));
}

/** The person in an order. Throws an `OrderError` with a suggestion if there is none. */
export function accountNamed(people: People, name: string, field = 'user'): WorldPerson {
  const person = people.find(name);
  if (person) return person;
  const known = people.all.map(({ handle }) => handle);
  throw unknownName({ field, noun: 'account', name, known, hint: `Accounts are, for example, ${known.slice(0, 5).join(', ')}.` });
}

/** The routes of the control API for the platform `social`. */
export function socialControl(core: SocialCore, sessions: Sessions, clock: Clock): Hono {
  const { directMessages, people, written, snapshotFor } = core;
  const control = new Hono();
  serve(control, listSocialPosts, () => {
    const nowMs = snapshotFor().now.getTime();
    const posts = written.all().filter(({ createdAtMs }) => createdAtMs <= nowMs);
    return { items: posts.map((post) => truthOf(post, people)) };
  });

  serve(control, openSocialSession, ({ body: { user } }) => ({ token: sessions.open(accountNamed(people, user)) }));

  serve(control, createGroup, ({ body: { title, members } }) => {
    const memberIds = new Set(members.map((name, index) => accountNamed(people, name, `members[${index}]`).id));
    return { id: directMessages.addGroup({ title, memberIds: [...memberIds], createdAtMs: clock.nowMs() }).id };
  });

  serve(control, hideReply, ({ body: { post: id, hidden } }) => {
    const { feed, reactions, now } = snapshotFor();
    const post = feed.find(id);
    const root = post && rootOf(post, feed);
    if (!root) throw new OrderError(`post: no post has the id ${id}. GET /control/posts lists the posts.`);
    if (root.id === id) throw new OrderError(`post: ${id} is not a reply.`);
    // Only the author of a conversation can hide replies in it.
    reactions.set('hide', { userId: root.authorId, postId: id }, { on: hidden, atMs: now.getTime() });
    return { post: id, hidden };
  });
  return control;
}

/** A post as it was written, whether or not reads show it. */
function truthOf(
  { createdAtMs, visibleAtMs, deletedAtMs, id, authorId, text, replyTo, quote, key }: WrittenPost,
  people: People,
): JsonObject {
  return {
    id,
    author: people.find(authorId)?.handle,
    text,
    replyTo,
    quote,
    key,
    createdAt: new Date(createdAtMs).toISOString(),
    visibleAt: new Date(visibleAtMs).toISOString(),
    deletedAt: deletedAtMs === undefined ? undefined : new Date(deletedAtMs).toISOString(),
  };
}
