import { expect, onTestFinished, test } from 'vitest';
import { keepSubscribed } from '#adapters/twitch/eventsub/keep-subscribed.ts';
import type { EventSubApi, Topic } from '#adapters/twitch/eventsub/api.ts';
import type { NotifierStatus } from '#src/clients/operation/notifier.ts';
import { type Fault, PlatformError } from '#src/errors.ts';
import { IN_MEMORY, ManualClock } from '../../support/manual-clock.ts';

const BOUND = { conduitId: 'conduit', number: 0, sessionId: 'session' };
const NOW = Date.UTC(2026, 10, 25);

/** The work of a connected process. Each name is the id of its channel. */
function open(first: readonly string[]) {
  const clock = new ManualClock(NOW, IN_MEMORY);
  const stopping = new AbortController();
  onTestFinished(() => stopping.abort());
  let names = first;
  let changed = Promise.withResolvers<void>();
  let failure: PlatformError | undefined;
  const created: string[] = [];
  const statuses: NotifierStatus[] = [];
  let covered: readonly string[] = [];
  let namesById: ReadonlyMap<string, readonly string[]> = new Map();
  const totals = () => ({ cost: created.length, maxCost: 10_000 });
  const api: EventSubApi = {
    list: () => Promise.resolve({ subscriptions: [], totals: totals() }),
    totals: () => Promise.resolve(totals()),
    shards: () => Promise.resolve([BOUND]),
    resize: () => Promise.resolve(),
    remove: () => Promise.resolve(),
    create(_conduit: string, { type, channelId }: Topic) {
      if (failure) return Promise.reject(failure);
      created.push(`${type} ${channelId}`);
      return Promise.resolve({ id: `${type} ${channelId}`, cost: 1, totals: totals() });
    },
  } as Partial<EventSubApi> as EventSubApi; // what keepSubscribed calls
  const kept = keepSubscribed({
    api,
    bound: () => BOUND,
    channels: {
      watch(some) {
        namesById = new Map(some.map((name) => [name, [name]]));
        return Promise.resolve();
      },
      get namesById() {
        return namesById;
      },
      unknown: [],
      changed: () => undefined,
      mayHaveChanged: () => undefined,
      missed: () => undefined,
    },
    names: {
      current: () => Promise.resolve(new Map([['getStreams', names]])),
      readingChanges: () => Promise.resolve(new Map()),
      changed: () => changed.promise,
    },
    onStatus: (status) => void statuses.push(status),
    onCovered: (_names, presenceOnly) => void (covered = presenceOnly?.get('getStreams') ?? []),
    clock,
    signal: stopping.signal,
  });
  let end: unknown;
  kept.ended.then(
    () => (end = 'ended'),
    (error: unknown) => (end = error),
  );
  return {
    clock,
    created,
    covered: () => covered,
    status: () => statuses.at(-1),
    end: () => end,
    fail: (fault: Fault | undefined, more: { readonly retryAt?: Date } = {}) =>
      void (failure = fault && new PlatformError(`it is ${fault}`, { platform: 'twitch', fault, ...more })),
    watch(next: readonly string[]) {
      names = next;
      changed.resolve();
      changed = Promise.withResolvers();
    },
  };
}

test.for(['rateLimited', 'unavailable', 'unreachable', 'unanswered'] as const)(
  'a request about one channel that is %s leaves the other channels notified, and is sent again',
  async (fault) => {
    const one = open(['ada', 'grace']);
    await one.clock.advance(0);
    expect(one.covered()).toEqual(['ada', 'grace']);

    // Twitch asks for more than a minute, so the request is not repeated within `create`.
    one.fail(fault, { retryAt: new Date(NOW + 120_000) });
    one.watch(['ada', 'grace', 'linus']);
    await one.clock.advance(1_000);
    expect([one.end(), one.covered()]).toEqual([undefined, ['ada', 'grace']]);
    expect(one.status()).toMatchObject({ state: 'connected', onlyPolled: 1, problem: `it is ${fault}`, fault });

    one.fail(undefined);
    await one.clock.advance(120_000);
    expect(one.covered()).toEqual(['ada', 'grace', 'linus']);
    expect(one.status()).toMatchObject({ state: 'connected', onlyPolled: 0 });
    expect(one.status()?.problem).toBeUndefined();
  },
);

test('a pause of hours is asked about again after 15 minutes', async () => {
  const one = open(['ada']);
  await one.clock.advance(0);
  one.fail('rateLimited', { retryAt: new Date(NOW + 6 * 3_600_000) });
  one.watch(['ada', 'grace']);
  await one.clock.advance(1_000);
  one.fail(undefined);
  await one.clock.advance(15 * 60_000);
  expect(one.covered()).toEqual(['ada', 'grace']);
});

test('a lasting fault ends the connection', async () => {
  const one = open(['ada']);
  await one.clock.advance(0);
  one.fail('unauthorized');
  one.watch(['ada', 'grace']);
  await one.clock.advance(1_000);
  expect(one.end()).toMatchObject({ fault: 'unauthorized' });
});

test('the channels of the 10,000 names with the highest priority are looked up', async () => {
  const names = Array.from({ length: 10_003 }, (_, index) => `name${index}`);
  const one = open(names.slice(0, 1));
  await one.clock.advance(0);
  one.fail('forbidden');
  one.watch(names);
  await one.clock.advance(1_000);
  expect(one.status()).toMatchObject({ onlyPolled: 10_002 });
  expect(one.covered()).toEqual(['name0']);
});
