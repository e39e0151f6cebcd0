import { fc } from '../../support/property.ts';
import { expect, test } from 'vitest';
import { CursorError, PlatformError } from '#src/errors.ts';
import { createPager, LAST_PAGE, type Part } from '#src/discord/lookups/pager.ts';
import { ManualClock } from '../../support/manual-clock.ts';

interface List {
  readonly read: (cursor: string | undefined) => Promise<Part<number>>;
  /** The cursors that were asked for; the empty one is the start. */
  readonly asked: string[];
}

/** The numbers from 0, in pages of these lengths. */
function listOf(lengths: readonly number[], scanned = (length: number): number => length): List {
  const asked: string[] = [];
  return {
    asked,
    async read(cursor) {
      asked.push(cursor ?? '');
      const index = Number(cursor ?? 0);
      const first = lengths.slice(0, index).reduce((sum, length) => sum + length, 0);
      const length = lengths[index] ?? 0;
      const items = Array.from({ length }, (_, place) => first + place);
      return { items, scanned: scanned(length), cursor: index + 1 < lengths.length ? String(index + 1) : undefined };
    },
  };
}

const key = 'top:streams?';

test('the pages show each item once and in order, with any page size of the platform', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.integer({ min: 0, max: 12 }), { minLength: 1, maxLength: 12 }), async (lengths) => {
      const pager = createPager(new ManualClock());
      const { read } = listOf(lengths);
      const total = lengths.reduce((sum, length) => sum + length, 0);
      const shown: number[] = [];
      for (let page = 0, more = true; more; page++) {
        const found = await pager.page({ key, page, size: 5, read });
        shown.push(...found.items);
        ({ more } = found);
        expect(more).toBe((page + 1) * 5 < total);
      }
      expect(shown).toEqual(Array.from({ length: total }, (_, place) => place));
    }),
  );
});

test('a page is the same with and without the pages before it', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.integer({ min: 0, max: 12 }), { minLength: 1, maxLength: 8 }),
      fc.array(fc.integer({ min: 0, max: 15 }), { minLength: 1, maxLength: 10 }),
      async (lengths, pages) => {
        const { read } = listOf(lengths);
        const turned = createPager(new ManualClock());
        for (const page of pages) {
          const fresh = await createPager(new ManualClock()).page({ key, page, size: 5, read });
          expect(await turned.page({ key, page, size: 5, read })).toEqual(fresh);
        }
      },
    ),
  );
});

test('the next page needs one request, and going back only the shown page', async () => {
  const pager = createPager(new ManualClock());
  const { read, asked } = listOf([10, 10, 10, 10]);
  const page = (number: number) => pager.page({ key, page: number, size: 5, read });

  for (const number of [0, 1, 2, 3, 4, 3]) {
    await page(number);
    asked.push('|');
  }

  // At the end of a platform page, only the next page shows whether more items follow.
  expect(asked.join('')).toBe('|1|1|12|2|12|');
});

test('after ten minutes, a list is read from its start again', async () => {
  const clock = new ManualClock();
  const pager = createPager(clock);
  const { read, asked } = listOf([10, 10, 10]);
  await pager.page({ key, page: 2, size: 5, read });
  asked.length = 0;

  await clock.advance(10 * 60_000);
  await pager.page({ key, page: 2, size: 5, read });

  expect(asked[0]).toBe('');
});

test.for([
  ['a cursor of another version', new CursorError('old')],
  ['a cursor that the platform no longer accepts', new PlatformError('no', { platform: 'demo', fault: 'rejected' })],
] as const)('%s causes a read from the start of the list, not an error', async ([, failure]) => {
  const pager = createPager(new ManualClock());
  const { read } = listOf([10, 10, 10]);
  await pager.page({ key, page: 2, size: 5, read });
  let failed = false;

  const found = await pager.page({
    key,
    page: 2,
    size: 5,
    async read(cursor) {
      if (!failed && cursor !== undefined) {
        failed = true;
        throw failure;
      }
      return read(cursor);
    },
  });

  expect(failed).toBe(true);
  expect(found.items).toEqual([10, 11, 12, 13, 14]);
});

test('the error of a platform is passed on', async () => {
  const pager = createPager(new ManualClock());
  const down = new PlatformError('down', { platform: 'demo', fault: 'unavailable' });

  await expect(pager.page({ key, page: 3, size: 5, read: () => Promise.reject(down) })).rejects.toBe(down);
});

test('a search with few matches ends early and is marked as incomplete', async () => {
  const pager = createPager(new ManualClock());
  const { read, asked } = listOf(Array.from({ length: 50 }, () => 0).with(0, 1), () => 1_000);

  const found = await pager.page({ key, page: 0, size: 5, read });

  expect(found).toEqual({ items: [0], more: false, unfinished: true });
  expect(asked.length).toBeLessThanOrEqual(3);
});

test('the number of pages is limited', async () => {
  const pager = createPager(new ManualClock());
  const { read } = listOf(Array.from({ length: 20 }, () => 100));

  expect(await pager.page({ key, page: LAST_PAGE - 1, size: 5, read })).toMatchObject({ more: true });
  expect(await pager.page({ key, page: LAST_PAGE, size: 5, read })).toMatchObject({ more: false });
});
