import { describe, expect, test } from 'vitest';
import { silentLog } from '#src/log.ts';
import { PlatformError } from '#src/errors.ts';
import type { JsonObject } from '#src/clients/operation/json.ts';
import { mentions } from '#src/clients/operation/find-lost.ts';
import type { Search, UnknownAttempt } from '#src/engine/delivery/attempt.ts';
import { createDeliveryEngine } from '#src/engine/delivery/delivery-engine.ts';
import type { Origin } from '#src/rules/audience/origin.ts';
import type { Firing } from '#src/rules/firing.ts';
import { openStore } from '#src/store/store.ts';
import { settle } from '../../contract/delivery-steps.ts';
import { failing, FakePlatform } from '../../support/fake-platform.ts';
import { committing, creating, firing, keysOf, renderPlainly, setting, SLOT_MS } from '../../support/firings.ts';
import { ManualClock } from '../../support/manual-clock.ts';

const MINUTE_MS = 60_000;
const ada = { url: 'https://twitch.tv/ada_', startedAt: '2026-11-20T17:00:00.000Z', owner: { displayName: 'Ada' } };

interface RestoredOptions {
  readonly begins?: boolean;
  readonly search?: Search;
  /** The restricted sources of all texts. */
  readonly origins?: readonly Origin[];
}

/** A state that was copied a minute ago, and a platform that has a card from the minute after the copy. */
async function restored({ begins = true, search, origins }: RestoredOptions = {}) {
  const clock = new ManualClock(SLOT_MS);
  const store = await openStore({ clock });
  const platform = new FakePlatform(clock, { finds: 'key' });
  await store.ruleStates.commit(committing([], { slotMs: SLOT_MS }));
  clock.set(SLOT_MS + MINUTE_MS / 2);
  platform.records.push({
    id: 'first',
    account: 'discord',
    do: 'discord.send',
    key: 'of the lost state',
    params: { content: 'Ada plays chess, 12 viewers' },
    atMs: clock.nowMs(),
  });
  clock.set(SLOT_MS + MINUTE_MS);
  const copiedAt = await store.restores.note();
  if (begins) await store.restores.begin();

  const searched: UnknownAttempt[] = [];
  const find: Search = async ({ about, taken }) => {
    const found = platform.records.find(({ id, params }) => !taken.has(id) && about.length > 0 && mentions(params, about));
    return found ? { found: { id: found.id } } : 'absent';
  };
  const engine = createDeliveryEngine({
    deliveries: store.deliveries,
    perform: platform.perform,
    recover: platform.recover,
    search: (attempt) => {
      searched.push(attempt);
      return (search ?? find)(attempt);
    },
    render: (due) => ({ ...renderPlainly(due), ...(origins && { origins }) }),
    clock,
    log: silentLog,
    random: () => 0.5,
  });
  const stopping = new AbortController();
  const running = engine.run(stopping.signal);
  let slotMs = SLOT_MS + MINUTE_MS;
  return {
    clock,
    store,
    platform,
    engine,
    searched,
    copiedAt,
    async commit(firings: readonly Firing[]) {
      await store.ruleStates.commit(committing(firings, { slotMs: slotMs++ }));
      engine.wake();
      await clock.advance(0);
    },
    find: async (fired: Firing) => store.deliveries.find(keysOf(fired)[0] ?? ''),
    async [Symbol.asyncDispose]() {
      stopping.abort();
      await clock.advance(MINUTE_MS);
      await running;
      await store[Symbol.asyncDispose]();
    },
  };
}

function noRole(): PlatformError {
  return new PlatformError('The server has no role "Live".', {
    platform: 'discord',
    fault: 'missing',
    part: { parameter: 'mention', index: 0 },
  });
}

