import { expect, onTestFinished, test, vi } from 'vitest';
import { examineNotifications } from '#src/admin/doctor/notifications.ts';
import { openStore } from '#src/store/store.ts';
import type { Rule } from '#src/rules/rule.ts';
import { openEventSub } from '../../../sandbox/test/twitch/eventsub-client.ts';
import { installation, watching, type EventSubSandbox } from './eventsub-fixture.ts';

const WAIT = { timeout: 50_000, interval: 10 };

async function openTwitch(): Promise<EventSubSandbox> {
  const twitch = await openEventSub();
  onTestFinished(() => twitch[Symbol.asyncDispose]());
  for (const user of ['ada', 'grace', 'linus']) await twitch.order('/world', { do: 'end', user }).catch(() => undefined);
  return twitch;
}

async function memoryStore() {
  const store = await openStore();
  onTestFinished(() => store[Symbol.asyncDispose]());
  return store.notifiers;
}

/** An installation with all subscriptions to these channels. */
async function connected(rules: readonly Rule[] = [watching('live', ['ada'])], count = 3) {
  const twitch = await openTwitch();
  const store = await memoryStore();
  const one = installation({ twitch, store, rules });
  onTestFinished(() => one[Symbol.asyncDispose]());
  const state = await one.subscribed(count);
  await vi.waitUntil(() => one.hints.length >= 2, WAIT);
  // The hints of the start are repeated once.
  await one.pass(120_000, 8_000);
  await vi.waitUntil(() => one.hints.length >= 4, WAIT);
  one.hints.splice(2);
  return { ...one, twitch, store, at: state };
}

const named = (twitch: EventSubSandbox, ...names: readonly string[]) =>
  names.flatMap((name) => {
    const { id } = twitch.person(name.toLowerCase());
    return [id, `@${id}`, name, `@${name}`];
  });

test('a stream that goes live is a hint about its channel, and about nothing else', async () => {
  const { twitch, taken, notifications, report, at, hints, covers } = await connected([watching('live', ['Ada', 'grace'])], 6);
  expect(['ada', 'grace', 'linus'].map(covers)).toEqual([true, true, false]);
  expect(at.conduits).toMatchObject([{ shards: [{ id: 0, status: 'enabled' }] }]);
  expect(at.sessions).toHaveLength(1);
  // The connection begins with a poll, and so does a subscription.
  expect(taken()).toEqual(['all', named(twitch, 'ada', 'grace')]);

  await twitch.order('/world', { do: 'goLive', user: 'ada' });
  await vi.waitUntil(() => hints.length > 0, WAIT);
  expect(hints).toEqual([
    { account: 'twitch', verb: 'streaming.getStreams', named: { parameter: 'users', values: named(twitch, 'ada'), isRequired: true } },
  ]);
  expect(notifications).toEqual(['stream.online']);
  expect(await report()).toEqual({
    state: 'connected',
    subscriptions: 6,
    cost: 6,
    maxCost: 10_000,
    onlyPolled: 0,
    covered: { getStreams: ['Ada', 'grace'] },
    coveredPresence: { getStreams: [] },
    notifiedAt: new Date(twitch.clock.nowMs()),
  });

  await twitch.order('/world', { do: 'goLive', user: 'linus' });
  await twitch.order('/world', { do: 'end', user: 'ada' });
  await vi.waitUntil(() => notifications.length > 1, WAIT);
  expect(notifications).toEqual(['stream.online', 'stream.offline']);
});

test('a change that Helix may not show yet is a hint several times within two minutes', async () => {
  const { twitch, taken, pass, hints } = await connected();
  taken();
  await twitch.order('/world', { do: 'goLive', user: 'ada' });
  await vi.waitUntil(() => hints.length > 0, WAIT);
  await pass(122_000);
  expect(taken()).toEqual(Array.from({ length: 5 }, () => named(twitch, 'ada')));
  await pass(30_000);
  expect(taken()).toEqual([]);
});

