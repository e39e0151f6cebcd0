import { Hono, type Context } from 'hono';
import { z } from 'zod';
import type { JsonObject } from '#src/operation/json.ts';
import { messagesTruth } from '../social/control.ts';
import type { WorldPerson } from '../world/world.ts';
import { type AccountState, passwordOf } from './accounts.ts';
import { toChatId } from './chat-routes.ts';
import { recordOf } from './post-records.ts';
import { WRITES } from './rate-limits.ts';
import { valueAt } from './records.ts';
import { type BlueskyState, upstreams } from './state.ts';

const Account = z.strictObject({ user: z.string().default('fanfare') });
const TakeDown = Account.extend({ on: z.boolean().default(true) });
const Revocation = Account.extend({ passwords: z.boolean().default(false) });
const Spending = Account.extend({ points: z.int().min(1) });
const Reachability = z.strictObject({ upstream: z.enum(upstreams), on: z.boolean() });

/** The routes of the control API below `/control/bluesky`. */
export function blueskyControl(state: BlueskyState): Hono {
  const { directory, sessions, core } = state;
  const control = new Hono();
  control.onError((error, c) => {
    if (error instanceof z.ZodError) return c.json({ error: z.prettifyError(error) }, 400);
    if (error instanceof RangeError) return c.json({ error: error.message }, 400);
    throw error;
  });

  /** An account by its name, its handle or its DID. */
  function requirePerson(user: string): readonly [person: WorldPerson, did: string] {
    const person = core.people.find(user) ?? directory.find(user);
    if (!person) throw new RangeError(`there is no account ${user}`);
    return [person, directory.didOf(person)];
  }

  function changeAccount(did: string, change: Partial<AccountState>): void {
    state.accounts.put({ takenDown: false, passwordsRevoked: false, ...state.accounts.get(did), ...change, did });
  }

  control.get('/posts', (c) => c.json({ items: postsOf(state) }));
  control.get('/messages', (c) => c.json({ items: messagesTruth(core, ({ id }) => toChatId(id)) }));

  control.post('/accounts', async (c) => {
    const [person, did] = requirePerson((await read(c, Account)).user);
    return c.json({
      did,
      handle: directory.handleOf(person),
      appPassword: passwordOf(person, 'com.atproto.appPassPrivileged'),
      appPasswordWithoutMessages: passwordOf(person, 'com.atproto.appPass'),
    });
  });

  control.post('/takedown', async (c) => {
    const { user, on } = await read(c, TakeDown);
    changeAccount(requirePerson(user)[1], { takenDown: on });
    return c.json({ user, on });
  });

  control.post('/revoke', async (c) => {
    const { user, passwords } = await read(c, Revocation);
    const [, did] = requirePerson(user);
    if (passwords) changeAccount(did, { passwordsRevoked: true });
    return c.json({ sessions: sessions.revoke(did) });
  });

  control.post('/spend', async (c) => {
    const { user, points } = await read(c, Spending);
    const { remaining } = state.rateLimits.spend(WRITES, requirePerson(user)[1], points);
    return c.json({ remaining });
  });

  control.post('/expire', (c) => {
    sessions.expireAccess();
    return c.json({ expired: true });
  });

  control.post('/upstreams', async (c) => {
    const { upstream, on } = await read(c, Reachability);
    if (on) state.unreachable.delete(upstream);
    else state.unreachable.add(upstream);
    return c.json({ upstream, on });
  });
  return control;
}

async function read<T>(c: Context, schema: z.ZodType<T>): Promise<T> {
  return schema.parse(await c.req.json().catch(() => ({})));
}

/** The posts that exist, whether or not reads show them, oldest first. */
function postsOf(state: BlueskyState): readonly JsonObject[] {
  const { core, directory } = state;
  const posts = core.written.all().filter(({ deletedAtMs }) => deletedAtMs === undefined);
  return posts.map((post) => {
    const { uri, cid, record } = recordOf(post, state);
    const person = core.people.find(post.authorId);
    return {
      uri,
      cid,
      author: person && directory.handleOf(person),
      text: valueAt(record, 'text'),
      createdAt: valueAt(record, 'createdAt'),
      visibleAt: new Date(post.visibleAtMs).toISOString(),
      record,
    };
  });
}
