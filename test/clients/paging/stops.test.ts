import { describe, expect, test } from 'vitest';
import { PlatformError } from '#src/errors.ts';
import { chain, idsOf, pagedBot, type PagedBotOptions } from '../../support/paged-bot.ts';

const three = chain(['a'], ['b'], ['c']);

/** Fails at one page until `state.failing` is false. */
function failingAt(page: string) {
  const state = { failing: true };
  const onRequest: PagedBotOptions['onRequest'] = (cursor) => {
    if (state.failing && cursor === page) throw new PlatformError('down', { platform: 'demo', fault: 'unavailable' });
  };
  return { state, onRequest };
}

/** Never answers, and records the signals of open requests. */
function hanging() {
  const open = new Set<AbortSignal>();
  const onRequest: PagedBotOptions['onRequest'] = (_cursor, signal) =>
    new Promise((_resolve, reject) => {
      if (!signal) return;
      open.add(signal);
      signal.addEventListener('abort', () => {
        open.delete(signal);
        reject(signal.reason);
      });
    });
  return { open, onRequest };
}

describe('rule 9: a failed page', () => {
  test('rejects the promise, and error.cursor resumes at this page', async () => {
    const { state, onRequest } = failingAt('p2');
    const { bot, requests } = pagedBot(three, { onRequest });

    const error: unknown = await bot.getTopStreams({ pages: 'all', waitTime: 0 }).catch((reason: unknown) => reason);
    state.failing = false;
    const cursor = error instanceof PlatformError ? error.cursor : undefined;
    const rest = await bot.getTopStreams({ pages: 'all', waitTime: 0, cursor });

    expect(error).toMatchObject({ fault: 'unavailable', cursor: expect.any(String) });
    expect(idsOf(rest)).toEqual(['b', 'c']);
    expect(requests).toEqual(['start', 'p2', 'p2', 'p3']);
  });

  test('makes for await and iterX throw after the pages before it', async () => {
    const { onRequest } = failingAt('p2');
    const { bot } = pagedBot(three, { onRequest });
    const options = { pages: 'all', waitTime: 0 } as const;
    const received: string[] = [];

    const items = (async () => {
      for await (const { id } of bot.getTopStreams(options)) received.push(id);
    })();
    await expect(items).rejects.toMatchObject({ cursor: expect.any(String) });
    const pages = (async () => {
      for await (const [, page] of bot.iterTopStreams(options)) received.push(...idsOf(page));
    })();
    await expect(pages).rejects.toMatchObject({ cursor: expect.any(String) });

    expect(received).toEqual(['a', 'a']);
  });

  test('has no cursor if it is the first page', async () => {
    const { onRequest } = failingAt('start');
    const { bot } = pagedBot(three, { onRequest });

    await expect(bot.getTopStreams()).rejects.toMatchObject({ fault: 'unavailable', cursor: undefined });
  });
});

describe('rule 14: break, return and signal leave no request and no timer', () => {
  test('break in the middle of a page', async () => {
    const { bot, clock, requests } = pagedBot(three);

    for await (const stream of bot.getTopStreams({ pages: 'all' })) {
      if (stream.id === 'a') break;
    }

    expect(clock.sleeping).toBe(0);
    expect(requests).toEqual(['start']);
  });

  test('break after a page of iterX', async () => {
    const { bot, clock, requests } = pagedBot(three);

    for await (const [streams] of bot.iterTopStreams({ pages: 'all' })) {
      if (streams.length > 0) break;
    }

    expect(clock.sleeping).toBe(0);
    expect(requests).toEqual(['start']);
  });

  test.for(['for await', 'iter'] as const)('return during the wait for the next page, by %s', async (form) => {
    const { bot, clock, requests } = pagedBot(three);
    const walk: AsyncGenerator<unknown, void> =
      form === 'iter' ? bot.iterTopStreams({ pages: 'all' }) : bot.getTopStreams({ pages: 'all' })[Symbol.asyncIterator]();
    await walk.next();
    const pending = walk.next();
    await expect.poll(() => clock.sleeping).toBe(1);

    await walk.return();

    expect(await pending).toEqual({ done: true, value: undefined });
    expect(clock.sleeping).toBe(0);
    expect(requests).toEqual(['start']);
  });

  test('return while a request is under way', async () => {
    const { open, onRequest } = hanging();
    const { bot } = pagedBot(three, { onRequest });
    const walk = bot.iterTopStreams();
    const pending = walk.next();
    await expect.poll(() => open.size).toBe(1);

    await walk.return();

    expect(await pending).toEqual({ done: true, value: undefined });
    expect(open.size).toBe(0);
  });

  test('leaving the scope of an iterX', async () => {
    const { open, onRequest } = hanging();
    const { bot } = pagedBot(three, { onRequest });
    {
      await using walk = bot.iterTopStreams();
      void walk.next();
      await expect.poll(() => open.size).toBe(1);
    }

    expect(open.size).toBe(0);
  });

  test.for(['await', 'for await', 'iter'] as const)('a signal during the wait for the next page, by %s', async (form) => {
    const { bot, clock, requests } = pagedBot(three);
    const stop = new AbortController();
    const options = { pages: 'all', signal: stop.signal } as const;
    const streams = bot.getTopStreams(options);
    const work = form === 'await' ? streams : Array.fromAsync<unknown>(form === 'iter' ? bot.iterTopStreams(options) : streams);
    const settled = Promise.allSettled([work]);
    await expect.poll(() => clock.sleeping).toBe(1);

    stop.abort('enough');

    expect(await settled).toEqual([{ status: 'rejected', reason: 'enough' }]);
    expect(clock.sleeping).toBe(0);
    expect(requests).toEqual(['start']);
  });

  test('a signal while a request is under way', async () => {
    const { open, onRequest } = hanging();
    const { bot } = pagedBot(three, { onRequest });
    const stop = new AbortController();
    const settled = Promise.allSettled([bot.getTopStreams({ signal: stop.signal })]);
    await expect.poll(() => open.size).toBe(1);

    stop.abort('enough');

    expect(await settled).toEqual([{ status: 'rejected', reason: 'enough' }]);
    expect(open.size).toBe(0);
  });

  test('a signal that was aborted before the first use', async () => {
    const { bot, requests } = pagedBot(three);

    const streams = bot.getTopStreams({ signal: AbortSignal.abort('enough') });

    await expect(Promise.allSettled([streams])).resolves.toEqual([{ status: 'rejected', reason: 'enough' }]);
    expect(requests).toEqual([]);
  });

  test('a signal between two pages', async () => {
    const { bot, requests } = pagedBot(three);
    const stop = new AbortController();
    const walk = bot.iterTopStreams({ pages: 'all', waitTime: 0, signal: stop.signal });
    await walk.next();

    stop.abort('enough');

    await expect(Promise.allSettled([walk.next()])).resolves.toEqual([{ status: 'rejected', reason: 'enough' }]);
    expect(requests).toEqual(['start']);
  });
});
