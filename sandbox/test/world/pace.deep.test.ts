import { fc } from '../../../test/support/property.ts';
import { describe, expect, test } from 'vitest';
import type { World, WorldEvent } from '../../world/world.ts';
import { DAY_MS, EVENING_MS, every, freshWorld, HOUR_MS, MINUTE_MS, SECOND_MS, topFive } from '../../../test/support/sandbox-world.ts';

const DAY_START_MS = Date.parse('2026-11-20T00:00:00Z');
const REGULARS = new Set(['ada', 'grace', 'linus', 'margaret', 'dennis', 'barbara']);
const STAYS_MS = 40 * SECOND_MS;
const COOLDOWN_MS = 6 * HOUR_MS;

/** The people who entered the top five of VALORANT and stayed, each at most once in six hours. */
function announceable(
  world: World,
  stepMs: number,
  fromMs: number,
  toMs: number,
): readonly { readonly atMs: number; readonly handle: string }[] {
  const tops = every(stepMs, fromMs, toMs + STAYS_MS + stepMs).map((atMs) => ({ atMs, handles: topFive(world, 'VALORANT', atMs) }));
  const lastOf = new Map<string, number>();
  const found: { readonly atMs: number; readonly handle: string }[] = [];
  for (const [index, { atMs, handles }] of tops.entries()) {
    const before = tops[index - 1]?.handles;
    const following = tops.slice(index, index + 1 + STAYS_MS / stepMs);
    if (!before || following.length <= STAYS_MS / stepMs) continue;
    for (const handle of handles) {
      const rests = atMs - (lastOf.get(handle) ?? -Infinity) < COOLDOWN_MS;
      if (before.includes(handle) || rests || !following.every((top) => top.handles.includes(handle))) continue;
      lastOf.set(handle, atMs);
      found.push({ atMs, handle });
    }
  }
  return found;
}

function longestGapMs(instants: readonly number[]): number {
  return Math.max(...instants.slice(1).map((atMs, index) => atMs - (instants[index] ?? atMs)));
}

function instantsOf(events: readonly WorldEvent[], which: (event: WorldEvent) => boolean): readonly number[] {
  return events.filter(which).map(({ at }) => at.getTime());
}

describe('the pace of the world over a day', () => {
  const world = freshWorld();
  const events = world.eventsBetween(DAY_START_MS, DAY_START_MS + DAY_MS);

  test('a stream starts in any 20 seconds', () => {
    expect(longestGapMs(instantsOf(events, ({ kind }) => kind === 'wentLive'))).toBeLessThanOrEqual(20 * SECOND_MS);
  });

  test('in any 30 seconds of every hour, another person enters the top five of VALORANT and stays for 40 seconds', () => {
    for (const fromMs of every(HOUR_MS, DAY_START_MS, DAY_START_MS + DAY_MS)) {
      const entrances = announceable(world, 5 * SECOND_MS, fromMs, fromMs + 10 * MINUTE_MS).map(({ atMs }) => atMs);

      expect(longestGapMs([fromMs, ...entrances, fromMs + 10 * MINUTE_MS])).toBeLessThanOrEqual(30 * SECOND_MS);
    }
  });

  test('only regulars start twice within six hours', () => {
    const starts = Map.groupBy(
      world.broadcastsBetween({ fromMs: DAY_START_MS, toMs: DAY_START_MS + DAY_MS, atMs: DAY_START_MS + DAY_MS }),
      ({ person }) => person.handle,
    );
    const restless = [...starts]
      .filter(([handle]) => !REGULARS.has(handle))
      .filter(([, past]) =>
        past.some(({ startedAt }, index) => startedAt.getTime() - (past[index - 1]?.startedAt.getTime() ?? -Infinity) < COOLDOWN_MS),
      );

    expect(restless.map(([handle]) => handle)).toEqual([]);
    expect(starts.size).toBeGreaterThan(3000);
  });

  test('a regular starts or ends at least every 40 seconds', () => {
    const instants = instantsOf(events, ({ person, kind }) => REGULARS.has(person.handle) && (kind === 'wentLive' || kind === 'ended'));

    expect(longestGapMs(instants)).toBeLessThanOrEqual(40 * SECOND_MS);
  });

  test('each regular is live about half of the time', () => {
    for (const handle of REGULARS) {
      const instants = every(10 * SECOND_MS, EVENING_MS, EVENING_MS + HOUR_MS);
      const on = instants.filter((atMs) => world.liveAt(atMs).some(({ person }) => person.handle === handle)).length / instants.length;

      expect([handle, on > 0.45 && on < 0.7]).toEqual([handle, true]);
    }
  });

  test('streams of regulars are interrupted for half a minute', () => {
    const regulars = events.filter(({ person }) => REGULARS.has(person.handle));
    const flaps = regulars.flatMap((event, index) => {
      const back = regulars.slice(index + 1).find(({ kind, broadcastId }) => kind === 'wentLive' && broadcastId === event.broadcastId);
      return event.kind === 'ended' && back ? [back.at.getTime() - event.at.getTime()] : [];
    });

    expect(flaps.length).toBeGreaterThan(100);
    expect(Math.min(...flaps)).toBeGreaterThanOrEqual(20 * SECOND_MS);
    expect(Math.max(...flaps)).toBeLessThanOrEqual(40 * SECOND_MS);
  });
});

describe('the pace of any world at any time', () => {
  const worlds = [1, 2, 3, 4].map(freshWorld);
  const anywhere = fc.record({
    world: fc.constantFrom(...worlds),
    fromMs: fc.integer({ min: DAY_START_MS / 1000, max: (DAY_START_MS + 400 * DAY_MS) / 1000 }).map((seconds) => seconds * 1000),
  });

  test('a top five changes in any 20 seconds', () => {
    fc.assert(
      fc.property(anywhere, ({ world, fromMs }) => {
        const tops = every(SECOND_MS, fromMs, fromMs + 21 * SECOND_MS).map((atMs) => allTopFives(world, atMs));

        expect(new Set(tops).size).toBeGreaterThan(1);
      }),
      { numRuns: 30 },
    );
  });

  test('in any 45 seconds, a newcomer enters the top five of VALORANT and stays for 40 seconds', () => {
    fc.assert(
      fc.property(anywhere, ({ world, fromMs }) => {
        expect(announceable(world, SECOND_MS, fromMs, fromMs + 46 * SECOND_MS).length).toBeGreaterThan(0);
      }),
      { numRuns: 30 },
    );
  });
});

function allTopFives(world: World, atMs: number): string {
  const byGame = Map.groupBy(world.liveAt(atMs), ({ game }) => game.name);
  const tops = [...byGame].map(
    ([game, live]) =>
      `${game}: ${live
        .slice(0, 5)
        .map(({ person }) => person.handle)
        .toSorted()
        .join()}`,
  );
  return tops.toSorted().join('\n');
}
