import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { PlatformError } from '#src/errors.ts';
import type { Page } from '#src/clients/paging/page.ts';
import { walk, type WalkOptions } from '#src/clients/paging/walk.ts';
import { ManualClock } from '../../support/manual-clock.ts';

interface PagesOptions {
  /** Called when a page is created. It may throw. */
  readonly onMake?: (page: string) => void;
  /** The page whose request gets no response. */
  readonly holds?: string;
  /** Wrong cursors of the next page, by the page that reports them. */
  readonly mistakes?: Readonly<Record<string, string>>;
}

interface Recording {
  readonly events: readonly string[];
  /** Requests that were neither answered nor aborted. */
  readonly open: ReadonlySet<string>;
  readonly options: Omit<WalkOptions<string>, 'pages' | 'waitTime'>;
}

/** Pages `1` to `last` that report the cursor of the next page before they create their items. */
function pagesTo(last: number, { onMake, holds, mistakes = {} }: PagesOptions = {}): Recording {
  const events: string[] = [];
  const open = new Set<string>();

  const load: Recording['options']['load'] = async (upstream = '1', { onNext, signal }): Promise<Page<string>> => {
    events.push(`asked ${upstream}`);
    open.add(upstream);
    signal?.addEventListener('abort', () => open.delete(upstream));
    if (upstream === holds) await new Promise((_resolve, reject) => signal?.addEventListener('abort', () => reject(signal.reason)));
    open.delete(upstream);
    const next = Number(upstream) < last ? String(Number(upstream) + 1) : undefined;
    const reported = mistakes[upstream] ?? next;
    if (reported !== undefined) await onNext?.(reported);
    events.push(`made ${upstream}`);
    onMake?.(upstream);
    return { items: [`item ${upstream}`], cursor: next };
  };

  const scope = { operation: 'getAll', platform: 'demo', account: 'demo', args: {} };
  return { events, open, options: { scope, clock: new ManualClock(), load, idOf: (item) => item, ahead: true } };
}

function askedIn(events: readonly string[]): readonly string[] {
  return events.filter((event) => event.startsWith('asked'));
}

describe('an iteration that reads ahead', () => {
  test('requests the next page before the items of a page are created', async () => {
    const { events, options } = pagesTo(3);

    await Array.fromAsync(walk({ ...options, pages: 'all', waitTime: 0 }));

    expect(askedIn(events)).toEqual(['asked 1', 'asked 2', 'asked 3']);
    expect(events.indexOf('asked 2')).toBeLessThan(events.indexOf('made 1'));
  });

  test('requests at most the wanted number of pages', async () => {
    const { events, options } = pagesTo(3);

    await Array.fromAsync(walk({ ...options, pages: 2, waitTime: 0 }));

    expect(askedIn(events)).toEqual(['asked 1', 'asked 2']);
  });

  test('requests the next page after the items of a page if `ahead` is off', async () => {
    const { events, options } = pagesTo(2);

    await Array.fromAsync(walk({ ...options, ahead: false, pages: 'all', waitTime: 0 }));

    expect(events).toEqual(['asked 1', 'made 1', 'asked 2', 'made 2']);
  });

  test('aborts the request of a wrong page, and requests the right one', async () => {
    const { events, open, options } = pagesTo(3, { holds: 'elsewhere', mistakes: { 1: 'elsewhere' } });

    const pages = await Array.fromAsync(walk({ ...options, pages: 'all', waitTime: 0 }));

    expect(pages.flatMap(({ items }) => items)).toEqual(['item 1', 'item 2', 'item 3']);
    expect(askedIn(events)).toEqual(['asked 1', 'asked elsewhere', 'asked 2', 'asked 3']);
    expect(open.size).toBe(0);
  });

  test('aborts the request of a page after the last one', async () => {
    const { events, open, options } = pagesTo(1, { holds: 'elsewhere', mistakes: { 1: 'elsewhere' } });

    const pages = await Array.fromAsync(walk({ ...options, pages: 'all', waitTime: 0 }));

    expect(pages.map(({ cursor }) => cursor === undefined)).toEqual([true]);
    expect(askedIn(events)).toEqual(['asked 1', 'asked elsewhere']);
    expect(open.size).toBe(0);
  });

  test('aborts the request of the next page if a page fails', async () => {
    const failure = new Error('this page is unreadable');
    const { events, open, options } = pagesTo(3, {
      holds: '2',
      onMake: () => {
        throw failure;
      },
    });

    await expect(Array.fromAsync(walk({ ...options, pages: 'all', waitTime: 0 }))).rejects.toBe(failure);

    expect(events).toEqual(['asked 1', 'asked 2', 'made 1']);
    expect(open.size).toBe(0);
  });

  test('aborts the request of the next page if the consumer stops', async () => {
    const { events, open, options } = pagesTo(3, { holds: '2' });

    for await (const { items } of walk({ ...options, pages: 'all', waitTime: 0 })) {
      expect(items).toEqual(['item 1']);
      expect(open).toEqual(new Set(['2']));
      break;
    }

    expect(askedIn(events)).toEqual(['asked 1', 'asked 2']);
    expect(open.size).toBe(0);
  });

  test('throws the error of a page in its turn, with its cursor, and never as an unhandled rejection', async () => {
    const { options } = pagesTo(3, {
      onMake: (page) => {
        if (page === '2') throw new PlatformError('demo is down', { platform: 'demo', fault: 'unavailable' });
      },
    });
    const pages = walk({ ...options, pages: 'all', waitTime: 0 });
    const first = (await pages.next()).value;
    await pause(10);

    const failure: unknown = await pages.next().catch((reason: unknown) => reason);

    expect(failure).toMatchObject({ fault: 'unavailable', cursor: first?.cursor });
    expect(await pages.next()).toEqual({ done: true, value: undefined });
  });

  test('aborts the request of the next page with its signal, and rejects with the reason', async () => {
    const stop = new AbortController();
    const { open, options } = pagesTo(3, { holds: '2', onMake: () => stop.abort('enough') });

    const pages = Array.fromAsync(walk({ ...options, pages: 'all', waitTime: 0, signal: stop.signal }));

    expect(await Promise.allSettled([pages])).toEqual([{ status: 'rejected', reason: 'enough' }]);
    expect(open.size).toBe(0);
  });
});
