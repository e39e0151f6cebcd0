import { Hono } from 'hono';
import { z } from 'zod';
import type { JsonObject } from '#src/operation/json.ts';
import type { WrittenPost } from '../social/posts.ts';
import { scopesIn } from './oauth.ts';
import { publishDue } from './publishing.ts';
import { SettingsOrder } from './settings.ts';
import type { MastodonState } from './state.ts';
import { visibilityOf } from './visibility.ts';

const Session = z.strictObject({ user: z.string(), scopes: z.string().default('read write follow push') });

/** The routes of the control API for this server. */
export function mastodonControl(state: MastodonState): Hono {
  const control = new Hono();

  control.post('/mastodon/server', async (c) => {
    const order = SettingsOrder.safeParse(await c.req.json().catch(() => undefined));
    if (!order.success) return c.json({ error: z.prettifyError(order.error) }, 400);
    return c.json(state.settings.change(order.data));
  });

  control.post('/mastodon/sessions', async (c) => {
    const session = Session.safeParse(await c.req.json().catch(() => undefined));
    if (!session.success) return c.json({ error: z.prettifyError(session.error) }, 400);
    const person = state.core.people.find(session.data.user);
    if (!person) return c.json({ error: `there is no account ${session.data.user}` }, 400);
    return c.json({ token: state.oauth.issueToken({ userId: person.id, scopes: scopesIn(session.data.scopes) }).value });
  });

  control.get('/mastodon/repeats', (c) => c.json(state.duplicates.all()));
  control.get('/mastodon/posts', (c) => {
    publishDue(state, state.clock.nowMs());
    return c.json({ items: state.core.written.all().map((post) => toTruth(post, state)) });
  });
  return control;
}

/** A post as it was written, whether or not reads show it. */
function toTruth(post: WrittenPost, state: MastodonState): JsonObject {
  const { createdAtMs, visibleAtMs, deletedAtMs, text, replyTo, quote, media, key, authorId, poll } = post;
  const statusId = (name: string | undefined): string | undefined => {
    const found = name === undefined ? undefined : (state.core.written.find(name) ?? state.core.snapshotFor().feed.find(name));
    return found && state.ids.status(found);
  };
  return {
    id: state.ids.status(post),
    author: state.core.people.find(authorId)?.handle,
    text,
    spoilerText: state.statuses.get(post.id)?.spoilerText,
    visibility: visibilityOf(post, state),
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
