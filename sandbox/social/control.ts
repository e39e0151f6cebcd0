import { Hono } from 'hono';
import { z } from 'zod';
import type { Clock } from '#src/clock.ts';
import type { JsonObject } from '#src/operation/json.ts';
import { rootOf } from './conversations.ts';
import type { SocialCore } from './core.ts';
import type { StoredMessage } from './messaging/direct-messages.ts';
import type { WrittenPost } from './posts.ts';

const Group = z.strictObject({ title: z.string().min(1), members: z.array(z.string()).min(2) });

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

/** Creates groups for direct messages. The API has no operation for it. */
export function groupControl({ directMessages, people }: Pick<SocialCore, 'directMessages' | 'people'>, clock: Clock): Hono {
  const control = new Hono();
  control.post('/', async (c) => {
    const group = Group.safeParse(await c.req.json().catch(() => undefined));
    if (!group.success) return c.json({ error: z.prettifyError(group.error) }, 400);
    const { title, members } = group.data;
    const unknown = members.find((name) => !people.find(name));
    if (unknown !== undefined) return c.json({ error: `there is no account ${unknown}` }, 400);
    const memberIds = [...new Set(members.flatMap((name) => people.find(name)?.id ?? []))];
    return c.json({ id: directMessages.addGroup({ title, memberIds, createdAtMs: clock.nowMs() }).id });
  });
  return control;
}

const Hide = z.object({ post: z.string(), hidden: z.boolean().default(true) });

/** Lists the written posts, and hides replies. */
export function postControl({ written, snapshotFor }: Pick<SocialCore, 'written' | 'snapshotFor'>): Hono {
  const control = new Hono();

  control.get('/posts', (c) => {
    const nowMs = snapshotFor().now.getTime();
    return c.json({
      items: written
        .all()
        .filter(({ createdAtMs }) => createdAtMs <= nowMs)
        .map(truthOf),
    });
  });

  control.post('/social/hide', async (c) => {
    const { post: id, hidden } = Hide.parse(await c.req.json());
    const { feed, reactions, now } = snapshotFor();
    const post = feed.find(id);
    const root = post && rootOf(post, feed);
    if (!root || root.id === id) return c.json({ error: `there is no reply ${id}` }, 400);
    // Only the author of a conversation can hide replies in it.
    reactions.set('hide', { userId: root.authorId, postId: id }, { on: hidden, atMs: now.getTime() });
    return c.json({ post: id, hidden });
  });

  return control;
}

/** A post as it was written, whether or not reads show it. */
function truthOf({ createdAtMs, visibleAtMs, deletedAtMs, id, text, replyTo, quote, key }: WrittenPost): JsonObject {
  return {
    id,
    text,
    replyTo,
    quote,
    key,
    createdAt: new Date(createdAtMs).toISOString(),
    visibleAt: new Date(visibleAtMs).toISOString(),
    deletedAt: deletedAtMs === undefined ? undefined : new Date(deletedAtMs).toISOString(),
  };
}
