import { Hono, type Context } from 'hono';
import { z } from 'zod';
import type { JsonObject } from '#src/operation/json.ts';
import { groupControl, messagesTruth } from '../social/control.ts';
import type { WorldPerson } from '../world/world.ts';
import { accountOf } from './accounts.ts';
import { toOpaque } from './chat-view.ts';
import { NAME, type Bluesky } from './core.ts';
import { valueAt } from './records.ts';
import { type Limits, WRITES } from './rate-limits.ts';
import { UPSTREAMS, type Upstreams } from './xrpc-routes.ts';

const Whom = z.strictObject({ user: z.string().default('fanfare') });
const TakeDown = Whom.extend({ on: z.boolean().default(true) });
const Revoke = Whom.extend({ passwords: z.boolean().default(false) });
const Spend = Whom.extend({ points: z.int().min(1) });
const Switch = z.strictObject({ upstream: z.enum(UPSTREAMS), on: z.boolean() });

export interface ControlOptions {
  readonly bluesky: Bluesky;
  readonly upstreams: Upstreams;
  readonly limits: Limits;
}

/** The routes of the control API for this platform. */
export function blueskyControl({ bluesky, upstreams, limits }: ControlOptions): Hono {
  const { context, directory, accountStates, sessions, core } = bluesky;
  const control = new Hono();

  /** An order about an account, by the name, the handle or the DID of somebody. */
  function order<T extends z.output<typeof Whom>>(
    path: string,
    form: z.ZodType<T>,
    run: (input: T, person: WorldPerson, did: string) => JsonObject,
  ): void {
    control.post(`/${path}`, async (c) => {
      const input = form.safeParse(await bodyOf(c));
      if (!input.success) return c.json({ error: z.prettifyError(input.error) }, 400);
      const { user } = input.data;
      const person = core.people.find(user) ?? directory.find(user);
      if (!person) return c.json({ error: `there is nobody called ${user}` }, 400);
      return c.json(run(input.data, person, directory.didOf(person)));
    });
  }

  control.get('/posts', (c) => c.json({ items: postsOf(bluesky) }));
  control.get('/messages', (c) => c.json({ items: messagesTruth(core, ({ id }) => toOpaque(id)) }));

  order('accounts', Whom, (_, person, did) => ({ did, handle: directory.handleOf(person), ...accountDetails(person) }));
  order('takedown', TakeDown, ({ on }, _, did) => {
    accountStates.set(did, { takenDown: on });
    return { did, takenDown: on };
  });
  order('revoke', Revoke, ({ passwords }, _, did) => {
    if (passwords) accountStates.set(did, { passwordsRevoked: true });
    return { did, sessions: sessions.revoke(did) };
  });
  order('spend', Spend, ({ points }, _, did) => {
    const [hour] = WRITES.map((allowance) => limits.spend(allowance, did, points));
    return { did, remaining: hour?.remaining };
  });

  control.post('/expire', (c) => {
    sessions.expireAccess();
    return c.json({ expired: true });
  });
  control.post('/upstreams', async (c) => {
    const input = Switch.safeParse(await bodyOf(c));
    if (!input.success) return c.json({ error: z.prettifyError(input.error) }, 400);
    upstreams.set(input.data.upstream, input.data.on);
    return c.json(input.data);
  });
  control.route('/groups', groupControl({ directMessages: core.directMessages, people: core.people, clock: context.clock }));

  const routes = new Hono();
  routes.route(`/${NAME}`, control);
  return routes;
}

function accountDetails(person: WorldPerson): JsonObject {
  const { email, passwords } = accountOf(person);
  const valueOf = (scope: string): string | undefined => passwords.find((password) => password.scope === scope)?.value;
  return {
    email,
    appPassword: valueOf('com.atproto.appPassPrivileged'),
    appPasswordWithoutMessages: valueOf('com.atproto.appPass'),
    password: valueOf('com.atproto.access'),
    signInCode: passwords.find(({ factor }) => factor !== undefined)?.factor,
  };
}

/** The posts that stand, letter for letter and whatever reads show, oldest first. */
function postsOf({ core, posts, directory }: Bluesky): readonly JsonObject[] {
  return core.written
    .all()
    .filter(({ deletedAtMs }) => deletedAtMs === undefined)
    .map((post) => {
      const { uri, cid, record } = posts.of(post);
      const person = core.people.find(post.authorId);
      const author = person && directory.handleOf(person);
      const visibleAt = new Date(post.visibleAtMs).toISOString();
      return { uri, cid, author, text: valueAt(record, 'text'), createdAt: valueAt(record, 'createdAt'), visibleAt, record };
    });
}

async function bodyOf(c: Context): Promise<unknown> {
  const text = await c.req.text();
  try {
    return text === '' ? {} : JSON.parse(text);
  } catch {
    return undefined;
  }
}
