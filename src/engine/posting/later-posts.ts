import type { Clock } from '#src/clock.ts';
import { isSettled, type Delivery } from '#src/engine/delivery/delivery.ts';
import { POST_RULE, type PostAndDeliveries, type Posts } from './posts.ts';
import type { Decision } from '#src/rules/decision.ts';
import type { LaterPost, PostSchedule } from '#src/clients/social/providers.ts';
import type { EventBus } from '#src/engine/event-bus.ts';
import { laterFiring } from './post-firing.ts';

/** The author of posts that no person in Discord wrote. */
const BY = { id: '', name: 'createScheduledPost' } as const;
/** The period in which failed posts are listed. */
const FAILED_LISTED_MS = 24 * 60 * 60_000;
const MOST_PAST = 100;

export interface LaterPostsOptions {
  readonly posts: Posts;
  readonly eventBus: Pick<EventBus, 'publish'>;
  /** Wakes the delivery engine. */
  readonly wake: () => void;
  readonly clock: Clock;
}

/** Creates the local schedule of posts. The delivery engine sends them like the posts of people. */
export function createLaterPosts({ posts, eventBus, wake, clock }: LaterPostsOptions): PostSchedule {
  async function find(account: string, id: string): Promise<LaterPost | undefined> {
    const found = await posts.find(id);
    return found?.post.server === placeOf(account) && found.post.cancelledBy === undefined ? toLater(found, account) : undefined;
  }

  return {
    async keep({ id, account, sendAt, params }) {
      let decided: Decision | undefined;
      const reason = `a post through ${account} was scheduled for ${sendAt.toISOString()}`;
      const kept = await posts.commit({
        id,
        by: BY,
        server: placeOf(account),
        text: typeof params['text'] === 'string' ? params['text'] : '',
        params,
        isQueued: false,
        chooseTime: () => sendAt,
        toFiring: (at) => laterFiring(params, { id, account, by: BY.name, at }),
        toDecision: () => (decided = { rule: POST_RULE, atMs: clock.nowMs(), outcome: 'fired', episode: id, message: reason }),
      });
      if (decided) {
        eventBus.publish({ kind: 'decision', decision: decided });
        wake();
      }
      return toLater(kept, account);
    },

    find,

    async waiting(account) {
      const place = placeOf(account);
      const past = await posts.recent(place, MOST_PAST);
      const open = past.filter(({ deliveries }) => deliveries.some((delivery) => !isSettled(delivery)));
      const sinceMs = clock.nowMs() - FAILED_LISTED_MS;
      const failed = past.filter(({ post: { at }, deliveries }) =>
        // Attempts go on for a day.
        deliveries.some(({ state, settledAt = at }) => FAILED.has(state) && settledAt.getTime() > sinceMs),
      );
      const all = [...new Set([...open, ...failed, ...(await posts.waiting(place))])];
      return all.map((one) => toLater(one, account)).toSorted((a, b) => a.sendAt.getTime() - b.sendAt.getTime());
    },

    async drop(account, id) {
      if (!(await find(account, id))) return true;
      const after = await posts.withdraw(id, BY.name);
      return (after?.deliveries ?? []).every(({ state }) => state === 'skipped' || state === 'failed');
    },
  };
}

const FAILED: ReadonlySet<Delivery['state']> = new Set(['failed', 'unknown']);

/** The key under which the posts of an account are listed. No Discord server has such an id. */
function placeOf(account: string): string {
  return `account ${account}`;
}

function toLater({ post, deliveries }: PostAndDeliveries, account: string): LaterPost {
  const { id, at: sendAt, params = {} } = post;
  return { id, account, sendAt, params, state: stateOf(deliveries[0]) };
}

function stateOf(delivery: Delivery | undefined): LaterPost['state'] {
  if (delivery && FAILED.has(delivery.state)) return 'failed';
  return delivery?.state === 'pending' && delivery.since === undefined ? 'scheduled' : 'sending';
}
