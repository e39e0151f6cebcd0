import { describe, expect, test } from 'vitest';
import { ContainerPromise } from '#src/clients/paging/container-promise.ts';
import { Container } from '#src/clients/paging/container.ts';
import { TopStreams } from '#src/clients/streaming/containers.ts';
import { chain, idsOf, pagedBot } from '../../support/paged-bot.ts';

const three = chain(['a', 'b'], ['c', 'd'], ['e']);

describe('rule 1: a call sends nothing; its first use does', () => {
  test('a call returns a ContainerPromise at once', async () => {
    const { bot, requests } = pagedBot(three);

    const streams = bot.getTopStreams();

    expect(streams).toBeInstanceOf(ContainerPromise);
    await new Promise((resolve) => setImmediate(resolve));
    expect(requests).toEqual([]);
  });

  test.for([
    ['zero pages', { pages: 0 }],
    ['half a page', { pages: 1.5 }],
    ['pages as a text', { pages: 'some' }],
    ['a negative waitTime', { waitTime: -1 }],
    ['no rows', { rows: 0 }],
    ['half a row', { rows: 1.5 }],
    ['rows that are no number', { rows: NaN }],
    ['rows as a text', { rows: '10' }],
    ['an unknown option', { page: 2 }],
    ['tags that are not a list', { tags: 'a' }],
  ] as const)('%s reject on use, not at the call, and before any request', async ([, options]) => {
    const { bot, requests } = pagedBot(three);

    const wrong = bot.getTopStreams(options as object); // wrong on purpose: JavaScript allows it

    await expect(wrong).rejects.toMatchObject({ name: 'ValidationError' });
    await expect(Array.fromAsync(wrong)).rejects.toMatchObject({ name: 'ValidationError' });
    expect(requests).toEqual([]);
  });

  test('a ValidationError names the argument', async () => {
    const { bot } = pagedBot(three);

    await expect(bot.getTopStreams({ pages: 0 })).rejects.toMatchObject({
      path: 'pages',
      message: expect.stringContaining('getTopStreams: pages'),
    });
  });

  test('iterX with wrong arguments rejects at its first page', async () => {
    const { bot } = pagedBot(three);

    const pages = bot.iterTopStreams({ pages: 0 });

    await expect(pages.next()).rejects.toMatchObject({ name: 'ValidationError' });
  });

  test('an unsupported operation or parameter rejects before any request', async () => {
    const { bot, requests } = pagedBot(three);

    await expect(bot.getTopGames()).rejects.toMatchObject({ name: 'UnsupportedOperation', reason: 'NO_FEATURE' });
    await expect(bot.getGameStreams('Chess', { tags: ['a'] })).rejects.toMatchObject({ name: 'UnsupportedParameter', parameter: 'tags' });
    expect(requests).toEqual([]);
  });

  test('an operation with one result is a plain promise, and rejects too', async () => {
    const { bot } = pagedBot(three);

    const user = bot.getUser('');

    expect(user).toBeInstanceOf(Promise);
    await expect(user).rejects.toMatchObject({ name: 'ValidationError', path: 'user' });
  });
});

describe('rule 2: a page is the result of one call of the primitive', () => {
  test('a container has the sum of scanned rows, and is approximate if one page is', async () => {
    const { bot } = pagedBot({ start: { ids: ['a'], scanned: 1000, approximate: true, cursor: 'p2' }, p2: { ids: ['b', 'c'] } });

    const streams = await bot.getTopStreams({ pages: 2, waitTime: 0 });

    expect(streams).toMatchObject({ scanned: 1002, approximate: true });
  });
});

describe('rule 3: `pages` limits the iteration in every form', () => {
  test('the default is one page', async () => {
    const { bot, requests } = pagedBot(three);

    const streams = await bot.getTopStreams();

    expect(idsOf(streams)).toEqual(['a', 'b']);
    expect(requests).toEqual(['start']);
  });

  test.for(['await', 'for await', 'iter'] as const)('two pages by %s are two requests', async (form) => {
    const { bot, requests } = pagedBot(three);
    const options = { pages: 2, waitTime: 0 };

    if (form === 'await') await bot.getTopStreams(options);
    else await Array.fromAsync<unknown>(form === 'iter' ? bot.iterTopStreams(options) : bot.getTopStreams(options));

    expect(requests).toEqual(['start', 'p2']);
  });

  test("'all' reads to the end", async () => {
    const { bot, requests } = pagedBot(three);

    const streams = await bot.getTopStreams({ pages: 'all', waitTime: 0 });

    expect(idsOf(streams)).toEqual(['a', 'b', 'c', 'd', 'e']);
    expect(requests).toEqual(['start', 'p2', 'p3']);
  });

  test('more pages than exist are not an error', async () => {
    const { bot, requests } = pagedBot(three);

    await bot.getTopStreams({ pages: 9, waitTime: 0 });

    expect(requests).toHaveLength(3);
  });
});

