import { Hono, type Context } from 'hono';
import { z } from 'zod';
import type { JsonObject } from '#src/operation/json.ts';
import { messagesTruth } from '../social/messaging/control.ts';
import type { WrittenPost } from '../social/posts.ts';
import type { SocialStage } from '../social/stage.ts';
import { accountTokenOf } from './access/accounts.ts';
import { credentials } from './access/credentials.ts';
import type { Grants } from './access/grants.ts';
import { SCOPES } from './access/scopes.ts';
import { eventId } from './ids/message-ids.ts';
import { latestOf, postId } from './ids/post-ids.ts';
import { userId } from './ids/user-ids.ts';
import type { Windows } from './limits/windows.ts';
import type { Settings } from './settings.ts';

const Changes = z.strictObject({
  tier: z.enum(['selfServe', 'enterprise']).optional(),
  names: z.enum(['asked', 'tweet', 'post']).optional(),
  /** Null takes the cap away. */
  usageCap: z.int().min(0).nullable().optional(),
  creditsDepleted: z.boolean().optional(),
  limits: z.array(z.strictObject({ route: z.string(), most: z.int().min(0) })).optional(),
  searchLagMs: z.int().min(0).optional(),
});
const User = z.string().default('fanfare');
const Session = z.strictObject({ user: User, scopes: z.array(z.string()).default([...SCOPES]) });
const Revocation = z.strictObject({ token: z.string().optional() });
const Suspension = z.strictObject({ user: User, suspended: z.boolean().default(true) });
const Subscription = z.strictObject({ user: User, premium: z.boolean().default(true) });

export interface ControlOptions {
  readonly stage: SocialStage;
  readonly grants: Grants;
  readonly settings: Settings;
  readonly windows: Windows;
}

/** What the control API says of X and can order there, below `/control/x`. */
export function xControl({ stage, grants, settings, windows }: ControlOptions): Hono {
  const control = new Hono();
  control.onError((error, c) => {
    if (error instanceof z.ZodError) return c.json({ error: z.prettifyError(error) }, 400);
    throw error;
  });

  control.get('/posts', (c) => c.json({ items: stage.written.all().map((post) => truthOf(post, stage)) }));
  control.get('/messages', (c) => c.json({ items: messagesTruth(stage, eventId) }));
  control.get('/settings', (c) => c.json(toView(settings)));

  control.post('/settings', async (c) => {
    const { usageCap, ...changes } = await read(c, Changes);
    Object.assign(settings, Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined)));
    if (usageCap !== undefined) {
      settings.usageCap = usageCap ?? undefined;
      settings.postsRead = 0;
    }
    if (changes.limits) windows.clear();
    return c.json(toView(settings));
  });

  control.post('/sessions', async (c) => {
    const { user, scopes } = await read(c, Session);
    const person = stage.people.find(user);
    if (!person) return c.json({ error: `there is nobody called ${user}` }, 400);
    const { access, refresh } = grants.open({ clientId: credentials.clientId, userId: userId(person), scopes });
    const { token, secret } = accountTokenOf(person);
    return c.json({
      userId: userId(person),
      accessToken: access,
      refreshToken: refresh,
      scopes,
      oauthToken: token,
      oauthTokenSecret: secret,
    });
  });

  control.post('/revoke', async (c) => {
    const { token } = await read(c, Revocation);
    if (token === undefined) return c.json({ revoked: grants.revokeAll() });
    if (!grants.revoke(token)) settings.revoked.add(token);
    return c.json({ revoked: 1 });
  });

  control.post('/suspend', async (c) => {
    const { user, suspended } = await read(c, Suspension);
    const person = stage.people.find(user);
    if (!person) return c.json({ error: `there is nobody called ${user}` }, 400);
    mark(settings.suspended, person.id, suspended);
    return c.json({ user: person.handle, suspended });
  });

  control.post('/premium', async (c) => {
    const { user, premium } = await read(c, Subscription);
    const person = stage.people.find(user);
    if (!person) return c.json({ error: `there is nobody called ${user}` }, 400);
    mark(settings.premium, person.id, premium);
    return c.json({ user: person.handle, premium });
  });

  return control;
}

function mark(ids: Set<string>, id: string, on: boolean): void {
  if (on) ids.add(id);
  else ids.delete(id);
}

async function read<T>(c: Context, form: z.ZodType<T>): Promise<T> {
  return form.parse(await c.req.json().catch(() => ({})));
}

function toView({ tier, names, usageCap, postsRead, creditsDepleted, limits, searchLagMs, suspended, premium }: Settings): JsonObject {
  return {
    tier,
    names,
    usageCap,
    postsRead,
    creditsDepleted,
    limits: limits.map((limit) => ({ ...limit })),
    searchLagMs,
    suspended: [...suspended],
    premium: [...premium],
  };
}

/** A post as it was written, whatever reads show. */
function truthOf(post: WrittenPost, { written }: SocialStage): JsonObject {
  const { id, history } = latestOf(post);
  const other = (storedId: string | undefined): string | undefined => {
    const found = storedId === undefined ? undefined : written.find(storedId);
    return found ? postId(found) : storedId;
  };
  return {
    id,
    editHistory: history,
    author: post.authorId,
    text: post.text,
    replyTo: other(post.replyTo),
    quote: other(post.quote),
    poll: post.poll?.options.map(({ label }) => label),
    media: post.media.map(({ kind, altText }) => ({ kind, altText })),
    createdAt: new Date(post.createdAtMs).toISOString(),
    visibleAt: new Date(post.visibleAtMs).toISOString(),
    deletedAt: post.deletedAtMs === undefined ? undefined : new Date(post.deletedAtMs).toISOString(),
  };
}
