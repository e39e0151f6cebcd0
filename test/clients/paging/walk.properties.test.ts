import { expect, test } from 'vitest';
import { chain, idsOf, pagedBot, type Upstream } from '../../support/paged-bot.ts';
import { fc, runs } from '../../support/property.ts';

/** Pages of any size, empty and short ones, with items that repeat on the next page or later, and perhaps a cursor of an earlier page. */
const upstreams = fc
  .tuple(
    fc.array(fc.uniqueArray(fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'), { maxLength: 6 }), { minLength: 1, maxLength: 12 }),
    fc.option(fc.nat(11)),
  )
  .map(([pages, back]): Upstream => {
    const names = pages.map((_, index) => (index === 0 ? 'start' : `p${index + 1}`));
    const last = names.at(-1) ?? 'start';
    const target = back === null ? undefined : names[1 + (back % Math.max(1, names.length - 1))];
    return { ...chain(...pages), [last]: { ids: pages.at(-1) ?? [], cursor: target } };
  });

/** The expected items of a complete iteration, by page. */
function expectedPages(upstream: Upstream): readonly (readonly string[])[] {
  const pages: string[][] = [];
  const seen = new Set<string>();
  let before: readonly string[] = [];
  for (let at: string | undefined = 'start'; at !== undefined && !seen.has(at); at = upstream[at]?.cursor) {
    if (at !== 'start') seen.add(at);
    const ids: readonly string[] = upstream[at]?.ids ?? [];
    pages.push(ids.filter((id) => !before.includes(id)));
    before = ids;
  }
  return pages;
}

test('a complete iteration returns the items of all pages without repeats, and requests each page once', async () => {
  await fc.assert(
    fc.asyncProperty(upstreams, async (upstream) => {
      const { bot, requests, clock } = pagedBot(upstream);

      const streams = await bot.getTopStreams({ pages: 'all', waitTime: 0 });

      expect(idsOf(streams)).toEqual(expectedPages(upstream).flat());
      expect(requests).toHaveLength(expectedPages(upstream).length);
      expect(streams.hasNext).toBe(false);
      expect(clock.sleeping).toBe(0);
    }),
  );
});

test('an iteration that is resumed anywhere returns the same items with the same number of requests', async () => {
  await fc.assert(
    fc.asyncProperty(upstreams, fc.array(fc.integer({ min: 1, max: 4 }), { minLength: 1, maxLength: 12 }), async (upstream, sizes) => {
      const { bot, requests } = pagedBot(upstream);
      const items: string[] = [];
      let cursor: string | undefined;

      for (const pages of [...sizes, 'all'] as const) {
        const streams = await bot.getTopStreams({ pages, waitTime: 0, cursor });
        items.push(...idsOf(streams));
        cursor = streams.cursor;
        if (!streams.hasNext) break;
      }

      expect(items).toEqual(expectedPages(upstream).flat());
      expect(requests).toHaveLength(expectedPages(upstream).length);
    }),
  );
});

test('all forms return the same items with the same number of requests, and the last container of iterX equals that of await', async () => {
  await fc.assert(
    fc.asyncProperty(upstreams, fc.oneof(fc.integer({ min: 1, max: 14 }), fc.constant('all' as const)), async (upstream, pages) => {
      const options = { pages, waitTime: 0 };
      const [one, two, three] = [pagedBot(upstream), pagedBot(upstream), pagedBot(upstream)];

      const container = await one.bot.getTopStreams(options);
      const items = await Array.fromAsync(two.bot.getTopStreams(options));
      const pairs = await Array.fromAsync(three.bot.iterTopStreams(options));

      expect(items).toEqual(container.items);
      expect(pairs.at(-1)?.[0]).toEqual(container);
      expect(pairs.flatMap(([, page]) => page)).toEqual(container.items);
      expect(new Set([one, two, three].map(({ requests }) => requests.length)).size).toBe(1);
      expect(one.requests.length).toBe(Math.min(expectedPages(upstream).length, pages === 'all' ? Infinity : pages));
    }),
  );
});

test('no item of a page is repeated on the next one', async () => {
  await fc.assert(
    fc.asyncProperty(upstreams, async (upstream) => {
      const { bot } = pagedBot(upstream);

      const pages = await Array.fromAsync(bot.iterTopStreams({ pages: 'all', waitTime: 0 }), ([, items]) => idsOf(items));

      const again = pages.flatMap((page, index) => page.filter((id) => pages[index - 1]?.includes(id)));
      expect(again).toEqual([]);
    }),
  );
});

test('an iteration that is stopped at any instant, by a signal or a return, leaves no request and no timer', async () => {
  const ways = fc.constantFrom('signal', 'return');
  await fc.assert(
    fc.asyncProperty(upstreams, ways, fc.nat(9000), fc.nat(1500), async (upstream, way, stopAtMs, answerMs) => {
      const { bot, clock, requests } = pagedBot(upstream, { onRequest: (_cursor, signal) => clock.sleep(answerMs, signal) });
      const stop = new AbortController();
      const walk = bot.getTopStreams({ pages: 'all', waitTime: 1, signal: stop.signal })[Symbol.asyncIterator]();
      const consuming = Promise.allSettled([Array.fromAsync(walk)]);
      await clock.advance(stopAtMs);
      const before = requests.length;

      if (way === 'signal') stop.abort('enough');
      else await walk.return();
      await consuming;

      expect(clock.sleeping).toBe(0);
      expect(requests).toHaveLength(before);
    }),
    { numRuns: runs(20, 1_000) },
  );
});