test('a hint is repeated until polls show the change', async () => {
  const { twitch, taken, pass, poll, hints } = await connected();
  const hinted = named(twitch, 'ada');
  const next = async (order: object) => {
    await pass(140_000, 8_000);
    taken();
    await twitch.order('/world', { user: 'ada', ...order });
    await vi.waitUntil(() => hints.length > 0, WAIT);
  };

  await next({ do: 'goLive' });
  await poll('linus', 'grace');
  await pass(12_000);
  await poll('Ada');
  await pass(140_000, 8_000);
  expect(taken()).toEqual([hinted, hinted]);

  await next({ do: 'changeTitle', title: 'a new title' });
  await poll('ada');
  await pass(140_000, 8_000);
  expect(taken()).toEqual([hinted]);

  // The next slot confirms the end, so a hint a moment later would waste a request.
  await next({ do: 'end' });
  await poll('ada');
  await pass(140_000, 8_000);
  expect(taken()).toEqual([hinted]);
});

test.for([
  ['a lost connection', { do: 'disconnect' }],
  ['a closed connection', { do: 'disconnect', code: 4000 }],
] as const)('after %s, the same conduit is bound again, and everything is polled once', async ([, order]) => {
  const { twitch, taken, pass, state, at, hints, covers } = await connected();
  taken();
  expect(covers('ada')).toBe(true);
  await twitch.order('/twitch/eventsub', order);
  await vi.waitUntil(async () => (await state()).sessions.length === 0, WAIT);
  await vi.waitUntil(() => !covers('ada'), WAIT);
  await pass(4_000);
  await vi.waitUntil(async () => (await state()).conduits[0]?.shards[0]?.status === 'enabled' && hints.length > 0, WAIT);
  expect(taken()).toEqual(['all']);
  const after = await state();
  expect(after.conduits).toEqual(at.conduits);
  expect(after.subscriptions).toEqual(at.subscriptions);
  expect(after.sessions).not.toEqual(at.sessions);

  await twitch.order('/world', { do: 'goLive', user: 'ada' });
  await vi.waitUntil(() => hints.length > 0, WAIT);
});

test('a silent connection is left and opened again', async () => {
  const { twitch, taken, pass, state, at, hints } = await connected();
  taken();
  await twitch.order('/faults', { platform: 'twitch', kind: 'silentSocket', times: 1 });
  await pass(30_000);
  await vi.waitUntil(async () => (await state()).sessions.length === 1 && hints.length > 0, WAIT);
  const after = await state();
  expect(after.sessions).not.toEqual(at.sessions);
  expect(after.conduits).toEqual(at.conduits);
  expect(taken()).toEqual(['all']);
});

test('if Twitch moves the session, no notification is lost and nothing is polled', async () => {
  const { twitch, taken, pass, state, at, hints, notifications } = await connected();
  taken();
  await twitch.order('/twitch/eventsub', { do: 'reconnect' });
  await pass(40_000);
  expect(await state()).toEqual(at);
  expect(taken()).toEqual([]);
  await twitch.order('/world', { do: 'goLive', user: 'ada' });
  await vi.waitUntil(() => hints.length > 0, WAIT);
  expect(notifications).toEqual(['stream.online']);
});

test('a shard that Twitch disabled while the connection stayed open is bound again', async () => {
  const { twitch, taken, pass, state, at, hints } = await connected();
  taken();
  await twitch.order('/twitch/eventsub', { do: 'disableShard' });
  await pass(6 * 60_000);
  await vi.waitUntil(async () => (await state()).conduits[0]?.shards[0]?.status === 'enabled' && hints.length > 0, WAIT);
  expect((await state()).conduits).toEqual(at.conduits);
  expect(new Set(taken())).toEqual(new Set(['all']));
});