function announcing(item: object = ada, content = 'Ada plays chess, 99 viewers', more: JsonObject = {}): Firing {
  const card = creating(['discord'], { id: 'card', do: 'discord.send', with: { content, ...more } });
  const scope = { rule: { id: 'live' }, now: new Date(SLOT_MS).toISOString(), item: JSON.parse(JSON.stringify(item)) };
  return firing([card], { scope });
}

describe('after a restore', () => {
  test('an announcement that the lost state sent is adopted, not repeated, and its card is edited from then on', async () => {
    await using running = await restored();
    const fired = announcing();

    await running.commit([fired]);
    const edit = setting(['discord'], { reads: ['card'], with: { message: 'first', content: 'over' } });
    await running.commit([firing([edit], { section: 'finally', sees: [fired.id] })]);

    expect(await running.find(fired)).toMatchObject({
      state: 'sent',
      result: { id: 'first' },
      reason: { kind: 'sentBeforeRestore', account: 'discord' },
    });
    expect(running.platform.attempts.map((attempt) => attempt.do)).toEqual(['discord.edit']);
    expect(running.searched).toMatchObject([{ since: new Date(SLOT_MS), about: ['Ada'] }]);
  });

  test.each([
    ['found', 'sent'],
    ['cannotTell', 'unknown'],
  ])('the record of a restricted source stays with a delivery that is %s', async (answer, state) => {
    const origins: readonly Origin[] = [{ restriction: 'followers', platform: 'mastodon', id: 'secret' }];
    await using running = await restored({
      search: async () => (answer === 'found' ? { found: { id: 'first' } } : 'cannotTell'),
      origins,
    });

    await running.commit([announcing()]);
    await running.clock.advance(20 * MINUTE_MS);

    expect(await running.find(announcing())).toMatchObject({ state, origins });
  });

  test('of two announcements about the same, one is adopted and the other is sent', async () => {
    await using running = await restored();
    const other = {
      ...announcing(),
      ...firing(
        announcing().steps.map(({ step }) => step),
        { occasion: '2', scope: announcing().scope },
      ),
    };

    await running.commit([announcing()]);
    await running.commit([other]);

    expect((await running.find(announcing()))?.result).toEqual({ id: 'first' });
    expect((await running.find(other))?.result).toEqual({ id: 'r2' });
  });

  test('a record that another delivery claimed during the search is not adopted', async () => {
    const other = firing([creating(['discord'])], { episode: 'grace@1' });
    await using running = await restored({
      search: async ({ taken }) => {
        if (taken.has('first')) return 'absent';
        await running.store.ruleStates.commit(committing([other], { slotMs: SLOT_MS + 10 * MINUTE_MS }));
        await settle(running.store, keysOf(other)[0], { state: 'sent', result: { id: 'first' }, sentAt: new Date(running.clock.nowMs()) });
        return { found: { id: 'first' } };
      },
    });

    await running.commit([announcing()]);
    await running.clock.advance(MINUTE_MS);

    expect(await running.find(announcing())).toMatchObject({ state: 'sent', result: { id: 'r2' } });
  });

  test('a platform that may still show it is searched again, with growing pauses from the first search on', async () => {
    let lost: Date | undefined;
    const search: Search = async ({ lostAt }) => {
      lost ??= lostAt;
      const conclusiveAt = new Date(lostAt.getTime() + 5 * MINUTE_MS);
      return running.clock.nowMs() < conclusiveAt.getTime() ? { conclusiveAt } : 'absent';
    };
    await using running = await restored({ search });

    await running.commit([announcing()]);
    await running.clock.advance(5 * MINUTE_MS - 1);
    const early = await running.find(announcing());
    await running.clock.advance(1);

    expect(early).toMatchObject({ state: 'pending' });
    expect(await running.find(announcing())).toMatchObject({ state: 'sent', result: { id: 'r2' }, attempts: 1 });
    expect(running.searched.length).toBeLessThanOrEqual(7);
    expect(new Set(running.searched.map(({ lostAt }) => lostAt.getTime()))).toEqual(new Set([lost?.getTime()]));
  });

  test('an announcement that is not found is sent, and a retry is not searched for again', async () => {
    await using running = await restored();
    const fired = announcing({ owner: { displayName: 'Grace' } }, 'Grace is live');

    running.platform.nextFailures.set('discord', ['unauthorized']);

    await running.commit([fired]);
    await running.clock.advance(2 * MINUTE_MS);

    expect(await running.find(fired)).toMatchObject({ state: 'sent', attempts: 2, result: { id: 'r2' } });
    expect(running.searched).toHaveLength(1);
  });

  test('an announcement that may exist waits for the operator', async () => {
    await using running = await restored({ search: async () => 'cannotTell' });
    const fired = announcing();

    await running.commit([fired]);
    await running.clock.advance(4 * MINUTE_MS);
    const before = await running.find(fired);
    await running.clock.advance(2 * MINUTE_MS);

    expect(before).toMatchObject({ state: 'pending' });
    expect(await running.find(fired)).toMatchObject({ state: 'unknown', reason: { kind: 'maybeSentBeforeRestore', account: 'discord' } });
    expect(running.platform.attempts).toEqual([]);
  });

  test('an announcement on a platform without search waits for the operator, too', async () => {
    await using running = await restored({
      search: async () => {
        throw failing('forbidden');
      },
    });
    const fired = announcing();

    await running.commit([fired]);

    expect(await running.find(fired)).toMatchObject({ state: 'unknown', error: { fault: 'forbidden' } });
  });

  test('a message with a role that no longer exists is searched for without the role, as it was sent', async () => {
    await using running = await restored({
      search: async ({ params: { mention } }) => {
        if (Array.isArray(mention) && mention.length > 0) throw noRole();
        return { found: { id: 'first' } };
      },
    });
    const fired = announcing(ada, undefined, { mention: ['Live'] });

    await running.commit([fired]);

    expect(running.platform.attempts).toEqual([]);
    expect(await running.find(fired)).toMatchObject({
      state: 'sent',
      attempts: 0,
      result: { id: 'first' },
      omitted: [{ parameter: 'mention', index: 0, message: 'The server has no role "Live".' }],
    });
  });

  test('a message that was about to be repeated without a role is searched for without the role', async () => {
    await using running = await restored({ begins: false });
    await running.clock.advance(15 * MINUTE_MS);
    running.platform.nextFailures.set('discord', [noRole(), failing('unreachable')]);
    const item = { ...ada, startedAt: new Date(running.clock.nowMs()).toISOString() };
    const fired = announcing(item, undefined, { mention: ['Live'] });
    await running.commit([fired]);
    const begun = await running.find(fired);

    await running.store.restores.note();
    await running.clock.advance(MINUTE_MS);

    expect(begun).toMatchObject({ state: 'pending', omitted: [{ parameter: 'mention' }] });
    expect(running.searched).toMatchObject([{ since: begun?.since, params: { mention: [] } }]);
    expect(await running.find(fired)).toMatchObject({ state: 'sent', result: { id: 'first' } });
  });

  test('nothing is sent while the platform cannot be searched', async () => {
    let isDown = true;
    await using running = await restored({
      search: async () => {
        if (isDown) throw failing('unavailable');
        return 'absent';
      },
    });
    const fired = announcing();

    await running.commit([fired]);
    await running.clock.advance(MINUTE_MS);
    const whileUnsearchable = [(await running.find(fired))?.state, running.platform.attempts.length];
    isDown = false;
    await running.clock.advance(10 * MINUTE_MS);

    expect(whileUnsearchable).toEqual(['pending', 0]);
    expect(await running.find(fired)).toMatchObject({ state: 'sent' });
  });

  test('a stream that began after the restore is announced without a search', async () => {
    await using running = await restored();

    await running.commit([announcing({ ...ada, startedAt: new Date(SLOT_MS + 2 * MINUTE_MS).toISOString() })]);

    expect(running.searched).toEqual([]);
    expect(running.platform.attempts).toHaveLength(1);
  });

  test('a slot after the restore is sent without a search, and a slot before it is searched for', async () => {
    await using running = await restored({ search: async () => 'cannotTell' });
    const slotAt = (atMs: number): Firing => {
      const now = new Date(atMs).toISOString();
      return firing([creating(['discord'], { do: 'discord.send', with: { content: 'Friday!' } })], {
        rule: 'friday',
        episode: now,
        occasion: now,
        queue: `friday/${now}`,
        atMs,
        scope: { rule: { id: 'friday' }, now },
      });
    };
    await running.clock.advance(MINUTE_MS);
    const [before, after] = [slotAt(SLOT_MS + MINUTE_MS / 2), slotAt(SLOT_MS + MINUTE_MS + 1_000)];

    await running.commit([before]);
    await running.commit([after]);

    expect(await running.find(before)).toMatchObject({ state: 'pending', searchSince: running.copiedAt });
    expect(await running.find(after)).toMatchObject({ state: 'sent' });
  });

  test('the changes of a whole list after the restore are searched for, because the list may be older', async () => {
    await using running = await restored();
    const atMs = SLOT_MS + 2 * MINUTE_MS;
    await running.clock.advance(MINUTE_MS);

    const scope = { rule: { id: 'top' }, now: new Date(atMs).toISOString(), items: [], changes: {} };
    await running.commit([firing([creating(['discord'])], { rule: 'top', atMs, scope })]);

    expect(running.searched).toHaveLength(1);
  });

  test('the search ends a quarter of an hour after the first start', async () => {
    await using running = await restored();
    await running.clock.advance(15 * MINUTE_MS);

    await running.commit([announcing({ owner: { displayName: 'Ada' } })]);

    expect(running.searched).toEqual([]);
    expect(running.platform.attempts).toHaveLength(1);
  });

  test.for([16, 70])('a delivery that stays unclear is sent when a person asks for it after %d minutes', async (minutes) => {
    await using running = await restored({ search: async () => 'cannotTell' });
    const [fired, next] = [
      firing([creating(['discord'], { do: 'discord.send', with: { content: 'Ada plays chess' }, maxAgeMs: 10 * MINUTE_MS })]),
      firing([creating(['discord'], { do: 'discord.send', with: { content: 'next' } })], { occasion: '2' }),
    ];
    await running.commit([fired]);
    await running.clock.advance(minutes * MINUTE_MS);
    // A slot prunes what nobody needs.
    await running.store.ruleStates.commit(committing([], { slotMs: SLOT_MS + 100 * MINUTE_MS }));
    expect(await running.find(fired)).toMatchObject({ state: 'unknown' });

    await running.engine.resolve(keysOf(fired)[0] ?? '', 'again');
    await running.store.ruleStates.commit(committing([next], { slotMs: SLOT_MS + 101 * MINUTE_MS }));
    running.engine.wake();
    await running.clock.advance(MINUTE_MS);

    expect([await running.find(fired), await running.find(next)]).toMatchObject([{ state: 'sent' }, { state: 'sent' }]);
    expect(running.platform.attempts).toHaveLength(2);
  });

  test('deliveries that were pending at the time of the copy are searched for, too', async () => {
    const clock = new ManualClock(SLOT_MS);
    await using store = await openStore({ clock });
    const fired = firing([creating(['x']), setting(['discord'])]);
    await store.ruleStates.commit(committing([fired]));
    clock.set(SLOT_MS + MINUTE_MS);

    await store.restores.note();

    const [post, edit] = await Promise.all(keysOf(fired).map((key) => store.deliveries.find(key)));
    expect([post?.searchSince, edit?.searchSince]).toEqual([new Date(SLOT_MS), undefined]);
  });
});
