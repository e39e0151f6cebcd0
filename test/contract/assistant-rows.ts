import { expect, test } from 'vitest';
import { SLOT_MS } from '../support/firings.ts';
import { ManualClock } from '../support/manual-clock.ts';
import type { OpenStore } from './store.ts';

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;

/** The contract of the points that conversations with the assistant have reached. */
export function conversationPointsContract(open: OpenStore): void {
  const point = { conversation: 'c1', messageId: 't1' };

  test('messages and locations keep their point in a conversation until it is replaced or the conversation is deleted', async () => {
    await using store = await open(new ManualClock(SLOT_MS));
    const { conversationPoints: points } = store;
    await points.keepMessage('m1', point, SLOT_MS);
    await points.keepMessage('m2', { conversation: 'c2', messageId: 't1' }, SLOT_MS);
    await points.keepLocation('p1', point, SLOT_MS);
    await points.keepLocation('p1', { ...point, messageId: 't2' }, SLOT_MS);
    await points.keepLocation('p2', point, SLOT_MS);
    await points.leaveLocation('p2');

    expect(await points.findMessage('m1')).toEqual(point);
    expect(await points.findLocation('p1')).toEqual({ ...point, messageId: 't2' });
    expect(await points.findLocation('p2')).toBeUndefined();
    await points.forget('c1', { shared: () => false });
    expect([await points.findMessage('m1'), await points.findLocation('p1')]).toEqual([undefined, undefined]);
    expect(await points.findMessage('m2')).toEqual({ conversation: 'c2', messageId: 't1' });
  });

  test('a thread starts at the answer of its first message, keeps a later point, and is empty if its conversation is deleted', async () => {
    await using store = await open(new ManualClock(SLOT_MS));
    const { conversationPoints: points } = store;
    const shared = (location: string): boolean => location === 'm1';
    await points.keepMessage('m1', point, SLOT_MS);
    await points.keepThread('m1', SLOT_MS);
    await points.keepLocation('p1', point, SLOT_MS);
    expect(await points.findLocation('m1')).toEqual(point);
    await points.keepLocation('m1', { ...point, messageId: 't2' }, SLOT_MS);
    await points.keepThread('m1', SLOT_MS);
    expect(await points.findLocation('m1')).toEqual({ ...point, messageId: 't2' });

    await points.forget('c1', { shared });
    await points.keepThread('m2', SLOT_MS);

    expect([await points.findLocation('m1'), await points.findLocation('p1'), await points.findLocation('m2')]).toEqual([
      'empty',
      undefined,
      undefined,
    ]);
    await points.keepLocation('m1', { conversation: 'c2', messageId: 't1' }, SLOT_MS);
    expect(await points.findLocation('m1')).toEqual({ conversation: 'c2', messageId: 't1' });
  });

  test('points that were not used for 90 days are deleted', async () => {
    await using store = await open(new ManualClock(SLOT_MS));
    const { conversationPoints: points } = store;
    await points.keepMessage('old', point, SLOT_MS);
    await points.keepLocation('old', point, SLOT_MS);

    await points.keepMessage('new', point, SLOT_MS + 91 * DAY_MS);

    expect([await points.findMessage('old'), await points.findLocation('old')]).toEqual([undefined, undefined]);
    expect(await points.findMessage('new')).toEqual(point);
  });

  test('the cost of a conversation is summed, and deleted with the conversation', async () => {
    await using store = await open(new ManualClock(SLOT_MS));
    const { conversationPoints: points } = store;

    expect([await points.spend('c1', 10, SLOT_MS), await points.spend('c1', 5, SLOT_MS), await points.spend('c2', 1, SLOT_MS)]).toEqual([
      10, 15, 1,
    ]);
    await points.forget('c1', { shared: () => false });
    expect(await points.spend('c1', 0, SLOT_MS)).toBe(0);
  });

  test('each question counts once against the quotas of its person and server, until the period of the quota is over', async () => {
    await using store = await open(new ManualClock(SLOT_MS));
    const { questionCounts: counts } = store;
    const quotas = { person: { most: 2, withinMs: HOUR_MS }, server: { most: 3, withinMs: HOUR_MS } };
    const ask = (id: string, person: string, minute: number) =>
      counts.count({ id, person, server: 's', nowMs: SLOT_MS + minute * 60_000 }, quotas);

    expect([await ask('1', 'ada', 0), await ask('1', 'ada', 0), await ask('2', 'ada', 1)]).toEqual([undefined, undefined, undefined]);
    expect(await ask('3', 'ada', 2)).toEqual({ whose: 'person', freeAtMs: SLOT_MS + HOUR_MS });
    expect(await ask('4', 'grace', 3)).toBeUndefined();
    expect(await ask('5', 'linus', 4)).toEqual({ whose: 'server', freeAtMs: SLOT_MS + HOUR_MS });
    await counts.giveBack('4');
    expect(await ask('6', 'linus', 5)).toBeUndefined();
    expect(await ask('7', 'ada', 60)).toBeUndefined();
    expect(
      await counts.count({ id: '8', person: 'x', server: undefined, nowMs: SLOT_MS }, { ...quotas, person: { most: 0, withinMs: 1 } }),
    ).toEqual({
      whose: 'person',
      freeAtMs: undefined,
    });
  });

  test('the quota of all servers counts the questions of every person and server', async () => {
    await using store = await open(new ManualClock(SLOT_MS));
    const { questionCounts: counts } = store;
    const many = { most: 9, withinMs: HOUR_MS };
    const quotas = { person: many, server: many, all: { most: 2, withinMs: 2 * HOUR_MS } };
    const ask = (id: string, server: string | undefined, minute: number) =>
      counts.count({ id, person: id, server, nowMs: SLOT_MS + minute * 60_000 }, quotas);

    expect([await ask('1', 'a', 0), await ask('2', undefined, 1)]).toEqual([undefined, undefined]);
    expect(await ask('3', 'b', 61)).toEqual({ whose: 'all', freeAtMs: SLOT_MS + 2 * HOUR_MS });
    expect(await ask('4', 'b', 120)).toBeUndefined();
  });

  test('an open answer is listed until it is closed', async () => {
    await using store = await open(new ManualClock(SLOT_MS));
    const { openAnswers } = store;
    const first = { id: '1', channel: 'c', token: 'secret', locale: 'de', askedAt: new Date(SLOT_MS) };
    const second = { id: '2', channel: 'c', locale: 'en-US', askedAt: new Date(SLOT_MS + 1) };
    await openAnswers.keep(second);
    await openAnswers.keep(first);
    await openAnswers.keep({ ...first, message: 'm' });

    expect(await openAnswers.list()).toEqual([{ ...first, message: 'm' }, second]);
    await openAnswers.close('1');
    expect((await openAnswers.list()).map(({ id }) => id)).toEqual(['2']);
  });
}
