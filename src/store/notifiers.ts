import type { Kysely } from 'kysely';
import type { NotifierReport, NotifierStatus, NotifierStore } from '#src/clients/operation/notifier.ts';
import { fromOptionalText, toDate, toMs } from './columns.ts';
import type { CreateLock, ProcessLock } from './process-lock.ts';
import type { Tables } from './tables.ts';

/** As long as the lease of a lane. */
const IDLE_MS = 12_000;

interface NotifiersOptions {
  readonly db: Kysely<Tables>;
  /** Creates the lock with a name. */
  readonly createLock: CreateLock;
}

/** The connections over which platforms notify, in the database. */
export function createNotifiers({ db, createLock }: NotifiersOptions): NotifierStore & Disposable {
  const locks = new Map<string, ProcessLock>();

  async function keep(account: string, row: { text: string } | { status: string; notified_ms: number | null }): Promise<void> {
    await db
      .insertInto('notifier')
      .values({ account, ...row })
      .onConflict((conflict) => conflict.column('account').doUpdateSet(row))
      .execute();
  }

  return {
    textOf: (account) => ({
      async load() {
        const row = await db.selectFrom('notifier').select('text').where('account', '=', account).executeTakeFirst();
        return row?.text ?? undefined;
      },
      save: (text) => keep(account, { text }),
    }),

    async report(account) {
      const row = await db.selectFrom('notifier').select(['status', 'notified_ms']).where('account', '=', account).executeTakeFirst();
      return row && toReport(row);
    },

    async reports() {
      const rows = await db.selectFrom('notifier').select(['account', 'status', 'notified_ms']).orderBy('account').execute();
      return new Map(
        rows.flatMap(({ account, ...row }) => {
          const report = toReport(row);
          return report ? [[account, report] as const] : [];
        }),
      );
    },

    keepReport: (account, { notifiedAt, ...status }: NotifierReport) =>
      keep(account, { status: JSON.stringify(status), notified_ms: toMs(notifiedAt) }),

    async noteNotified(account, at) {
      await db.updateTable('notifier').set({ notified_ms: at.getTime() }).where('account', '=', account).execute();
    },

    async claim({ account, isSubstitute, onWait, signal }) {
      const name = `notifications-${account}${isSubstitute ? '-substitute' : ''}`;
      const lock = locks.get(name) ?? createLock(name, { idleMs: IDLE_MS });
      locks.set(name, lock);
      return lock.claim({ onWait, signal });
    },

    [Symbol.dispose]() {
      for (const lock of locks.values()) lock.close();
    },
  };
}

function toReport({
  status: text,
  notified_ms,
}: {
  readonly status: string | null;
  readonly notified_ms: number | null;
}): NotifierReport | undefined {
  const status = fromOptionalText<NotifierStatus>(text);
  return status && { ...status, notifiedAt: toDate(notified_ms) };
}
