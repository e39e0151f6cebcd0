import type { Transaction } from 'kysely';
import type { Delivery } from '#src/engine/delivery/delivery.ts';
import { isOpen } from './delivery-needs.ts';
import type { Tables } from './tables.ts';

/** Brings accounts with new work to the attention of the processes that send. A store of one process needs none. */
export interface LaneJobs {
  /** Creates the jobs of these accounts in the transaction that stores their deliveries. */
  create(trx: Transaction<Tables>, accounts: readonly string[]): Promise<void>;
  /** Wakes the holders of these accounts after the commit. */
  announce(accounts: readonly string[]): void;
}

/** The accounts of open deliveries of a rule, which a withdrawal may have freed. */
export async function openAccounts(trx: Transaction<Tables>, rule: string): Promise<readonly string[]> {
  const open = trx.selectFrom('delivery').select('account').distinct().where('rule', '=', rule).where(isOpen('delivery'));
  return (await open.execute()).map(({ account }) => account);
}

/** The accounts of open deliveries that need this one. */
export async function dependentAccounts(trx: Transaction<Tables>, { id }: Pick<Delivery, 'id'>): Promise<readonly string[]> {
  const dependent = trx
    .selectFrom('need')
    .innerJoin('delivery', 'delivery.id', 'need.delivery')
    .select('delivery.account')
    .distinct()
    .where('need.needed', '=', id)
    .where(isOpen('delivery'));
  return (await dependent.execute()).map(({ account }) => account);
}
