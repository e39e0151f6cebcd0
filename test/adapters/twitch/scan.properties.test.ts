import { fc } from '../../support/property.ts';
import { expect, test } from 'vitest';
import { scan } from '#adapters/twitch/pages.ts';

interface Row {
  readonly id: string;
  readonly wanted: boolean;
}

/** Pages of any size with wanted and unwanted rows. */
const upstreams = fc
  .array(fc.array(fc.boolean(), { maxLength: 7 }), { minLength: 1, maxLength: 40 })
  .map((pages) => pages.map((rows, page) => rows.map((wanted, row): Row => ({ id: `${page}-${row}`, wanted }))));

test('a scan returns every wanted row once, in order, and reads every row once', async () => {
  await fc.assert(
    fc.asyncProperty(upstreams, fc.integer({ min: 1, max: 6 }), async (upstream, size) => {
      const all = upstream.flat();
      const found: Row[] = [];
      let scanned = 0;
      let cursor: string | undefined;

      do {
        let requests = 0;
        const page = await scan<Row>({
          read: async (after = '0') => {
            requests += 1;
            const next = Number(after) + 1;
            return { items: upstream[next - 1] ?? [], cursor: next < upstream.length ? String(next) : undefined };
          },
          keep: ({ wanted }) => wanted,
          requests: 10,
          cursor,
          size,
        });

        expect(requests).toBeLessThanOrEqual(10);
        expect(page.items.length).toBeLessThanOrEqual(size);
        expect(page.approximate ?? false).toBe(page.items.length < size && page.cursor !== undefined);
        found.push(...page.items);
        scanned += page.scanned ?? 0;
        cursor = page.cursor;
      } while (cursor !== undefined);

      expect(found).toEqual(all.filter(({ wanted }) => wanted));
      expect(scanned).toBe(all.length);
    }),
  );
});
