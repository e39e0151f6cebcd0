import { Hono } from 'hono';
import { z } from 'zod';
import type { Clock } from '#src/clock.ts';
import type { JsonObject } from '#src/operation/json.ts';
import { rootOf } from './conversations.ts';
import type { DirectMessages, StoredMessage } from './messaging/direct-messages.ts';
import type { People } from './people.ts';
import type { WrittenPost, WrittenPosts } from './posts.ts';
import type { Snapshot } from './snapshot.ts';

const Group = z.strictObject({ title: z.string().min(1), members: z.array(z.string()).min(2) });

export interface GroupControlOptions {
  readonly directMessages: DirectMessages;
  readonly people: People;
  readonly clock: Clock;
}

/** The messages that were sent, letter for letter and whatever reads show, under the ids that a platform gives them. */
export function messagesTruth(
  { directMessages, people }: Pick<GroupControlOptions, 'directMessages' | 'people'>,
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

/** Puts people together in a group for messages: the API has no operation for it. */
export function groupControl({ directMessages, people, clock }: GroupControlOptions): Hono {
  const control = new Hono();
  control.post('/', async (c) => {
    const group = Group.safeParse(await c.req.json().catch(() => undefined));
    if (!group.success) return c.json({ error: z.prettifyError(group.error) }, 400);
    const { title, members } = group.data;
    const unknown = members.find((name) => !people.find(name));
    if (unknown !== undefined) return c.json({ error: `there is nobody called ${unknown}` }, 400);
    const memberIds = [...new Set(members.flatMap((name) => people.find(name)?.id ?? []))];
    return c.json({ id: directMessages.addGroup({ title, memberIds, createdAtMs: clock.nowMs() }).id });
  });
  return control;
}

const Hide = z.object({ post: z.string(), hidden: z.boolean().default(true) });

export interface PostControlOptions {
  readonly written: WrittenPosts;
  readonly currentSnapshot: () => Snapshot;
}

/** What the control API says about posts: the truth about what was written, and that an answer is to be hidden. */
export function postControl({ written, currentSnapshot }: PostControlOptions): Hono {
  const control = new Hono();

  control.get('/posts', (c) => {
    const nowMs = currentSnapshot().now.getTime();
    return c.json({
      items: written
        .all()
        .filter(({ createdAtMs }) => createdAtMs <= nowMs)
        .map(truthOf),
    });
  });

  control.post('/social/hide', async (c) => {
    const { post: id, hidden } = Hide.parse(await c.req.json());
    const { feed, reactions, now } = currentSnapshot();
    const post = feed.find(id);
    const root = post && rootOf(post, feed);
    if (!root || root.id === id) return c.json({ error: `there is no answer ${id} in anybody's conversation` }, 400);
    // Only whoever began a conversation hides something in it.
    reactions.set('hide', { userId: root.authorId, postId: id }, { on: hidden, atMs: now.getTime() });
    return c.json({ post: id, hidden });
  });

  return control;
}

/** A post as it was written, whatever reads show. */
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
