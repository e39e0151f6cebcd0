import { expect, test } from 'vitest';
import { createNotifications, type NotifiedAccount } from '#src/admin/incoming-webhooks/receive-notifications.ts';
import type { NotificationReceiver, NotificationRequest } from '#src/clients/operation/notification-request.ts';
import type { Change } from '#src/clients/operation/notifier.ts';
import { PlatformError } from '#src/errors.ts';
import { silentLog } from '#src/log.ts';
import { SLOT_MS } from '../../support/firings.ts';
import { ManualClock } from '../../support/manual-clock.ts';

const MINUTE_MS = 60_000;

/** An account whose platform sends `type id name`, and the receiver of its requests. */
function open(receive?: NotificationReceiver['receive']) {
  const clock = new ManualClock(SLOT_MS);
  const hints: (Change | undefined)[] = [];
  const outcomes = new Map<string, number>();
  const lines: string[] = [];
  const noted: Date[] = [];
  const stopping = new AbortController();
  const account: NotifiedAccount = {
    receiver: {
      maxBytes: 100,
      receive:
        receive ??
        (async ({ body }) => {
          const [type = '', id = '', ...names] = new TextDecoder().decode(body).split(' ');
          if (type === 'wrong') return { kind: 'refused', reason: 'signature' };
          if (type === 'challenge') return { kind: 'challenge', answer: id };
          return { kind: 'notification', id, type, changes: [{ operation: 'getStreams', names }] };
        }),
    },
    secret: () => Promise.resolve(undefined),
    subscriptions: {
      all: () => Promise.resolve([]),
      find: () => Promise.resolve(undefined),
      keep: () => Promise.resolve(),
      drop: () => Promise.resolve(),
    },
    storedText: () => Promise.resolve(undefined),
    hint: (change) => void hints.push(change),
    noteNotified: async (at) => void noted.push(at),
  };
  const notifications = createNotifications({
    accounts: new Map([['kick', account]]),
    onRequest: (_account, outcome) => outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1),
    onNotification: () => undefined,
    clock,
    log: { ...silentLog, warn: (_fields, message) => void lines.push(message) },
    signal: stopping.signal,
  });
  const send = (text: string, name = 'kick') => {
    const body = new TextEncoder().encode(text);
    const request: NotificationRequest = { method: 'POST', subscription: '', query: new URLSearchParams(), header: () => undefined, body };
    return notifications.receive(name, request);
  };
  return { clock, hints, outcomes, lines, noted, notifications, send, stop: () => stopping.abort() };
}

const about = (...names: readonly string[]): Change => ({ operation: 'getStreams', names });

test('a notification is a hint at once, and again while its change may not be visible', async () => {
  const { clock, hints, outcomes, noted, send, stop } = open();
  expect(await send('online 1 ada')).toEqual({ status: 204 });
  expect(hints).toEqual([about('ada')]);
  expect(noted).toEqual([new Date(SLOT_MS)]);

  await clock.advance(5 * MINUTE_MS);

  expect(hints).toEqual([about('ada'), about('ada'), about('ada'), about('ada')]);
  expect(Object.fromEntries(outcomes)).toEqual({ accepted: 1 });
  stop();
});

test('a newer notification replaces the later hints of an older one', async () => {
  const { clock, hints, send, stop } = open();
  await send('online 1 ada');
  await clock.advance(10_000);
  await send('offline 2 ada');
  await clock.advance(10_000);
  expect(hints).toHaveLength(2);
  await clock.advance(5 * MINUTE_MS);
  expect(hints).toHaveLength(5);
  stop();
});

test('a repeated notification is accepted, counted, and no hint', async () => {
  const { hints, outcomes, send, stop } = open();
  for (let time = 0; time < 3; time++) expect(await send('online 1 ada')).toEqual({ status: 204 });
  expect(hints).toHaveLength(1);
  expect(Object.fromEntries(outcomes)).toEqual({ accepted: 1, repeated: 2 });
  stop();
});

test('a challenge is answered with its text', async () => {
  const { send, hints } = open();
  expect(await send('challenge pass')).toEqual({ status: 200, text: 'pass' });
  expect(hints).toEqual([]);
});

test('an unknown account has no receiver', async () => {
  const { notifications, send } = open();
  expect(notifications.maxBytes('nobody')).toBeUndefined();
  expect(await send('online 1 ada', 'nobody')).toMatchObject({ status: 404 });
});

test('10,000 forged notifications are one log line, and no hint', async () => {
  const { clock, hints, outcomes, lines, send } = open();
  for (let count = 0; count < 10_000; count++) expect(await send('wrong')).toMatchObject({ status: 401 });
  expect(lines).toEqual(['a notification was refused, because its signature is wrong']);
  await clock.advance(11 * MINUTE_MS);
  await send('wrong');
  expect(lines).toHaveLength(2);
  expect(hints).toEqual([]);
  expect(Object.fromEntries(outcomes)).toEqual({ signature: 10_001 });
});

test('in a burst of 10,000 notifications, all names have a hint or all rules are polled', async () => {
  const { clock, hints, outcomes, lines, send, stop } = open();
  const answers = new Map<number, number>();
  for (let count = 0; count < 10_000; count++) {
    const { status } = await send(`online ${count} channel-${count % 50}`);
    answers.set(status, (answers.get(status) ?? 0) + 1);
  }
  expect(Object.fromEntries(answers)).toEqual({ 204: 6_000, 429: 4_000 });
  expect(Object.fromEntries(outcomes)).toEqual({ accepted: 6_000, tooMany: 4_000 });
  expect(new Set(hints.flatMap((change) => change?.names ?? [])).size).toBe(50);
  expect(hints.filter((change) => change === undefined)).toHaveLength(4_000);
  expect(lines).toHaveLength(1);

  // The later hints of a burst are merged: three for each name.
  hints.length = 0;
  await clock.advance(5 * MINUTE_MS);
  expect(hints).toHaveLength(150);
  expect(await send('online later ada')).toEqual({ status: 204 });
  stop();
});

test('a request that cannot be checked now has to be repeated', async () => {
  const { send, outcomes } = open(() => Promise.reject(new PlatformError('down', { platform: 'kick', fault: 'unavailable' })));
  expect(await send('online 1 ada')).toMatchObject({ status: 503, retryAfterSeconds: 60 });
  expect(Object.fromEntries(outcomes)).toEqual({ notStored: 1 });
});
