import { sql, type Kysely, type Selectable, type Transaction } from 'kysely';
import { RESEND_WITHIN_MS } from '#src/engine/delivery/resolution.ts';
import type { Clock } from '#src/clock.ts';
import { Refused } from '#src/errors.ts';
import type { Delivery } from '#src/engine/delivery/delivery.ts';
import { withDeliveryMessage } from '#src/engine/delivery/reason.ts';
import { hash } from '#src/rules/firing.ts';
import type { Step } from '#src/rules/step.ts';
import {
  POST_RULE,
  type EditOutcome,
  type EditPost,
  type PersonPost,
  type PostAndDeliveries,
  type Posts,
} from '#src/engine/posting/posts.ts';
import { isOfPost } from '#src/engine/posting/post-firing.ts';
import { chunks, fromText, toFlag } from './columns.ts';
import { commitFiring } from './commit-firing.ts';
import { doubtfulRestores } from './restores.ts';
import { commitDecisions } from './decision-log.ts';
import { isOneOf } from './json-list.ts';
import { lockTable } from './dialect.ts';
import type { LaneJobs } from './lane-jobs.ts';
import { DELIVERY_COLUMNS, endOf, toDelivery } from './delivery-row.ts';
import { inTransaction } from './transaction.ts';
import { skipPending } from './withdraw.ts';
import type { Tables } from './tables.ts';

export interface PostsOptions {
  readonly db: Kysely<Tables>;
  readonly clock: Clock;
  /** Runs before each commit. */
  readonly prune: () => Promise<void>;
  readonly laneJobs?: LaneJobs | undefined;
}

/** The part of a post that no query selects by. */
type Body = Pick<PersonPost, 'text' | 'params' | 'picture' | 'editedBy'> & {
  /** Absent without an edit. */
  readonly edits?: number;
};

/** Retention period for what a failed delivery needs to be sent again, from its last attempt. */
export const KEPT_FOR_RESEND_MS = RESEND_WITHIN_MS + 60 * 60_000;

/** Posts of people in the database. */
export function createPosts({ db, clock, prune, laneJobs }: PostsOptions): Posts {
  return {
    async commit({ chooseTime, toFiring, toDecision, needsDraft = false, ...post }) {
      await prune();
      const kept = await inTransaction(db, async (trx) => {
        await lockTable(trx, 'post');
        const known = await find(trx, post.id);
        if (known) return known;
        const { numDeletedRows } = await trx.deleteFrom('post_draft').where('id', '=', post.id).executeTakeFirst();
        if (needsDraft && numDeletedRows === 0n) throw new Refused('draftNotFound', 'The draft was discarded.');
        const at = chooseTime(await takenTimes(trx, post.server));
        await insert(trx, { ...post, at, madeAt: new Date(clock.nowMs()) });
        const firing = toFiring(at);
        const nowMs = clock.nowMs();
        await commitFiring(trx, firing, { nowMs, restores: await doubtfulRestores(trx, firing.rule, nowMs) });
        await commitDecisions(trx, [toDecision(at)]);
        const made = await found(trx, post.id);
        await laneJobs?.create(trx, accountsOf(made));
        return made;
      });
      laneJobs?.announce(accountsOf(kept));
      return kept;
    },

    find: (id) => find(db, id),

    async waiting(server) {
      const all = db.selectFrom('post').selectAll().where('cancelled_by', 'is', null);
      const posts = server === undefined ? all : all.where('server', '=', server);
      const rows = await posts.where('at_ms', '>', clock.nowMs()).orderBy('at_ms').orderBy('id').execute();
      const found = await withDeliveries(db, rows);
      return server === undefined ? found.filter(({ post }) => post.params === undefined) : found;
    },

    async recent(server, most) {
      const posts = db.selectFrom('post').selectAll().where('server', '=', server).where('cancelled_by', 'is', null);
      const past = posts.where('at_ms', '<=', clock.nowMs()).orderBy('at_ms', 'desc').orderBy('id').limit(most);
      return withDeliveries(db, await past.execute());
    },

    withdraw: (id, by) =>
      inTransaction(db, async (trx) => {
        await lockTable(trx, 'post');
        const before = await find(trx, id);
        if (!before) return undefined;
        const explained = withDeliveryMessage({ kind: 'postWithdrawn', by });
        await skipPending(trx, before.deliveries.filter(isFirstPart), explained);
        const first = (await found(trx, id)).deliveries.filter(isFirstPart);
        const skippedOn = first.filter(({ reason }) => reason?.kind === 'postWithdrawn').map(({ account }) => account);
        // The author hears of the accounts for which it was too late, if they fail.
        const isNeeded = (one: Delivery): boolean => (isOfPost(one) ? !skippedOn.includes(one.account) : skippedOn.length < first.length);
        const unneeded = before.deliveries.filter((one) => !isFirstPart(one) && !isNeeded(one));
        await skipPending(trx, unneeded, explained);
        // Several cancellations, each for other accounts, can cancel the whole post.
        if (skippedOn.length === first.length)
          await trx.updateTable('post').set({ cancelled_by: by }).where('id', '=', id).where('cancelled_by', 'is', null).execute();
        return found(trx, id);
      }),

    move: (id, at) =>
      inTransaction(db, (trx) => move(trx, { id, at, nowMs: clock.nowMs(), laneJobs })).catch((error: unknown) => {
        if (error instanceof AlreadyBegun) return false;
        throw error;
      }),

    async step(delivery) {
      const row = await db.selectFrom('delivery').select('plan').where('id', '=', delivery).executeTakeFirst();
      return row && fromText<Step>(row.plan);
    },

    edit: (id, change) =>
      inTransaction(db, (trx) => edit(trx, id, change)).catch((error: unknown) => {
        if (error instanceof AlreadyBegun) return 'begun';
        throw error;
      }),

    takenTimes: (server) => takenTimes(db, server),

    pictures: () => neededPictures(db, clock.nowMs() - KEPT_FOR_RESEND_MS),
  };
}

