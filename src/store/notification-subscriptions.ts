import type { Kysely } from 'kysely';
import type { NotificationSubscription, NotificationSubscriptions } from '#src/clients/operation/notification-request.ts';
import { fromText, toDate, toMs } from './columns.ts';
import type { Tables } from './tables.ts';

type Row = Pick<Tables['notification_subscription'], 'id' | 'topic' | 'names' | 'hub' | 'state' | 'since_ms' | 'until_ms'>;

/** The subscriptions of accounts to notifications over the public address, in the database. */
export function createNotificationSubscriptions(db: Kysely<Tables>): (account: string) => NotificationSubscriptions {
  return (account) => {
    const rows = db.selectFrom('notification_subscription').selectAll().where('account', '=', account);
    return {
      all: async () => (await rows.orderBy('id').execute()).map(toSubscription),

      async find(id) {
        const row = await rows.where('id', '=', id).executeTakeFirst();
        return row && toSubscription(row);
      },

      async keep({ id, topic, names, hub, state, since, until }) {
        const row = { topic, names: JSON.stringify(names), hub: hub ?? null, state, since_ms: since.getTime(), until_ms: toMs(until) };
        await db
          .insertInto('notification_subscription')
          .values({ account, id, ...row })
          .onConflict((conflict) => conflict.columns(['account', 'id']).doUpdateSet(row))
          .execute();
      },

      async drop(id) {
        await db.deleteFrom('notification_subscription').where('account', '=', account).where('id', '=', id).execute();
      },
    };
  };
}

function toSubscription({ id, topic, names, hub, state, since_ms, until_ms }: Row): NotificationSubscription {
  return {
    id,
    topic,
    names: fromText<readonly string[]>(names),
    hub: hub ?? undefined,
    state,
    since: new Date(since_ms),
    until: toDate(until_ms),
  };
}
