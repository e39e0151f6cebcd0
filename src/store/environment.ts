import type { Kysely, Transaction } from 'kysely';
import type { StateTable } from './transfer/state-tables.ts';
import { inTransaction } from './transaction.ts';
import type { Tables } from './tables.ts';

/** Whether the accounts of a state are simulated. */
type Environment = Tables['environment']['name'];

/** The environment of a state. A message about the sandbox must never reach a real account. */
export interface Environments {
  /** The environment of the last start; undefined before the first start, and in a state of an earlier version. */
  stored(): Promise<Environment | undefined>;
  /**
   * Begins a run with these accounts. Before a run with real accounts, a state of the sandbox loses what it knows of the sandbox: `cleared`.
   * `refused`: the state is of real accounts, whose episodes the sandbox would end, or another process uses the sandbox.
   */
  begin(environment: Environment, options: { readonly isAlone: boolean }): Promise<'begun' | 'cleared' | 'refused'>;
}

/** What people set up. It stays if real accounts replace the sandbox. */
const KEPT: ReadonlySet<StateTable> = new Set<StateTable>([
  'environment',
  'paused_rule',
  'planned_pause',
  'rule_source',
  'saved_view',
  'post_draft',
  'sealed_token',
  'audit',
  'person',
  'web_session',
  'api_token',
  'sign_in_attempt',
  'first_run_token',
  'repeated_request',
  'list',
  'list_entry',
  'list_change',
]);

/** The environment in the database. */
export function createEnvironments(db: Kysely<Tables>): Environments {
  return {
    stored: () => storedIn(db),

    begin: (environment, { isAlone }) =>
      inTransaction(db, async (trx) => {
        const before = await storedIn(trx);
        if (before === environment) return 'begun';
        if (before === 'real' || (before === 'sandbox' && !isAlone)) return 'refused';
        // A state of an earlier version does not say whether its accounts are simulated.
        if (before === undefined && environment === 'sandbox' && (await hasRun(trx))) return 'begun';
        if (before === 'sandbox') await clear(trx);
        await trx.deleteFrom('environment').execute();
        await trx
          .insertInto('environment')
          .values({ name: environment })
          // Another process may begin at the same time.
          .onConflict((conflict) => conflict.doNothing())
          .execute();
        return before === 'sandbox' ? 'cleared' : 'begun';
      }),
  };
}

async function storedIn(db: Kysely<Tables>): Promise<Environment | undefined> {
  return (await db.selectFrom('environment').select('name').executeTakeFirst())?.name;
}

async function hasRun(trx: Transaction<Tables>): Promise<boolean> {
  const [state, delivery] = await Promise.all([
    trx.selectFrom('rule_state').select('rule').limit(1).executeTakeFirst(),
    trx.selectFrom('delivery').select('id').limit(1).executeTakeFirst(),
  ]);
  return state !== undefined || delivery !== undefined;
}

/** Deletes what the state knows of accounts, servers and episodes. */
async function clear(trx: Transaction<Tables>): Promise<void> {
  // A state is cleared once, and each start would load the list.
  const { STORED_TABLES } = await import('./transfer/state-tables.ts');
  for (const { name } of STORED_TABLES.toReversed()) {
    if (!KEPT.has(name)) await trx.deleteFrom(name).execute();
  }
  for (const name of ['list_entry', 'list', 'list_change'] as const) await trx.deleteFrom(name).where('server', '<>', '').execute();
  for (const name of ['item_name', 'unindexed_episode', 'indexed_decision'] as const) await trx.deleteFrom(name).execute();
}
