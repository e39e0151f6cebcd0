import { fc } from '../../../test/support/property.ts';
import { describe, expect, test } from 'vitest';
import type { World, WorldEvent, WorldOrder } from '../../world/world.ts';
import { countProcessorMs } from '../../../test/support/processor-time.ts';
import { DAY_MS, EVENING_MS, freshWorld, HOUR_MS } from '../../../test/support/sandbox-world.ts';

/** The live streams by handle. */
type Channels = Readonly<Record<string, string>>;

function channelsAt(world: World, atMs: number): Channels {
  return Object.fromEntries(world.liveAt(atMs).map(({ person, id, game, title }) => [person.handle, `${id} ${game.name} ${title}`]));
}

function replay(channels: Channels, events: readonly WorldEvent[]): Channels {
  const live = new Map(Object.entries(channels));
  for (const { kind, person, broadcastId, game, title } of events) {
    if (kind === 'wentLive' && live.has(person.handle)) throw new Error(`${person.handle} was live already`);
    if (kind !== 'wentLive' && !live.has(person.handle)) throw new Error(`${person.handle} was not live`);
    if (kind === 'ended') live.delete(person.handle);
    else live.set(person.handle, `${broadcastId} ${game.name} ${title}`);
  }
  return Object.fromEntries(live);
}

function tryOrder(world: World, order: WorldOrder, atMs: number): void {
  try {
    world.order(order, atMs);
  } catch (error) {
    // Many random orders are not possible. The world refuses them.
    if (!(error instanceof RangeError)) throw error;
  }
}

const offset = fc.integer({ min: 0, max: 3 * HOUR_MS });
const order = fc.record({
  do: fc.constantFrom<WorldOrder['do'][]>('goLive', 'end', 'changeGame', 'changeTitle', 'setViewers'),
  user: fc.constantFrom('ada', 'grace', 'linus'),
  game: fc.constantFrom('Chess', 'VALORANT'),
  title: fc.constantFrom('one', 'two'),
  viewers: fc.nat(50_000),
});

describe('events', () => {
  test('are the differences between two instants', () => {
    const worlds = [1, 2, 3].map(freshWorld);
    const cases = fc.record({
      world: fc.constantFrom(...worlds),
      startMs: fc.integer({ min: EVENING_MS - 300 * DAY_MS, max: EVENING_MS }),
      lengthMs: fc.integer({ min: 0, max: 2 * HOUR_MS }),
    });

    fc.assert(
      fc.property(cases, ({ world, startMs, lengthMs }) => {
        const events = world.eventsBetween(startMs, startMs + lengthMs);

        expect(replay(channelsAt(world, startMs), events)).toEqual(channelsAt(world, startMs + lengthMs));
      }),
      { numRuns: 30 },
    );
  });

  test('are the differences between two instants with any orders', () => {
    const cases = fc.record({ orders: fc.array(fc.tuple(order, offset), { maxLength: 12 }), from: offset, length: offset });

    fc.assert(
      fc.property(cases, ({ orders, from, length }) => {
        const world = freshWorld();
        for (const [what, at] of orders) tryOrder(world, what, EVENING_MS + at);
        const events = world.eventsBetween(EVENING_MS + from, EVENING_MS + from + length);

        expect(replay(channelsAt(world, EVENING_MS + from), events)).toEqual(channelsAt(world, EVENING_MS + from + length));
      }),
      { numRuns: 25 },
    );
  });

  test('of two adjacent ranges are the events of the whole range', () => {
    const world = freshWorld();
    const [fromMs, middleMs, toMs] = [EVENING_MS, EVENING_MS + 1_234_567, EVENING_MS + HOUR_MS];

    const parts = [...world.eventsBetween(fromMs, middleMs), ...world.eventsBetween(middleMs, toMs)];

    expect(parts).toEqual(world.eventsBetween(fromMs, toMs));
  });
});

describe('past streams', () => {
  const world = freshWorld();

  test('have start events', () => {
    const [fromMs, toMs] = [EVENING_MS - 6 * HOUR_MS, EVENING_MS - 3 * HOUR_MS];
    const started = new Set(
      world
        .eventsBetween(fromMs, toMs)
        .filter(({ kind }) => kind === 'wentLive')
        .map(({ broadcastId }) => broadcastId),
    );

    const past = world.broadcastsBetween({ fromMs, toMs, atMs: toMs });

    // A flap has a start event, but no new stream.
    expect(past.map(({ id }) => id).filter((id) => !started.has(id))).toEqual([]);
    expect(past.length).toBeGreaterThan(900);
  });

  test('have an end after they ended, and are found by id', () => {
    const [broadcast] = world.liveAt(EVENING_MS);
    const { id = '', person, startedAt = new Date(0) } = broadcast ?? {};

    expect(world.findBroadcast(id, EVENING_MS)).toMatchObject({ id, person, startedAt, endedAt: undefined });
    expect(world.findBroadcast(id, EVENING_MS + DAY_MS)?.endedAt?.getTime()).toBeGreaterThan(EVENING_MS);
    expect(world.findBroadcast(id, startedAt.getTime() - 1)).toBeUndefined();
    expect(world.findBroadcast('1', EVENING_MS)).toBeUndefined();
  });

  test('of a person with orders are read quickly, and earlier streams are unchanged', () => {
    const [world, untouched] = [freshWorld(), freshWorld()];
    const person = world.findPerson('ada');
    world.order({ do: 'end', user: 'ada' }, EVENING_MS - HOUR_MS);
    world.order({ do: 'goLive', user: 'ada' }, EVENING_MS - HOUR_MS / 2);
    const choice = { person, fromMs: EVENING_MS - 14 * DAY_MS, toMs: EVENING_MS, atMs: EVENING_MS };

    const workedMs = countProcessorMs();
    const past = world.broadcastsBetween(choice);
    const tookMs = workedMs();

    const before = ({ endedAt }: { readonly endedAt: Date | undefined }): boolean =>
      (endedAt?.getTime() ?? Infinity) < EVENING_MS - HOUR_MS;
    expect(past.filter(before)).toEqual(untouched.broadcastsBetween(choice).filter(before));
    expect(past.at(-1)).toMatchObject({ startedAt: new Date(EVENING_MS - HOUR_MS / 2), endedAt: undefined });
    // Without a limit on the range, this takes minutes.
    expect(tookMs).toBeLessThan(5_000);
  });

  test('of one person or one game are the matching streams of all', () => {
    const range = { fromMs: EVENING_MS - 2 * HOUR_MS, toMs: EVENING_MS, atMs: EVENING_MS };
    const all = world.broadcastsBetween(range);
    const person = world.findPerson('ada');
    const game = world.findGame('VALORANT');

    expect(world.broadcastsBetween({ ...range, person })).toEqual(all.filter((each) => each.person === person));
    expect(world.broadcastsBetween({ ...range, game })).toEqual(all.filter((each) => each.game === game));
    for (const { person: other, id } of all.slice(0, 50)) {
      expect(world.broadcastsBetween({ ...range, person: other }).map((each) => each.id)).toContain(id);
    }
  });
});
