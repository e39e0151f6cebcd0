import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { PlatformError } from '#src/errors.ts';
import type { Page } from '#src/paging/page.ts';
import { walk, type WalkOptions } from '#src/paging/walk.ts';
import { ManualClock } from '../support/manual-clock.ts';

interface PagesOptions {
  /** May fail. */
  readonly onMake?: (page: string) => void;
  /** Is never answered. */
  readonly holds?: string;
  /** Where the next page seems to begin, by the page that says so too early. */
  readonly mistakes?: Readonly<Record<string, string>>;
}

interface Recording {
  readonly events: readonly string[];
  /** Requests that were neither answered nor ended. */
  readonly open: ReadonlySet<string>;
  readonly options: Omit<WalkOptions<string>, 'pages' | 'waitTime'>;
}

/** Pages `1` to `last` that say where the next one begins before they make their items. */
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

describe('where all pages are wanted, the next one is asked for before the items of this one are made', () => {
  test('without a pause', async () => {
    const { events, options } = pagesTo(3);

    await Array.fromAsync(walk({ ...options, pages: 'all', waitTime: 0 }));

    expect(askedIn(events)).toEqual(['asked 1', 'asked 2', 'asked 3']);
    expect(events.indexOf('asked 2')).toBeLessThan(events.indexOf('made 1'));
  });

  test('and never more pages than were wanted', async () => {
    const { events, options } = pagesTo(3);

    await Array.fromAsync(walk({ ...options, pages: 2, waitTime: 0 }));

    expect(askedIn(events)).toEqual(['asked 1', 'asked 2']);
  });

  test('but not where one page may be enough', async () => {
    const { events, options } = pagesTo(2);

    await Array.fromAsync(walk({ ...options, ahead: false, pages: 'all', waitTime: 0 }));

    expect(events).toEqual(['asked 1', 'made 1', 'asked 2', 'made 2']);
  });

  test('and the right one where it was mistaken for another: that one is ended', async () => {
    const { events, open, options } = pagesTo(3, { holds: 'elsewhere', mistakes: { 1: 'elsewhere' } });

    const pages = await Array.fromAsync(walk({ ...options, pages: 'all', waitTime: 0 }));

    expect(pages.flatMap(({ items }) => items)).toEqual(['item 1', 'item 2', 'item 3']);
    expect(askedIn(events)).toEqual(['asked 1', 'asked elsewhere', 'asked 2', 'asked 3']);
    expect(open.size).toBe(0);
  });

  test('and none where there is none after all: what was asked for is ended', async () => {
    const { events, open, options } = pagesTo(1, { holds: 'elsewhere', mistakes: { 1: 'elsewhere' } });

    const pages = await Array.fromAsync(walk({ ...options, pages: 'all', waitTime: 0 }));

    expect(pages.map(({ cursor }) => cursor === undefined)).toEqual([true]);
    expect(askedIn(events)).toEqual(['asked 1', 'asked elsewhere']);
    expect(open.size).toBe(0);
  });

  test('what was asked for too early is ended where the walk fails', async () => {
    const failure = new Error('nobody can read this');
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

  test('whoever stops behind a page ends it too', async () => {
    const { events, open, options } = pagesTo(3, { holds: '2' });

    for await (const { items } of walk({ ...options, pages: 'all', waitTime: 0 })) {
      expect(items).toEqual(['item 1']);
      expect(open).toEqual(new Set(['2']));
      break;
    }

    expect(askedIn(events)).toEqual(['asked 1', 'asked 2']);
    expect(open.size).toBe(0);
  });

  test('its failure is told in its place, with its cursor, and nobody hears of it before', async () => {
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

  test('an abort ends it too, with its own reason', async () => {
    const stop = new AbortController();
    const { open, options } = pagesTo(3, { holds: '2', onMake: () => stop.abort('enough') });

    const pages = Array.fromAsync(walk({ ...options, pages: 'all', waitTime: 0, signal: stop.signal }));

    expect(await Promise.allSettled([pages])).toEqual([{ status: 'rejected', reason: 'enough' }]);
    expect(open.size).toBe(0);
  });
});
