import { Hono } from 'hono';
import type { JsonObject } from '#src/clients/operation/json.ts';
import { serve } from '../control/endpoint.ts';
import { accountNamed, messagesTruth } from '../social/control.ts';
import type { SocialCore } from '../social/core.ts';
import type { WrittenPost } from '../social/posts.ts';
import { accountTokenOf } from './authorization.ts';
import {
  changeX,
  disconnectXStream,
  listXMessages,
  listXPosts,
  listXStream,
  openXSession,
  revokeX,
  setXPremium,
  suspendX,
} from './control-endpoints.ts';
import { eventId, latestOf, postId, userId } from './ids.ts';
import type { Grants } from './oauth2.ts';
import type { RateLimits } from './rate-limits.ts';
import type { Settings } from './settings.ts';
import type { FilteredStream } from './stream.ts';

interface ControlOptions {
  readonly core: SocialCore;
  readonly grants: Grants;
  readonly settings: Settings;
  readonly rateLimits: RateLimits;
  readonly stream: Pick<FilteredStream, 'describe' | 'disconnect'>;
}

/** The routes of the control API for X. */
export function xControl({ core, grants, settings, rateLimits, stream }: ControlOptions): Hono {
  const control = new Hono();

  serve(control, listXPosts, () => ({ items: core.written.all().map((post) => toTruth(post, core)) }));
  serve(control, listXMessages, () => ({ items: messagesTruth(core, eventId) }));

  serve(control, changeX, ({ body: { usageCap, ...changes } }) => {
    Object.assign(settings, Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined)));
    if (usageCap !== undefined) {
      settings.usageCap = usageCap ?? undefined;
      settings.postsRead = 0;
    }
    if (changes.limits) rateLimits.clear();
    return {};
  });

  serve(control, listXStream, () => stream.describe());
  serve(control, disconnectXStream, () => ({ disconnected: stream.disconnect() }));

  serve(control, openXSession, ({ body: { user, scopes } }) => {
    const person = accountNamed(core.people, user);
    const { access: accessToken, refresh: refreshToken } = grants.open({ userId: userId(person), scopes });
    const { token: oauthToken, secret: oauthTokenSecret } = accountTokenOf(person);
    return { userId: userId(person), accessToken, refreshToken, scopes, oauthToken, oauthTokenSecret };
  });

  serve(control, revokeX, ({ body: { token } }) => {
    if (token === undefined) return { revoked: grants.revokeAll() };
    if (!grants.revoke(token)) settings.revoked.add(token);
    return { revoked: 1 };
  });

  for (const [endpoint, ids] of [
    [suspendX, settings.suspended],
    [setXPremium, settings.premium],
  ] as const) {
    serve(control, endpoint, ({ body: { user, on } }) => {
      const { id } = accountNamed(core.people, user);
      if (on) ids.add(id);
      else ids.delete(id);
      return { user, on };
    });
  }
  return control;
}

/** A post as it was written, whether or not reads show it. */
function toTruth(post: WrittenPost, { written }: SocialCore): JsonObject {
  const { id, history } = latestOf(post);
  const idOf = (storedId: string | undefined): string | undefined => {
    const found = storedId === undefined ? undefined : written.find(storedId);
    return found ? postId(found) : storedId;
  };
  return {
    id,
    editHistory: history,
    author: post.authorId,
    text: post.text,
    replyTo: idOf(post.replyTo),
    quote: idOf(post.quote),
    poll: post.poll?.options.map(({ label }) => label),
    media: post.media.map(({ kind, altText }) => ({ kind, altText })),
    createdAt: new Date(post.createdAtMs).toISOString(),
    visibleAt: new Date(post.visibleAtMs).toISOString(),
    deletedAt: post.deletedAtMs === undefined ? undefined : new Date(post.deletedAtMs).toISOString(),
  };
}
