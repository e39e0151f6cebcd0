import { expect, test } from 'vitest';
import { PlatformError, type Fault } from '#src/errors.ts';
import type { Inconclusive, RecoverOptions, Recovery } from '#src/clients/operation/platform.ts';
import { repeatableWrites } from '#src/clients/operation/repeatable-writes.ts';
import { collectGarbage } from '../../support/collect-garbage.ts';
import { ManualClock } from '../../support/manual-clock.ts';

const OLD = new Date('2026-11-20T17:00:00Z');

/** A platform without idempotency that makes a record and then loses the answer, `lost` times. */
function forgetful({ lost = 0, fault = 'unanswered' as Fault }: { readonly lost?: number; readonly fault?: Fault } = {}) {
  const clock = new ManualClock();
  const write = repeatableWrites({ platform: 'demo', clock });
  const records: { readonly id: string; readonly text: string }[] = [];
  const searches: RecoverOptions[] = [];
  let left = lost;
  let outcome: Recovery<unknown> | Inconclusive | undefined;
  return {
    clock,
    records,
    searches,
    find: (next: Recovery<unknown> | Inconclusive) => (outcome = next),
    create: (text: string, options: { readonly key: string; readonly since?: Date }) =>
      write(
        {
          operation: 'createPost',
          params: { text },
          async send() {
            const record = { id: String(records.length + 1), text };
            const isDone = fault === 'unanswered';
            if (left === 0 || isDone) records.push(record);
            if (left-- > 0) throw new PlatformError('lost', { platform: 'demo', fault });
            left = 0;
            return record;
          },
          async find(_, options) {
            searches.push(options);
            const found = records.find((one) => one.text === text && !options.taken.has(one.id));
            return outcome ?? (found ? { found } : 'absent');
          },
        },
        options,
      ),
  };
}

test('a first attempt is sent without a search', async () => {
  const { create, records, searches, clock } = forgetful();

  await create('hello', { key: 'k', since: new Date(clock.nowMs()) });

  expect(records.length).toBe(1);
  expect(searches).toEqual([]);
});

test('a repeat after a lost response finds the record', async () => {
  const { create, records, searches, clock } = forgetful({ lost: 1 });
  const since = new Date(clock.nowMs());

  await expect(create('hello', { key: 'k', since })).rejects.toMatchObject({ fault: 'unanswered' });
  const found = await create('hello', { key: 'k', since });

  expect(found).toEqual({ id: '1', text: 'hello' });
  expect(records.length).toBe(1);
  expect(searches).toMatchObject([{ key: 'k', since, lostAt: since }]);
});

test('a repeat without since counts from the first attempt', async () => {
  const { create, searches, clock } = forgetful({ lost: 1 });
  const since = new Date(clock.nowMs());

  await create('hello', { key: 'k' }).catch(() => undefined);
  await clock.advance(5000);
  await create('hello', { key: 'k' });

  expect(searches).toMatchObject([{ since, lostAt: since }]);
});

test('the record of a key from an earlier process is searched for before the write', async () => {
  const { create, records, find } = forgetful();
  find({ found: { id: '9', text: 'hello' } });

  expect(await create('hello', { key: 'k', since: OLD })).toMatchObject({ id: '9' });
  expect(records).toEqual([]);
});

test('a record that is not found is created once', async () => {
  const { create, records } = forgetful();

  await create('hello', { key: 'k', since: OLD });
  await create('hello', { key: 'k', since: OLD });

  expect(records.length).toBe(1);
});

test.for([
  ['not yet known', { conclusiveAt: new Date('2026-11-20T18:05:00Z') }, new Date('2026-11-20T18:05:00Z')],
  ['never known', 'cannotTell', undefined],
] as const)('nothing is sent while the outcome is %s', async ([, outcome, retryAt]) => {
  const { create, records, find } = forgetful();
  find(outcome);

  await expect(create('hello', { key: 'k', since: OLD })).rejects.toMatchObject({ fault: 'unanswered', retryAt });
  await expect(create('hello', { key: 'k', since: OLD })).rejects.toMatchObject({ fault: 'unanswered', retryAt });
  expect(records).toEqual([]);
});

test('a rejected attempt is sent again without a search', async () => {
  const { create, records, searches } = forgetful({ lost: 1, fault: 'rateLimited' });

  await create('hello', { key: 'k' }).catch(() => undefined);
  await create('hello', { key: 'k' });

  expect(records.length).toBe(1);
  expect(searches).toEqual([]);
});

test('writes with different keys create different records', async () => {
  const { create, records } = forgetful();

  await create('hello', { key: 'one', since: OLD });
  await create('hello', { key: 'two', since: OLD });

  expect(records.length).toBe(2);
});

test('concurrent calls with one key create one record', async () => {
  const { create, records } = forgetful();

  const made = await Promise.all([create('hello', { key: 'k' }), create('hello', { key: 'k' }), create('hello', { key: 'k' })]);

  expect(records.length).toBe(1);
  expect(made).toEqual([records[0], records[0], records[0]]);
});

test('the files of earlier writes are not kept in memory', async () => {
  const write = repeatableWrites({ platform: 'demo', clock: new ManualClock() });
  collectGarbage();
  const { heapUsed: before } = process.memoryUsage();

  for (let index = 0; index < 20; index++) {
    const params = { files: [{ base64: 'A'.repeat(2_000_000) }] };
    await write({ operation: 'createPost', params, send: async () => ({ id: '1' }), find: undefined }, { key: `${index}` });
  }

  collectGarbage();
  expect(process.memoryUsage().heapUsed - before).toBeLessThan(10_000_000);
});