test('a restart adopts the stored conduit, and other installations have their own', async () => {
  const twitch = await openTwitch();
  const [one, other] = [await memoryStore(), await memoryStore()];
  const rules = [watching('live', ['ada'])];
  const ids = [];
  for (const store of [one, other, one, other]) {
    await using running = installation({ twitch, store, rules });
    await vi.waitUntil(async () => (await running.report())?.state === 'connected', WAIT);
    const { conduits } = await running.state();
    ids.push(conduits.filter(({ shards }) => shards[0]?.status === 'enabled').map(({ id }) => id));
  }
  expect(new Set(ids.flat()).size).toBe(2);
  expect([ids[2], ids[3]]).toEqual([ids[0], ids[1]]);
  expect(ids.map((some) => some.length)).toEqual([1, 1, 1, 1]);
});

test('a conduit that no longer exists is replaced, and its subscriptions are created again', async () => {
  const { twitch, pass, subscribed, at } = await connected();
  await twitch.helix('DELETE', `/conduits?id=${at.conduits[0]?.id}`);
  await twitch.order('/twitch/eventsub', { do: 'disconnect' });
  await pass(4_000);
  await vi.waitUntil(async () => (await twitch.helix('GET', '/conduits')).data.length === 1, WAIT);
  const after = await subscribed(3);
  expect(after.conduits[0]?.id).not.toBe(at.conduits[0]?.id);
});

test('without a conduit left, Fanfare polls, says so, and deletes no conduit', async () => {
  const twitch = await openTwitch();
  const { data: foreign } = await twitch.helix('POST', '/conduits', { shard_count: 1 });
  await twitch.order('/twitch/eventsub', { do: 'limit', maxConduits: 1 });
  await using running = installation({ twitch, store: await memoryStore(), rules: [watching('live', ['ada'])] });
  await vi.waitUntil(async () => (await running.report())?.state === 'failed', WAIT);
  expect(examineNotifications('twitch', await running.report())).toEqual([
    {
      about: 'twitch',
      state: 'warning',
      what: expect.stringMatching(
        /^it does not notify about changes, so the rules poll at their slots: the client id has no conduit left; /,
      ),
      remedy: 'raise the limit, or register another application for some of your installations or accounts',
      reason: { kind: 'notifiesNot', account: 'twitch', problem: expect.stringContaining('no conduit left'), fault: 'quotaExhausted' },
    },
  ]);
  expect(running.lines.filter((line) => line.includes(' warn '))).toHaveLength(1);
  await running.pass(120_000);
  expect(await running.state()).toMatchObject({ sessions: [], conduits: [{ id: foreign[0]?.id }] });

  await twitch.order('/twitch/eventsub', { do: 'limit' });
  await running.pass(3_600_000 - 100_000);
  await running.subscribed(3);
});

test('subscriptions follow the rules', async () => {
  const { twitch, changeRules, pass, subscribed, taken, state, report, at } = await connected();
  taken();
  changeRules([watching('live', ['ada', 'grace', 'nobody-has-this-name'])]);
  await pass(2_000);
  await subscribed(6);
  expect(taken()).toEqual([named(twitch, 'grace')]);
  expect(await report()).toMatchObject({ cost: 6, onlyPolled: 1, problem: 'Twitch has no channel nobody-has-this-name' });

  changeRules([watching('live', ['grace'])]);
  await pass(2_000);
  await subscribed(3);
  expect(await report()).toMatchObject({ cost: 3, onlyPolled: 0 });

  changeRules([]);
  await pass(2_000);
  await vi.waitUntil(async () => (await state()).sessions.length === 0, WAIT);
  expect(await state()).toMatchObject({ subscriptions: { total: 0 }, conduits: [{ id: at.conduits[0]?.id }] });

  changeRules([watching('live', ['ada'])]);
  await pass(2_000);
  const again = await subscribed(3);
  expect(again.conduits.map(({ id }) => id)).toEqual(at.conduits.map(({ id }) => id));
});

