import type { Kysely, Transaction } from 'kysely';
import type { DeliveryRows } from '#src/engine/delivery/delivery-rows.ts';
import { withOrdering, type DeliveryStore } from '#src/engine/delivery/delivery-store.ts';
import { isSettled, type Delivery } from '#src/engine/delivery/delivery.ts';
import { changeDelivery } from './change-delivery.ts';
import { createQueue } from './delivery-queue.ts';
import { DELIVERY_COLUMNS, toDelivery } from './delivery-row.ts';
import { createStoredSteps } from './delivery-steps.ts';
import { lockRule } from './dialect.ts';
import { groupCommit, type Write } from './group-commit.ts';
import { isOneOf } from './json-list.ts';
import { dependentAccounts, type LaneJobs } from './lane-jobs.ts';
import { insertParts } from './parts.ts';
import { isCollision } from './postgres/database-error.ts';
import { prepared } from './prepared.ts';
import type { ProcessLock } from './process-lock.ts';
import { reopenDelivery } from './reopen-delivery.ts';
import { isUnsettled } from './settled-column.ts';
import type { Tables } from './tables.ts';
import { inTransaction } from './transaction.ts';

export interface DeliveriesOptions {
  readonly db: Kysely<Tables>;
  readonly sender: Pick<ProcessLock, 'claim'>;
  readonly write?: Write | undefined;
  readonly laneJobs?: LaneJobs | undefined;
}

/** The deliveries in the database. */
export function createDeliveries({ db, sender, write = groupCommit(db), laneJobs }: DeliveriesOptions): DeliveryStore {
  return withOrdering({
    claim: (options) => sender.claim(options),

    async find(id) {
      const [row] = (await loadDeliveries(db, { ids: [id] })).rows;
      return row && toDelivery(row);
    },

    load: async (ids) => (await loadDeliveries(db, { ids })).rows.map(toDelivery),
    ...createQueue(db),
    ...createStoredSteps(db),
    change: createChange({ db, write, laneJobs }),

    async retryRefused({ nowMs, account }) {
      const refused = db
        .updateTable('delivery')
        .set({ due_ms: nowMs })
        .where(isUnsettled(db))
        .where('state', 'in', ['pending', 'sending'])
        .where('fault', '=', 'unauthorized')
        // A delivery of a rule that may return would be skipped now.
        .where('withdrawn', 'is', null)
        .where('due_ms', '>', nowMs);
      await (account === undefined ? refused : refused.where('account', '=', account)).execute();
    },

    async reopen(delivery, change, reopening) {
      const accounts = [delivery.account];
      const isReopened = await inTransaction(db, async (trx) => {
        if (!(await reopenDelivery(trx, delivery, change, reopening))) return false;
        await laneJobs?.create(trx, accounts);
        return true;
      });
      if (!isReopened) return undefined;
      laneJobs?.announce(accounts);
      return { ...delivery, ...change };
    },
  });
}

const loadDeliveries = prepared((db, { ids }: { readonly ids: readonly string[] }) =>
  db.selectFrom('delivery').select(DELIVERY_COLUMNS).where(isOneOf('id', ids)),
);

function createChange({
  db,
  write,
  laneJobs,
}: Pick<DeliveriesOptions, 'db' | 'laneJobs'> & { readonly write: Write }): DeliveryRows['change'] {
  return async (delivery, change, { parts = [], lease, evenIfWithdrawn } = {}) => {
    // A new reason replaces the data of the one before.
    const after = { ...delivery, ...('message' in change && { reason: undefined }), ...change };
    const mayFree = isSettled(after) || after.state === 'asked';
    // Most changes in a lane concern no other account, so one statement is enough.
    if (laneJobs && lease && parts.length === 0) {
      const condition = { token: lease.token, ifNoneWaits: mayFree, evenIfWithdrawn };
      if (await withoutCollision(changeDelivery(db, delivery, change, condition))) return after;
    }
    const store = async (trx: Transaction<Tables>): Promise<Delivery | undefined> => {
      // A firing that is being committed would not see the parts.
      if (parts.length > 0) await lockRule(trx, delivery.rule);
      if (!(await changeDelivery(trx, delivery, change, { token: lease?.token, evenIfWithdrawn }))) return undefined;
      if (parts.length > 0) await insertParts(trx, delivery.id, parts);
      return after;
    };
    if (!laneJobs) return write(store);
    const { changed, accounts } = await write(async (trx) => {
      const stored = await store(trx);
      const freed = stored && mayFree ? await dependentAccounts(trx, stored) : [];
      // The holder of the lane knows what it did.
      const affected = lease ? freed.filter((account) => account !== delivery.account) : [...freed, delivery.account];
      if (stored) await laneJobs.create(trx, affected);
      return { changed: stored, accounts: affected };
    });
    if (changed) laneJobs.announce(accounts);
    return changed;
  };
}

/** Whether a change is stored. It is not if it collided with another transaction, so that it can be repeated in a longer one. */
async function withoutCollision(change: Promise<boolean>): Promise<boolean> {
  try {
    return await change;
  } catch (error) {
    if (isCollision(error)) return false;
    throw error;
  }
}
