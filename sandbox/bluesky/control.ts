import { Hono } from 'hono';
import type { JsonObject } from '#src/clients/operation/json.ts';
import { serve } from '../control/endpoint.ts';
import { accountNamed, messagesTruth } from '../social/control.ts';
import { type AccountState, passwordOf } from './accounts.ts';
import { toChatId } from './chat-routes.ts';
import {
  describeAccount,
  disconnectJetstream,
  expireAccess,
  listBlueskyMessages,
  listBlueskyPosts,
  listJetstream,
  revokeBluesky,
  setUpstream,
  spendPoints,
  takeDown,
} from './control-endpoints.ts';
import type { Jetstream } from './jetstream.ts';
import { recordOf } from './post-records.ts';
import { WRITES } from './rate-limits.ts';
import { valueAt } from './records.ts';
import type { BlueskyState } from './state.ts';

/** The routes of the control API for Bluesky. */
export function blueskyControl(state: BlueskyState, jetstream: Pick<Jetstream, 'describe' | 'disconnect' | 'announceAccount'>): Hono {
  const { directory, sessions, core } = state;
  const control = new Hono();

  /** An account by its name, its handle or its DID. */
  const didNamed = (user: string): string => directory.didOf(directory.find(user) ?? accountNamed(core.people, user));

  function changeAccount(did: string, change: Partial<AccountState>): void {
    state.accounts.put({ takenDown: false, passwordsRevoked: false, ...state.accounts.get(did), ...change, did });
  }

  serve(control, listBlueskyPosts, () => ({ items: postsOf(state) }));
  serve(control, listBlueskyMessages, () => ({ items: messagesTruth(core, ({ id }) => toChatId(id)) }));

  serve(control, describeAccount, ({ body: { user } }) => {
    const person = directory.find(user) ?? accountNamed(core.people, user);
    return {
      did: directory.didOf(person),
      handle: directory.handleOf(person),
      appPassword: passwordOf(person, 'com.atproto.appPassPrivileged'),
      appPasswordWithoutMessages: passwordOf(person, 'com.atproto.appPass'),
    };
  });

  serve(control, takeDown, ({ body: { user, on } }) => {
    const did = didNamed(user);
    changeAccount(did, { takenDown: on });
    jetstream.announceAccount(did, on ? { active: false, status: 'takendown' } : { active: true });
    return { user, on };
  });

  serve(control, revokeBluesky, ({ body: { user, passwords } }) => {
    const did = didNamed(user);
    if (passwords) changeAccount(did, { passwordsRevoked: true });
    return { sessions: sessions.revoke(did) };
  });

  serve(control, spendPoints, ({ body: { user, points } }) => ({
    remaining: state.rateLimits.spend(WRITES, didNamed(user), points).remaining,
  }));

  serve(control, expireAccess, () => {
    sessions.expireAccess();
    return { expired: true };
  });

  serve(control, setUpstream, ({ body: { upstream, on } }) => {
    if (on) state.unreachable.delete(upstream);
    else state.unreachable.add(upstream);
    return { upstream, on };
  });

  serve(control, listJetstream, () => jetstream.describe());
  serve(control, disconnectJetstream, ({ body: { code } }) => ({ disconnected: jetstream.disconnect(code) }));
  return control;
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