test('channels whose rules read no title, category or language have no subscription to changed channels', async () => {
  const reading = (id: string, users: readonly string[], ...decidingFields: readonly string[]) => {
    const rule = watching(id, users);
    return { ...rule, watched: rule.watched && { ...rule.watched, decidingFields } };
  };
  const starts = reading('starts', ['ada', 'grace'], 'owner', 'person');
  const titles = reading('titles', ['Grace', 'linus'], 'owner', 'title');
  const { twitch, changeRules, covers, coversChanges, pass, report, subscribed } = await connected([starts], 4);
  const coverage = () => ['ada', 'grace', 'linus'].map((name) => (coversChanges(name) ? 'changes' : covers(name)));
  const updates = async () => {
    const { data } = await twitch.helix('GET', '/subscriptions');
    return data.filter(({ type }) => type === 'channel.update').length;
  };
  expect([await updates(), coverage()]).toEqual([0, [true, true, false]]);
  expect(await report()).toMatchObject({
    onlyPolled: 0,
    covered: { getStreams: [] },
    coveredPresence: { getStreams: ['ada', 'grace'] },
  });

  changeRules([starts, titles]);
  expect(coverage()).toEqual([true, true, false]);
  await pass(2_000);
  await subscribed(8);
  expect([await updates(), coverage()]).toEqual([2, [true, 'changes', 'changes']]);

  changeRules([starts]);
  await pass(2_000);
  await subscribed(4);
  expect([await updates(), coverage()]).toEqual([0, [true, true, false]]);
});

test('above the limit of the cost, the other channels are only polled', async () => {
  const twitch = await openTwitch();
  await twitch.order('/twitch/eventsub', { do: 'limit', maxTotalCost: 4 });
  await using running = installation({ twitch, store: await memoryStore(), rules: [watching('live', ['ada', 'grace', 'linus'])] });
  await running.subscribed(4);
  const { data } = await twitch.helix('GET', '/subscriptions');
  // The first channel has each type.
  expect(data.map(({ type }) => String(type)).toSorted((a, b) => a.localeCompare(b))).toEqual([
    'channel.update',
    'stream.offline',
    'stream.online',
    'stream.online',
  ]);
  expect(['ada', 'grace', 'linus'].map(running.covers)).toEqual([true, false, false]);
  const problem = 'the subscriptions of the client id cost 4 of 4';
  expect(examineNotifications('twitch', await running.report())).toMatchObject([
    { state: 'good', what: 'it notifies about changes: 4 subscriptions, which cost 4 of 4; no notification has come yet' },
    {
      state: 'warning',
      what: `2 names are only polled: ${problem}`,
      remedy: 'raise the limit, or register another application for some of your installations or accounts',
    },
  ]);
});

test('a revoked subscription is not created again in this connection, but in the next one', async () => {
  const { twitch, pass, state, subscribed, hints, covers, report } = await connected([watching('live', ['ada', 'grace'])], 6);
  await twitch.order('/twitch/eventsub', { do: 'revoke', user: 'ada', status: 'user_removed' });
  // The channel is polled at its slots again at once.
  await vi.waitUntil(() => !covers('ada'), WAIT);
  expect(covers('grace')).toBe(true);
  expect(await report()).toMatchObject({ onlyPolled: 1, problem: 'Twitch refuses subscriptions to ada' });
  await pass(6 * 60_000);
  expect((await state()).subscriptions.enabled).toBe(3);
  hints.length = 0;
  await twitch.order('/twitch/eventsub', { do: 'disconnect' });
  await pass(4_000);
  await subscribed(6);
});