/** Another process began a delivery of the post after it was read. */
class AlreadyBegun extends Error {}

/** Gives a post that is not begun another time; false: it is begun, or there is none. */
async function move(
  trx: Transaction<Tables>,
  { id, at, nowMs, laneJobs }: { readonly id: string; readonly at: Date; readonly nowMs: number } & Pick<PostsOptions, 'laneJobs'>,
): Promise<boolean> {
  await lockTable(trx, 'post');
  const before = await find(trx, id);
  if (!before || !isUntouched(before)) return false;
  const { deliveries } = before;
  const dueMs = Math.max(at.getTime(), nowMs);
  const ids = deliveries.map((one) => one.id);
  const { numUpdatedRows } = await trx
    .updateTable('delivery')
    .set(({ eb }) => ({ begins_ms: dueMs, due_ms: dueMs, expires_ms: eb('max_age_ms', '+', dueMs) }))
    .where(isOneOf('id', ids))
    .where('state', '=', 'pending')
    .where('since_ms', 'is', null)
    .executeTakeFirstOrThrow();
  if (numUpdatedRows !== BigInt(ids.length)) throw new AlreadyBegun();
  const firings = deliveries.map(({ firing }) => firing);
  await trx.updateTable('firing').set({ at_ms: dueMs }).where(isOneOf('id', firings)).execute();
  await trx.updateTable('post').set({ at_ms: dueMs, queued: 0 }).where('id', '=', id).execute();
  await laneJobs?.create(trx, accountsOf(before));
  return true;
}

/** Gives a post that is not begun another text. */
async function edit(trx: Transaction<Tables>, id: string, { text, edits, by, toStep }: EditPost): Promise<EditOutcome> {
  await lockTable(trx, 'post');
  const before = await find(trx, id);
  if (!before || !isUntouched(before)) return 'begun';
  const { post, deliveries } = before;
  if (post.edits !== edits) return 'edited';
  const [old = ''] = deliveries.map(({ firing }) => firing);
  // The condition of each attempt includes its firing, so an attempt that has read the old text does not begin.
  const firing = hash(POST_RULE, id, String(edits + 1));
  const row = await trx.selectFrom('firing').selectAll().where('id', '=', old).executeTakeFirstOrThrow();
  await trx
    .insertInto('firing')
    .values({ ...row, id: firing })
    .execute();
  const plans = await trx.selectFrom('delivery').select(['id', 'plan']).where('firing', '=', old).execute();
  for (const { id: delivery, plan } of plans) {
    const { numUpdatedRows } = await trx
      .updateTable('delivery')
      .set({ firing, plan: JSON.stringify(toStep(fromText<Step>(plan))) })
      .where('id', '=', delivery)
      .where('state', '=', 'pending')
      .where('since_ms', 'is', null)
      .executeTakeFirstOrThrow();
    if (numUpdatedRows !== 1n) throw new AlreadyBegun();
  }
  await trx.deleteFrom('firing').where('id', '=', old).execute();
  const { params, picture } = post;
  const body: Body = { text, params, picture, edits: edits + 1, editedBy: by };
  await trx
    .updateTable('post')
    .set({ body: JSON.stringify(body) })
    .where('id', '=', id)
    .execute();
  return 'done';
}

