import type { Clock } from '#src/clock.ts';
import { createEventBus } from '#src/engine/event-bus.ts';
import { createPosting, type RunningPosting } from '#src/engine/posting/create-posting.ts';
import { silentLog } from '#src/log.ts';
import type { Store } from '#src/store/store.ts';

/** Posting over a store, through accounts that exist by name only. */
export function postingOver(store: Store, clock: Clock, accounts: readonly string[] = []): RunningPosting {
  return createPosting({
    accounts: { social: { all: accounts, defaults: accounts } },
    clients: { social: new Map(accounts.map((name) => [name, { platformName: name, textLimit: undefined }])) },
    store,
    eventBus: createEventBus(),
    wake: () => undefined,
    dataDirectory: '/nonexistent',
    queueTimes: ['09:30'],
    pictureHosts: new Set(),
    clock,
    log: silentLog,
  });
}
