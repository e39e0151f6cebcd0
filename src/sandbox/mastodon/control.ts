import { Hono } from 'hono';
import { z } from 'zod';
import type { JsonObject } from '#src/operation/json.ts';
import type { WrittenPost } from '../social/posts.ts';
import { scopesIn } from './access/scopes.ts';
import type { Ground } from './ground.ts';
import { visibilityOf } from './posts/visibility.ts';
import { SettingsOrder, type ServerSettings } from './settings.ts';
import { settle } from './settling.ts';

const Session = z.strictObject({ user: z.string(), scopes: z.string().default('read write follow push') });

/** What the control API says about this server, and what it can be told. */
export function mastodonControl(ground: Ground): Hono {
  const { settings, tokens, stage } = ground;
  const control = new Hono();

  control.get('/mastodon/server', (c) => c.json(toJson(settings.current)));
  control.post('/mastodon/server', async (c) => {
    const order = SettingsOrder.safeParse(await c.req.json().catch(() => undefined));
    if (!order.success) return c.json({ error: z.prettifyError(order.error) }, 400);
    return c.json(toJson(settings.change(order.data)));
  });

  control.post('/mastodon/revoke', (c) => c.json({ revoked: tokens.revokeAll() }));
  control.post('/mastodon/sessions', async (c) => {
    const session = Session.safeParse(await c.req.json().catch(() => undefined));
    if (!session.success) return c.json({ error: z.prettifyError(session.error) }, 400);
    const person = stage.people.find(session.data.user);
    const scopes = scopesIn(session.data.scopes);
    if (!person || !scopes)
      return c.json({ error: person ? 'there is no such scope' : `there is nobody called ${session.data.user}` }, 400);
    return c.json({ token: tokens.issue({ userId: person.id, scopes: [...scopes] }).value });
  });

  control.get('/mastodon/repeats', (c) => c.json(ground.repeats.all()));
  control.get('/mastodon/posts', (c) => {
    settle(ground);
    return c.json({ items: stage.written.all().map((post) => truthOf(post, ground)) });
  });
  return control;
}

/** A post as it was written, whatever reads show. */
function truthOf(post: WrittenPost, ground: Ground): JsonObject {
  const { createdAtMs, visibleAtMs, deletedAtMs, text, replyTo, quote, media, key, authorId, poll } = post;
  const statusId = (name: string | undefined): string | undefined => {
    const one = name === undefined ? undefined : (ground.stage.written.find(name) ?? ground.stage.momentFor().feed.find(name));
    return one && ground.ids.status(one);
  };
  return {
    id: ground.ids.status(post),
    author: ground.stage.people.find(authorId)?.handle,
    text,
    spoilerText: ground.facts.find(post.id)?.spoilerText,
    visibility: visibilityOf(post, ground),
    replyTo: statusId(replyTo),
    quote: statusId(quote),
    poll: poll?.options.map(({ label }) => label),
    media: media.map(({ kind, altText }) => ({ kind, altText })),
    key,
    createdAt: new Date(createdAtMs).toISOString(),
    visibleAt: new Date(visibleAtMs).toISOString(),
    deletedAt: deletedAtMs === undefined ? undefined : new Date(deletedAtMs).toISOString(),
  };
}

function toJson(settings: ServerSettings): JsonObject {
  return { ...settings, limits: { ...settings.limits } };
}
