import { Hono, type Context } from 'hono';
import { z } from 'zod';
import type { JsonObject } from '#src/operation/json.ts';
import { messagesTruth } from '../social/control.ts';
import type { SocialCore } from '../social/core.ts';
import type { WrittenPost } from '../social/posts.ts';
import type { WorldPerson } from '../world/world.ts';
import { accountTokenOf } from './authorization.ts';
import { eventId, latestOf, postId, userId } from './ids.ts';
import { SCOPES, type Grants } from './oauth2.ts';
import type { RateLimits } from './rate-limits.ts';
import type { Settings } from './settings.ts';

const Changes = z.strictObject({
  tier: z.enum(['selfServe', 'enterprise']).optional(),
  names: z.enum(['tweet', 'post']).optional(),
  /** Null removes the cap. */
  usageCap: z.int().min(0).nullable().optional(),
  creditsDepleted: z.boolean().optional(),
  limits: z.array(z.strictObject({ route: z.string(), most: z.int().min(0) })).optional(),
  searchLagMs: z.int().min(0).optional(),
});
const User = z.string().default('fanfare');
const Session = z.strictObject({ user: User, scopes: z.array(z.string()).default([...SCOPES]) });
const Revocation = z.strictObject({ token: z.string().optional() });
const Account = z.strictObject({ user: User, on: z.boolean().default(true) });

interface ControlOptions {
  readonly core: SocialCore;
  readonly grants: Grants;
  readonly settings: Settings;
  readonly rateLimits: RateLimits;
}

/** The routes of the control API below `/control/x`. */
export function xControl({ core, grants, settings, rateLimits }: ControlOptions): Hono {
  const control = new Hono();
  control.onError((error, c) => {
    if (error instanceof z.ZodError) return c.json({ error: z.prettifyError(error) }, 400);
    if (error instanceof RangeError) return c.json({ error: error.message }, 400);
    throw error;
  });

  function requirePerson(user: string): WorldPerson {
    const person = core.people.find(user);
    if (!person) throw new RangeError(`there is no account ${user}`);
    return person;
  }

  control.get('/posts', (c) => c.json({ items: core.written.all().map((post) => toTruth(post, core)) }));
  control.get('/messages', (c) => c.json({ items: messagesTruth(core, eventId) }));

  control.post('/settings', async (c) => {
    const { usageCap, ...changes } = await read(c, Changes);
    Object.assign(settings, Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined)));
    if (usageCap !== undefined) {
      settings.usageCap = usageCap ?? undefined;
      settings.postsRead = 0;
    }
    if (changes.limits) rateLimits.clear();
    return c.json({});
  });

  control.post('/sessions', async (c) => {
    const { user, scopes } = await read(c, Session);
    const person = requirePerson(user);
    const { access: accessToken, refresh: refreshToken } = grants.open({ userId: userId(person), scopes });
    const { token: oauthToken, secret: oauthTokenSecret } = accountTokenOf(person);
    return c.json({ userId: userId(person), accessToken, refreshToken, scopes, oauthToken, oauthTokenSecret });
  });

  control.post('/revoke', async (c) => {
    const { token } = await read(c, Revocation);
    if (token === undefined) return c.json({ revoked: grants.revokeAll() });
    if (!grants.revoke(token)) settings.revoked.add(token);
    return c.json({ revoked: 1 });
  });

  for (const [path, ids] of [
    ['/suspend', settings.suspended],
    ['/premium', settings.premium],
  ] as const) {
    control.post(path, async (c) => {
      const { user, on } = await read(c, Account);
      const { id } = requirePerson(user);
      if (on) ids.add(id);
      else ids.delete(id);
      return c.json({ user, on });
    });
  }
  return control;
}

async function read<T>(c: Context, schema: z.ZodType<T>): Promise<T> {
  return schema.parse(await c.req.json().catch(() => ({})));
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