test('above the limit of the cost, the order of the names decides, and room that becomes free is used', async () => {
  const twitch = await openTwitch();
  await twitch.order('/twitch/eventsub', { do: 'limit', maxTotalCost: 4 });
  await using running = installation({ twitch, store: await memoryStore(), rules: [watching('live', ['ada', 'grace', 'linus'])] });
  await running.subscribed(4);
  const subscribed = async () => {
    const { data } = await twitch.helix('GET', '/subscriptions');
    return data.map(({ type, condition }) => `${String(type)} ${nameOf(condition)}`).toSorted((a, b) => a.localeCompare(b));
  };
  const nameOf = (condition: unknown) =>
    twitch.sandbox.world.people.find(({ id }) => JSON.stringify(condition).includes(`"${id}"`))?.handle;
  expect(await subscribed()).toEqual(['channel.update ada', 'stream.offline ada', 'stream.online ada', 'stream.online grace']);

  // A rule with more important names comes first.
  const important = watching('first', ['midnightowl', 'linus']);
  running.changeRules([important, watching('live', ['ada', 'grace', 'linus'])]);
  await running.pass(2_000);
  await vi.waitUntil(() => running.covers('midnightowl'), WAIT);
  expect(running.covers('ada')).toBe(false);
  expect(await subscribed()).toEqual([
    'channel.update midnightowl',
    'stream.offline midnightowl',
    'stream.online linus',
    'stream.online midnightowl',
  ]);

  running.changeRules([watching('live', ['linus', 'grace'])]);
  await running.pass(2_000);
  await vi.waitUntil(async () => (await subscribed()).includes('stream.online grace'), WAIT);
  expect(await subscribed()).toEqual(['channel.update linus', 'stream.offline linus', 'stream.online grace', 'stream.online linus']);
});

test.for([
  ['lostNotification', [], 0],
  ['repeatedNotification', ['stream.online', 'repeated'], 0],
  ['lateNotification', ['stream.online'], 0],
  ['swappedNotification', ['stream.offline', 'stream.online'], 0],
  ['forgedNotification', ['foreign', 'stream.online'], 1],
  ['foreignNotification', ['foreign', 'stream.online'], 1],
] as const)('a fault of the kind %s is counted, and changes at most the time of hints', async ([kind, counted, warnings]) => {
  const { twitch, taken, pass, hints, notifications, lines } = await connected();
  taken();
  // Two in a row are logged once.
  const times = warnings > 0 ? 2 : 1;
  await twitch.order('/faults', { platform: 'twitch', kind, ms: 15 * 60_000, times });
  await twitch.order('/world', { do: 'goLive', user: 'ada' });
  if (kind === 'swappedNotification') await twitch.order('/world', { do: 'end', user: 'ada' });
  if (kind === 'lateNotification') await pass(15 * 60_000, 8_000);
  if (kind === 'lostNotification') await pass(2_000);
  else await vi.waitUntil(() => notifications.length === counted.length, WAIT);
  expect(notifications).toEqual(counted);
  expect([...new Set(taken().map(String))]).toEqual(kind === 'lostNotification' ? [] : [String(named(twitch, 'ada'))]);
  if (times > 1) {
    await twitch.order('/world', { do: 'end', user: 'ada' });
    await vi.waitUntil(() => notifications.length === 4, WAIT);
  }
  expect(hints.length).toBe(times - 1);
  expect(lines.filter((line) => line.includes(' warn '))).toHaveLength(warnings);
});

test('a notification about a channel that no rule watches costs nothing', async () => {
  const { twitch, taken, notifications, at } = await connected();
  taken();
  await twitch.subscribe('stream.online', 'linus', { method: 'conduit', conduit_id: at.conduits[0]?.id });
  await twitch.order('/world', { do: 'goLive', user: 'linus' });
  await vi.waitUntil(() => notifications.length > 0, WAIT);
  expect(taken()).toEqual([]);
});

test('no token is in the log', async () => {
  const { twitch, lines, pass } = await connected();
  await twitch.order('/twitch/eventsub', { do: 'disconnect' });
  await pass(4_000);
  const text = lines.join('');
  expect(text).toContain('the connection for notifications was lost');
  expect(text).not.toMatch(/Bearer|sandbox-twitch-secret|challenge/u);
});
