import { Hono } from 'hono';
import { z } from 'zod';
import type { JsonObject } from '#src/operation/json.ts';
import { rootOf } from './conversations.ts';
import type { Moment } from './moment.ts';
import type { WrittenPost, WrittenPosts } from './posts.ts';

const Hide = z.object({ post: z.string(), hidden: z.boolean().default(true) });

export interface PostControlOptions {
  readonly written: WrittenPosts;
  readonly currentMoment: () => Moment;
}

/** What the control API says about posts: the truth about what was written, and that an answer is to be hidden. */
export function postControl({ written, currentMoment }: PostControlOptions): Hono {
  const control = new Hono();

  control.get('/posts', (c) => {
    const nowMs = currentMoment().now.getTime();
    return c.json({
      items: written
        .all()
        .filter(({ createdAtMs }) => createdAtMs <= nowMs)
        .map(truthOf),
    });
  });

  control.post('/social/hide', async (c) => {
    const { post: id, hidden } = Hide.parse(await c.req.json());
    const { feed, reactions, now } = currentMoment();
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
