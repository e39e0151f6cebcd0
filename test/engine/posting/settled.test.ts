import { setTimeout as sleep } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { createEventBus } from '#src/engine/event-bus.ts';
import { createPosting } from '#src/engine/posting/create-posting.ts';
import { systemClock } from '#src/clock.ts';
import { silentLog } from '#src/log.ts';
import { openStore } from '#src/store/store.ts';

test('a wait that stops during the look-up leaves no unhandled rejection', async () => {
  const uncaught: unknown[] = [];
  const note = (reason: unknown): void => void uncaught.push(reason);
  process.on('unhandledRejection', note);
  onTestFinished(() => void process.off('unhandledRejection', note));
  await using store = await openStore();
  const posting = createPosting({
    accounts: {},
    clients: { social: new Map() },
    store: {
      ...store,
      posts: {
        ...store.posts,
        // A database that is busy for a moment.
        async find(id) {
          await sleep(20);
          return store.posts.find(id);
        },
      },
    },
    eventBus: createEventBus(),
    wake: () => undefined,
    dataDirectory: '.',
    queueTimes: [],
    pictureHosts: new Set(),
    clock: systemClock,
    log: silentLog,
  });
  const leaving = new AbortController();

  const settled = posting.settled('x', leaving.signal);
  leaving.abort();
  await settled;
  await sleep(10);

  expect(uncaught).toEqual([]);
});
