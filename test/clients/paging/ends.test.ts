import { describe, expect, test } from 'vitest';
import { chain, idsOf, pagedBot, type Upstream } from '../../support/paged-bot.ts';

const all = { pages: 'all', waitTime: 0 } as const;

describe('rule 10: an iteration', () => {
  test('ends without an upstream cursor', async () => {
    const { bot } = pagedBot(chain(['a'], ['b']));

    const streams = await bot.getTopStreams(all);

    expect(streams).toMatchObject({ length: 2, hasNext: false, cursor: undefined });
  });

  test('ends at an upstream cursor that repeats, with the items of its page', async () => {
    const { bot, requests } = pagedBot({ start: { ids: ['a'], cursor: 'x' }, x: { ids: ['b'], cursor: 'x' } });

    const streams = await bot.getTopStreams(all);

    expect(idsOf(streams)).toEqual(['a', 'b']);
    expect(streams.hasNext).toBe(false);
    expect(requests).toEqual(['start', 'x']);
  });

  const circle: Upstream = {
    start: { ids: ['a'], cursor: 'x' },
    x: { ids: ['b'], cursor: 'y' },
    y: { ids: ['c'], cursor: 'z' },
    z: { ids: ['d'], cursor: 'x' },
  };

  test('ends if the upstream cursors form a cycle', async () => {
    const { bot, requests } = pagedBot(circle);

    const streams = await bot.getTopStreams(all);

    expect(idsOf(streams)).toEqual(['a', 'b', 'c', 'd']);
    expect(requests).toHaveLength(4);
  });

  test.for([1, 2, 3])('ends at the same item if it is resumed after %i pages of a cycle', async (pages) => {
    const { bot } = pagedBot(circle);
    const first = await bot.getTopStreams({ pages, waitTime: 0 });

    const rest = await bot.getTopStreams({ ...all, cursor: first.cursor });

    expect([...idsOf(first), ...idsOf(rest)]).toEqual(['a', 'b', 'c', 'd']);
  });

  test('does not end at an empty page', async () => {
    const { bot } = pagedBot(chain(['a'], [], [], ['b']));

    const streams = await bot.getTopStreams(all);

    expect(idsOf(streams)).toEqual(['a', 'b']);
  });

  test('does not end at nineteen empty pages in a row', async () => {
    const { bot } = pagedBot(chain(['a'], ...Array.from({ length: 19 }, () => []), ['b']));

    const streams = await bot.getTopStreams(all);

    expect(idsOf(streams)).toEqual(['a', 'b']);
  });

  const emptyForEver = chain(['a'], ...Array.from({ length: 30 }, () => []));

  test('fails as malformed at twenty empty pages in a row', async () => {
    const { bot, requests } = pagedBot(emptyForEver);

    const streams = bot.getTopStreams(all);

    await expect(streams).rejects.toMatchObject({ fault: 'malformed', cursor: expect.any(String) });
    expect(requests).toHaveLength(21);
  });

  test('counts empty pages across a resume', async () => {
    const { bot, requests } = pagedBot(emptyForEver);
    const first = await bot.getTopStreams({ pages: 11, waitTime: 0 });

    const rest = bot.getTopStreams({ ...all, cursor: first.cursor });

    await expect(rest).rejects.toMatchObject({ fault: 'malformed' });
    expect(requests).toHaveLength(21);
  });

  test('fails as malformed at pages that repeat the one before with new cursors', async () => {
    const { bot, requests } = pagedBot(chain(...Array.from({ length: 40 }, () => ['a', 'b'])));

    const streams = bot.getTopStreams(all);

    await expect(streams).rejects.toMatchObject({ fault: 'malformed' });
    expect(requests).toHaveLength(21);
  });
});

describe('rule 11: an item of the page before is dropped', () => {
  test('even on three pages in a row', async () => {
    const { bot } = pagedBot(chain(['a', 'b'], ['b', 'c'], ['b', 'c', 'd']));

    const streams = await bot.getTopStreams(all);

    // `b` is on the second page of the platform.
    expect(idsOf(streams)).toEqual(['a', 'b', 'c', 'd']);
  });

  test('an item of an earlier page is kept', async () => {
    const { bot } = pagedBot(chain(['a'], ['b'], ['a']));

    const streams = await bot.getTopStreams(all);

    expect(idsOf(streams)).toEqual(['a', 'b', 'a']);
  });

  test('dropped rows count as scanned', async () => {
    const { bot } = pagedBot(chain(['a', 'b'], ['b', 'c']));

    const streams = await bot.getTopStreams(all);

    expect(streams).toMatchObject({ length: 3, scanned: 4 });
  });

  test('a resumed iteration drops it too', async () => {
    const { bot } = pagedBot(chain(['a', 'b'], ['b', 'c']));
    const first = await bot.getTopStreams();

    const rest = await bot.getTopStreams({ ...all, cursor: first.cursor });

    expect(idsOf(rest)).toEqual(['c']);
  });
});
