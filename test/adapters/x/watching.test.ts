import { fc } from '../../support/property.ts';
import { expect, test } from 'vitest';
import { merged, queriesFor } from '#adapters/x/operations/notifications.ts';
import type { Post } from '#src/clients/social/records/post.ts';
import { idsOf } from '../../contract/social-fixture.ts';
import { scriptX, postRow, rows } from './script-x.ts';
import { watchListInMemory } from './watch-list.ts';

const SINCE = new Date('2026-11-20T12:00:00Z');

test('the fewest searches within the length limit cover all users', () => {
  fc.assert(
    fc.property(fc.uniqueArray(fc.bigInt({ min: 1n, max: 10n ** 19n - 1n }).map(String), { minLength: 1, maxLength: 60 }), (ids) => {
      const queries = queriesFor(ids.map((id) => ({ id, since: SINCE })));

      expect(queries.every((query) => query.length <= 512)).toBe(true);
      expect(queries.flatMap((query) => query.slice(1, -1).split(' OR '))).toEqual(ids.map((id) => `from:${id}`));
      expect(queries.slice(0, -1).every((query) => query.length > 512 - ' OR from:'.length - 20)).toBe(true);
    }),
  );
});

test('several searches make one list, newest first, each post once', () => {
  const ids = fc.uniqueArray(fc.integer({ min: 1, max: 400 }), { maxLength: 60 });
  fc.assert(
    fc.property(fc.array(ids, { minLength: 1, maxLength: 4 }), fc.integer({ min: 1, max: 10 }), (searches, size) => {
      const all = searches.map((ids, index) => ids.map((n) => String(n * 10 + index)).toSorted((a, b) => Number(b) - Number(a)));
      const seen: string[] = [];
      let until: string | undefined;
      do {
        const page = merged(
          all.map((ids) => {
            const left = ids.filter((id) => until === undefined || Number(id) < Number(until));
            const items = left.slice(0, size).map((id) => ({ id }) as Post); // no more of a post is looked at
            return { items, cursor: left.length > size ? 'more' : undefined };
          }),
        );
        seen.push(...idsOf(page.items));
        until = page.cursor;
      } while (until !== undefined);

      expect(seen).toEqual(all.flat().toSorted((a, b) => Number(b) - Number(a)));
    }),
  );
});

test('without watched users, no request is sent', async () => {
  await using x = await scriptX([], { watchList: watchListInMemory(), budgets: { usd: 1 } });

  expect((await x.social.getPostNotifications()).length).toBe(0);
});

test('posts from before the watch are left out', async () => {
  const list = watchListInMemory();
  await list.add({ id: '42', since: SINCE });
  await list.add({ id: '43', since: new Date('2026-11-20T17:30:00Z') });
  const asked = 'GET /2/tweets/search/recent?max_results=100&query=(from:42 OR from:43)&sort_order=recency&start_time=2026-11-20T12:00:00Z';
  const found = rows([
    postRow('9'),
    postRow('8', { author_id: '43' }),
    postRow('7', { author_id: '43', created_at: '2026-11-20T17:45:00Z' }),
  ]);
  await using x = await scriptX([[asked.replaceAll(' OR ', '+OR+'), found]], { watchList: list, budgets: { usd: 1 } });

  expect(idsOf(await x.social.getPostNotifications())).toEqual(['9', '7']);
});

test('a budget for some of the searches is shared by them, and names the users of the others', async () => {
  const list = watchListInMemory();
  const ids = Array.from({ length: 40 }, (_, index) => String(10n ** 18n + BigInt(index)));
  for (const id of ids) await list.add({ id, since: id === ids[1] ? new Date('2026-11-20T17:30:00Z') : SINCE });
  const [first = '', second = '', third = ''] = queriesFor(await list.all());
  const asked = (query: string): string =>
    `GET /2/tweets/search/recent?max_results=10&query=${query}&sort_order=recency&start_time=2026-11-20T12:00:00Z`.replaceAll(
      ' OR ',
      '+OR+',
    );
  const page = (author: string, from: number) =>
    rows(
      Array.from({ length: 10 }, (_, index) => postRow(String(from - index), { author_id: author, created_at: '2026-11-20T17:00:00Z' })),
    );
  await using x = await scriptX(
    [
      [asked(first), page(ids[1] ?? '', 99)],
      [asked(second), page(ids[20] ?? '', 59)],
    ],
    { watchList: list, budgets: { usd: 0.1 } },
  );

  const found = await x.social.getPostNotifications();

  expect(idsOf(found)).toEqual(['59', '58', '57', '56', '55', '54', '53', '52', '51', '50']);
  expect(found.approximate).toBe(true);
  const values = third.match(/\d+/gu);
  expect(found.partialErrors).toEqual([{ fault: 'rejected', message: expect.stringContaining(`${values?.length} watched users`), values }]);
});
