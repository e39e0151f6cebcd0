import { expect, test } from 'vitest';
import { judge, refusalOf, type Judged } from './judge.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

function later({ clock }: Judged, ms: number): string {
  return new Date(clock.nowMs() + ms).toISOString();
}

function schedule({ masto }: Judged, scheduledAt: string, key?: string) {
  const meta = key === undefined ? {} : { requestInit: { headers: { 'Idempotency-Key': key } } };
  return masto.v1.statuses.create({ status: 'later', scheduledAt } as { status: string; scheduledAt: string }, meta);
}

test('a post waits until its time, and then stands with it', async () => {
  await using judged = await judge();
  const { masto } = judged;
  const at = later(judged, 10 * MINUTE_MS);

  const waiting = await schedule(judged, at);
  const listed = await masto.v1.scheduledStatuses.list();
  const me = await masto.v1.accounts.verifyCredentials();
  const before = await masto.v1.accounts.$select(me.id).statuses.list();
  await judged.clock.advance(11 * MINUTE_MS);
  const after = await masto.v1.accounts.$select(me.id).statuses.list();

  expect(waiting).toMatchObject({ scheduledAt: at, params: { text: 'later', visibility: 'public' }, mediaAttachments: [] });
  expect(listed).toEqual([waiting]);
  expect(before).toEqual([]);
  expect(after).toMatchObject([{ createdAt: at, content: '<p>later</p>' }]);
  expect(await masto.v1.scheduledStatuses.list()).toEqual([]);
});

test('it is put off and cancelled', async () => {
  await using judged = await judge();
  const { masto } = judged;
  const { id } = await schedule(judged, later(judged, 10 * MINUTE_MS));
  const chosen = masto.v1.scheduledStatuses.$select(id);

  expect((await chosen.update({ scheduledAt: later(judged, 20 * MINUTE_MS) })).scheduledAt).toBe(later(judged, 20 * MINUTE_MS));
  await judged.clock.advance(15 * MINUTE_MS);
  expect(await chosen.fetch()).toMatchObject({ id });
  await chosen.remove();
  await judged.clock.advance(15 * MINUTE_MS);

  expect(await refusalOf(chosen.fetch())).toEqual([404, 'Record not found']);
  const me = await masto.v1.accounts.verifyCredentials();
  expect(await masto.v1.accounts.$select(me.id).statuses.list()).toEqual([]);
});

test('less than five minutes ahead is too soon, and what is over goes out at once', async () => {
  await using judged = await judge();

  expect(await refusalOf(schedule(judged, later(judged, 5 * MINUTE_MS)))).toEqual([
    422,
    'Validation failed: Scheduled at date must be in the future',
  ]);
  expect(await schedule(judged, later(judged, -MINUTE_MS))).toMatchObject({ content: '<p>later</p>' });
});

test('a repeat with the same key is the first one again, and finds nothing once that is gone', async () => {
  await using judged = await judge();
  const at = later(judged, 10 * MINUTE_MS);

  const [first, second] = [await schedule(judged, at, 'k'), await schedule(judged, at, 'k')];
  await judged.clock.advance(10 * MINUTE_MS);

  expect(second.id).toBe(first.id);
  expect((await refusalOf(schedule(judged, later(judged, 10 * MINUTE_MS), 'k')))[0]).toBe(404);
});

test('at most 25 go out a day', async () => {
  await using judged = await judge();
  const tomorrow = later(judged, DAY_MS);
  for (let number = 0; number < 25; number++) await schedule(judged, tomorrow);

  expect((await refusalOf(schedule(judged, tomorrow)))[1]).toMatch(/limit of 25 scheduled posts/);
  expect((await schedule(judged, later(judged, 2 * DAY_MS))).id).toEqual(expect.any(String));
  expect(await judged.masto.v1.scheduledStatuses.list({ limit: 40 })).toHaveLength(26);
});

test('what could not be posted is not scheduled either', async () => {
  await using judged = await judge();
  const long = { status: 'x'.repeat(501), scheduledAt: later(judged, DAY_MS) };

  expect((await refusalOf(judged.masto.v1.statuses.create(long)))[0]).toBe(422);
});