describe('rule 4: await returns one container', () => {
  test('with the items of up to three pages in order, from three calls of the primitive', async () => {
    const { bot, requests } = pagedBot(chain(['a'], ['b'], ['c'], ['d']));

    const streams = await bot.getTopStreams({ pages: 3, waitTime: 0 });

    expect(streams).toBeInstanceOf(TopStreams);
    expect(idsOf(streams)).toEqual(['a', 'b', 'c']);
    expect(requests).toHaveLength(3);
  });
});

describe('rule 5: for await returns the items one by one', () => {
  test('with the same items as await', async () => {
    const { bot } = pagedBot(three);

    const items = await Array.fromAsync(bot.getTopStreams({ pages: 'all', waitTime: 0 }));

    expect(idsOf(items)).toEqual(['a', 'b', 'c', 'd', 'e']);
  });

  test('the next page is requested after the last item of the page before it', async () => {
    const { bot, requests } = pagedBot(three);
    const walk = bot.getTopStreams({ pages: 'all', waitTime: 0 })[Symbol.asyncIterator]();

    await walk.next();
    await walk.next();
    const before = [...requests];
    await walk.next();

    expect(before).toEqual(['start']);
    expect(requests).toEqual(['start', 'p2']);
    await walk.return();
  });
});

describe('rule 6: iterX returns a container and the items of each page', () => {
  test('the container has all pages so far, and is never changed', async () => {
    const { bot } = pagedBot(chain(['a', 'b'], [], ['c']));

    const pairs = await Array.fromAsync(bot.iterTopStreams({ pages: 'all', waitTime: 0 }));

    expect(pairs.map(([, items]) => idsOf(items))).toEqual([['a', 'b'], [], ['c']]);
    expect(pairs.map(([streams]) => idsOf(streams))).toEqual([
      ['a', 'b'],
      ['a', 'b'],
      ['a', 'b', 'c'],
    ]);
    for (const [streams, items] of pairs) {
      expect(streams).toBeInstanceOf(TopStreams);
      expect([streams, streams.items, streams.partialErrors, items].every((value) => Object.isFrozen(value))).toBe(true);
    }
  });

  test('there is at least one pair, even without items', async () => {
    const { bot } = pagedBot(chain([]));

    const pairs = await Array.fromAsync(bot.iterTopStreams());

    expect(pairs).toHaveLength(1);
  });

  test.for([1, 2, 3, 'all'] as const)('the last container equals the result of await, for %s pages', async (pages) => {
    const { bot } = pagedBot(three);
    const options = { pages, waitTime: 0 };

    const pairs = await Array.fromAsync(bot.iterTopStreams(options));

    expect(pairs.at(-1)?.[0]).toEqual(await bot.getTopStreams(options));
  });
});

describe('rule 7: the members of a container', () => {
  test('items, length, at, an iterator, cursor, hasNext, scanned, approximate, partialErrors', async () => {
    const partial = { fault: 'unavailable', message: 'down', values: ['z'] } as const;
    const { bot } = pagedBot({ start: { ids: ['a', 'b'], cursor: 'p2', partialErrors: [partial] }, p2: { ids: ['c'] } });

    const first = await bot.getTopStreams();
    const all = await bot.getTopStreams({ pages: 2, waitTime: 0 });

    expect(first).toBeInstanceOf(Container);
    expect(first).toMatchObject({ length: 2, hasNext: true, cursor: expect.any(String), scanned: 2, approximate: false });
    expect(first.at(-1)?.id).toBe('b');
    expect(first.at(7)).toBeUndefined();
    expect(idsOf([...first])).toEqual(idsOf(first.items));
    expect(first.partialErrors).toEqual([partial]);
    expect(all).toMatchObject({ length: 3, hasNext: false, cursor: undefined, scanned: 3 });
  });
});

describe('rule 8: await, then, catch and finally share one iteration', () => {
  test('a promise that is awaited several times', async () => {
    const { bot, requests } = pagedBot(three);
    const streams = bot.getTopStreams();

    const [first, second] = await Promise.all([streams, streams.then((container) => container)]);
    const third = await streams.catch(() => undefined);
    const fourth = await streams.finally(() => undefined);

    expect(new Set([first, second, third, fourth]).size).toBe(1);
    expect(requests).toEqual(['start']);
  });

  test('a later for await reads the same iteration', async () => {
    const { bot, requests } = pagedBot(three);
    const streams = bot.getTopStreams();
    await streams;

    const items = await Array.fromAsync(streams);

    expect(idsOf(items)).toEqual(['a', 'b']);
    expect(requests).toEqual(['start']);
  });

  test('each for await without an earlier await, and each iterX, has its own iteration', async () => {
    const { bot, requests } = pagedBot(three);
    const streams = bot.getTopStreams();

    await Array.fromAsync(streams);
    await Array.fromAsync(streams);
    await streams;
    await Array.fromAsync(bot.iterTopStreams());

    expect(requests).toEqual(['start', 'start', 'start', 'start']);
  });
});
