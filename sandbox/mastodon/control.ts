import { Hono } from 'hono';
import type { JsonObject } from '#src/clients/operation/json.ts';
import { serve } from '../control/endpoint.ts';
import { accountNamed } from '../social/control.ts';
import type { WrittenPost } from '../social/posts.ts';
import {
  changeMastodon,
  disconnectMastodon,
  listMastodonPosts,
  listMastodonStreams,
  listRepeats,
  openMastodonSession,
} from './control-endpoints.ts';
import { scopesIn } from './oauth.ts';
import { publishDue } from './publishing.ts';
import type { MastodonState } from './state.ts';
import type { Streaming } from './streaming/streaming.ts';
import { visibilityOf } from './visibility.ts';

/** The routes of the control API for this server. */
export function mastodonControl(state: MastodonState, streaming: Pick<Streaming, 'describe' | 'disconnect'>): Hono {
  const control = new Hono();
  serve(control, changeMastodon, ({ body }) => state.settings.change(body));
  serve(control, openMastodonSession, ({ body: { user, scopes } }) => ({
    token: state.oauth.issueToken({ userId: accountNamed(state.core.people, user).id, scopes: scopesIn(scopes) }).value,
  }));
  serve(control, listMastodonStreams, () => streaming.describe());
  serve(control, disconnectMastodon, ({ body: { code } }) => ({ disconnected: streaming.disconnect(code) }));
  serve(control, listRepeats, () => state.duplicates.all());
  serve(control, listMastodonPosts, () => {
    publishDue(state, state.clock.nowMs());
    return { items: state.core.written.all().map((post) => toTruth(post, state)) };
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