function isFirstPart(delivery: Delivery): boolean {
  return isOfPost(delivery) && delivery.after === undefined;
}

function isUntouched({ deliveries }: PostAndDeliveries): boolean {
  return deliveries.every(({ state, since }) => state === 'pending' && since === undefined);
}

/** The pictures of posts with open deliveries. */
async function neededPictures(db: Kysely<Tables>, failedSinceMs: number): Promise<ReadonlySet<string>> {
  const needing = db
    .selectFrom('post')
    .select('body')
    .where((eb) =>
      eb.exists(
        eb
          .selectFrom('delivery')
          .select('delivery.seq')
          .where('delivery.rule', '=', POST_RULE)
          .whereRef('delivery.episode', '=', 'post.id')
          .where((its) =>
            its.or([
              its('delivery.state', 'in', ['pending', 'sending', 'asked', 'unknown']),
              its.and([its('delivery.state', '=', 'failed'), its(endOf('delivery'), '>=', failedSinceMs)]),
            ]),
          ),
      ),
    );
  return new Set((await needing.execute()).flatMap(({ body }) => fromText<Body>(body).picture ?? []));
}

async function insert(
  trx: Transaction<Tables>,
  { id, server, by, at, isQueued, madeAt, text, params, picture }: Omit<PersonPost, 'edits'>,
): Promise<void> {
  const body: Body = { text, params, picture };
  await trx
    .insertInto('post')
    .values({
      id,
      server,
      by_id: by.id,
      by_name: by.name,
      body: JSON.stringify(body),
      at_ms: at.getTime(),
      queued: toFlag(isQueued),
      made_ms: madeAt.getTime(),
    })
    .execute();
}

async function takenTimes(db: Kysely<Tables>, server: string): Promise<ReadonlySet<number>> {
  const queued = db.selectFrom('post').select('at_ms').where('server', '=', server).where('queued', '=', sql.lit(1));
  const rows = await queued.where('cancelled_by', 'is', null).execute();
  return new Set(rows.map(({ at_ms }) => at_ms));
}

async function find(db: Kysely<Tables>, id: string): Promise<PostAndDeliveries | undefined> {
  const row = await db.selectFrom('post').selectAll().where('id', '=', id).executeTakeFirst();
  return row && (await withDeliveries(db, [row]))[0];
}

async function found(trx: Transaction<Tables>, id: string): Promise<PostAndDeliveries> {
  const post = await find(trx, id);
  if (!post) throw new Error(`post ${id} was written and is not there`);
  return post;
}

async function withDeliveries(db: Kysely<Tables>, rows: readonly Selectable<Tables['post']>[]): Promise<readonly PostAndDeliveries[]> {
  const deliveries = [];
  for (const some of chunks(rows.map(({ id }) => id))) {
    const theirs = db
      .selectFrom('delivery')
      .select([...DELIVERY_COLUMNS, 'plan'])
      .where('rule', '=', POST_RULE)
      .where('episode', 'in', some);
    deliveries.push(...(await theirs.orderBy('position').orderBy('part').execute()));
  }
  const byPost = Map.groupBy(deliveries, ({ episode }) => episode);
  return rows.map((row) => {
    const made = byPost.get(row.id) ?? [];
    const plan = made.find(isOfPost)?.plan;
    return { post: toPost(row), deliveries: made.map(toDelivery), step: plan === undefined ? undefined : fromText<Step>(plan) };
  });
}

function toPost({ id, server, by_id, by_name, body, at_ms, queued, made_ms, cancelled_by }: Selectable<Tables['post']>): PersonPost {
  return {
    id,
    server,
    by: { id: by_id, name: by_name },
    edits: 0,
    ...fromText<Body>(body),
    madeAt: new Date(made_ms),
    at: new Date(at_ms),
    isQueued: queued === 1,
    cancelledBy: cancelled_by ?? undefined,
  };
}

function accountsOf({ deliveries }: PostAndDeliveries): readonly string[] {
  return deliveries.map(({ account }) => account);
}
