import { describe, expect, test } from 'vitest';
import { chain, idsOf, pagedBot, type Upstream } from '../support/paged-bot.ts';

const all = { pages: 'all', waitTime: 0 } as const;

describe('rule 10: the end', () => {
  test('is where there is no upstream cursor', async () => {
    const { bot } = pagedBot(chain(['a'], ['b']));

    const streams = await bot.getTopStreams(all);

    expect(streams).toMatchObject({ length: 2, hasNext: false, cursor: undefined });
  });

  test('is where the upstream cursor is the same for ever; what it brought still counts', async () => {
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

  test('is where the upstream cursors go round in a circle', async () => {
    const { bot, requests } = pagedBot(circle);

    const streams = await bot.getTopStreams(all);

    expect(idsOf(streams)).toEqual(['a', 'b', 'c', 'd']);
    expect(requests).toHaveLength(4);
  });

  test.for([1, 2, 3])('is the same for a walk round a circle that is cut after %i pages', async (pages) => {
    const { bot } = pagedBot(circle);
    const first = await bot.getTopStreams({ pages, waitTime: 0 });

    const rest = await bot.getTopStreams({ ...all, cursor: first.cursor });

    expect([...idsOf(first), ...idsOf(rest)]).toEqual(['a', 'b', 'c', 'd']);
  });

  test('is not an empty page', async () => {
    const { bot } = pagedBot(chain(['a'], [], [], ['b']));

    const streams = await bot.getTopStreams(all);

    expect(idsOf(streams)).toEqual(['a', 'b']);
  });

  test('nineteen empty pages in a row are none, either', async () => {
    const { bot } = pagedBot(chain(['a'], ...Array.from({ length: 19 }, () => []), ['b']));

    const streams = await bot.getTopStreams(all);

    expect(idsOf(streams)).toEqual(['a', 'b']);
  });

  const emptyForEver = chain(['a'], ...Array.from({ length: 30 }, () => []));

  test('twenty empty pages in a row are malformed', async () => {
    const { bot, requests } = pagedBot(emptyForEver);

    const streams = bot.getTopStreams(all);

    await expect(streams).rejects.toMatchObject({ fault: 'malformed', cursor: expect.any(String) });
    expect(requests).toHaveLength(21);
  });

  test('twenty are counted across a cut', async () => {
    const { bot, requests } = pagedBot(emptyForEver);
    const first = await bot.getTopStreams({ pages: 11, waitTime: 0 });

    const rest = bot.getTopStreams({ ...all, cursor: first.cursor });

    await expect(rest).rejects.toMatchObject({ fault: 'malformed' });
    expect(requests).toHaveLength(21);
  });

  test('pages that only repeat the one before under ever new cursors come to an end, too', async () => {
    const { bot, requests } = pagedBot(chain(...Array.from({ length: 40 }, () => ['a', 'b'])));

    const streams = bot.getTopStreams(all);

    await expect(streams).rejects.toMatchObject({ fault: 'malformed' });
    expect(requests).toHaveLength(21);
  });
});

describe('rule 11: an item that stood on the page before is dropped', () => {
  test('also when it comes on three pages in a row', async () => {
    const { bot } = pagedBot(chain(['a', 'b'], ['b', 'c'], ['b', 'c', 'd']));

    const streams = await bot.getTopStreams(all);

    // `b` stood on the second page as the platform gave it.
    expect(idsOf(streams)).toEqual(['a', 'b', 'c', 'd']);
  });

  test('but not one from a page further back', async () => {
    const { bot } = pagedBot(chain(['a'], ['b'], ['a']));

    const streams = await bot.getTopStreams(all);

    expect(idsOf(streams)).toEqual(['a', 'b', 'a']);
  });

  test('the rows that were dropped were looked at', async () => {
    const { bot } = pagedBot(chain(['a', 'b'], ['b', 'c']));

    const streams = await bot.getTopStreams(all);

    expect(streams).toMatchObject({ length: 3, scanned: 4 });
  });

  test('a walk that is cut and goes on by the cursor drops it, too', async () => {
    const { bot } = pagedBot(chain(['a', 'b'], ['b', 'c']));
    const first = await bot.getTopStreams();

    const rest = await bot.getTopStreams({ ...all, cursor: first.cursor });

    expect(idsOf(rest)).toEqual(['c']);
  });
});
