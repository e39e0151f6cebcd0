import type { EventBus } from '#src/engine/event-bus.ts';
import type { Store } from '#src/store/store.ts';

/** A store that publishes the changes of the lists that people edit, and of the log of actions. */
export function publishChanges(store: Store, eventBus: Pick<EventBus, 'changing'>): Store {
  const { lists, auditLog } = store;
  const [listsChanged, actionsChanged] = [eventBus.changing('lists'), eventBus.changing('actions')];
  return {
    ...store,
    lists: {
      ...lists,
      async edit(...edit) {
        const change = await lists.edit(...edit);
        if (change) listsChanged();
        return change;
      },
      async remove(...list) {
        const change = await lists.remove(...list);
        if (change) listsChanged();
        return change;
      },
      async removeServer(server) {
        await lists.removeServer(server);
        listsChanged();
      },
    },
    auditLog: {
      ...auditLog,
      async start(entry) {
        await auditLog.start(entry);
        actionsChanged();
      },
      async end(entry) {
        await auditLog.end(entry);
        actionsChanged();
      },
    },
  };
}
