import { describe, expect, test } from 'vitest';
import { openJournal } from '../../journal-sqlite.ts';
import { createWorld } from '../../world/create-world.ts';
import type { Broadcast, World } from '../../world/world.ts';
import { temporaryFolder } from '../../../test/support/temporary-folder.ts';
import { DAY_MS, EVENING_MS, freshWorld, HOUR_MS, MINUTE_MS } from '../../../test/support/sandbox-world.ts';

function channelOf(world: World, handle: string, atMs: number): Broadcast | undefined {
  return world.liveAt(atMs).find(({ person }) => person.handle === handle);
}

describe('orders', () => {
  test('goLive starts the ordered stream, which stays live', () => {
    const world = freshWorld();

    const broadcast = world.order({ do: 'goLive', user: 'ada', game: 'VALORANT', title: 'Ordered', viewers: 99_000 }, EVENING_MS);

    for (const atMs of [EVENING_MS, EVENING_MS + 5 * MINUTE_MS, EVENING_MS + 10 * HOUR_MS]) {
      expect(channelOf(world, 'ada', atMs)).toEqual(broadcast);
    }
    expect(world.liveAt(EVENING_MS + MINUTE_MS)[0]).toMatchObject({
      title: 'Ordered',
      viewerCount: 99_000,
      startedAt: new Date(EVENING_MS),
    });
    expect(broadcast?.game.name).toBe('VALORANT');
  });

  test('an order does not change the past', () => {
    const [world, untouched] = [freshWorld(), freshWorld()];

    world.order({ do: 'goLive', user: 'ada' }, EVENING_MS);

    expect(world.liveAt(EVENING_MS - 1)).toEqual(untouched.liveAt(EVENING_MS - 1));
  });

  test('end removes a person from the schedule for a day', () => {
    const world = freshWorld();
    world.order({ do: 'goLive', user: 'ada' }, EVENING_MS);

    world.order({ do: 'end', user: 'ada' }, EVENING_MS + MINUTE_MS);

    const minutes = Array.from({ length: 60 }, (_, minute) => EVENING_MS + MINUTE_MS + minute * MINUTE_MS);
    expect(minutes.filter((atMs) => channelOf(world, 'ada', atMs))).toEqual([]);
    expect(minutes.some((atMs) => channelOf(world, 'ada', atMs + DAY_MS))).toBe(true);
  });

  test('goLive with an earlier id resumes that stream', () => {
    const world = freshWorld();
    const first = world.order({ do: 'goLive', user: 'ada', game: 'Chess', title: 'Long one', viewers: 10 }, EVENING_MS);
    world.order({ do: 'end', user: 'ada' }, EVENING_MS + MINUTE_MS);

    const again = world.order({ do: 'goLive', user: 'ada', broadcastId: first?.id }, EVENING_MS + 2 * MINUTE_MS);

    expect(again).toEqual(first);
    const kinds = world
      .eventsBetween(EVENING_MS - 1, EVENING_MS + 3 * MINUTE_MS)
      .filter(({ broadcastId }) => broadcastId === first?.id)
      .map(({ kind }) => kind);
    expect(kinds).toEqual(['wentLive', 'ended', 'wentLive']);
  });

  test('goLive without an id starts a new stream, even during a stream', () => {
    const world = freshWorld();
    const first = world.order({ do: 'goLive', user: 'ada' }, EVENING_MS);

    const second = world.order({ do: 'goLive', user: 'ada' }, EVENING_MS);

    expect(second?.id).not.toBe(first?.id);
    expect(second?.id).toMatch(/^\d+$/);
  });

  test('changes of game, title and viewers apply to the current stream only', () => {
    const world = freshWorld();
    const person = world.liveAt(EVENING_MS)[40]?.person.handle ?? '';
    const before = channelOf(world, person, EVENING_MS);

    world.order({ do: 'changeGame', user: person, game: '2048' }, EVENING_MS);
    world.order({ do: 'changeTitle', user: person, title: 'Something else' }, EVENING_MS);
    world.order({ do: 'setViewers', user: person, viewers: 0 }, EVENING_MS);

    expect(channelOf(world, person, EVENING_MS)).toMatchObject({ id: before?.id, title: 'Something else', viewerCount: 0 });
    expect(channelOf(world, person, EVENING_MS)?.game.name).toBe('2048');
    expect(channelOf(world, person, EVENING_MS + 12 * HOUR_MS)?.title).not.toBe('Something else');
    const events = world.eventsBetween(EVENING_MS - 1, EVENING_MS).filter((event) => event.person.handle === person);
    expect(events.map(({ kind }) => kind)).toEqual(['changedGame', 'changedTitle']);
  });

  test('an ordered stream is in the history after its end', () => {
    const world = freshWorld();
    const broadcast = world.order({ do: 'goLive', user: 'ada', game: 'Chess' }, EVENING_MS);
    world.order({ do: 'end', user: 'ada' }, EVENING_MS + HOUR_MS);
    const person = world.findPerson('ada');

    const past = world.broadcastsBetween({ person, fromMs: EVENING_MS - 1, toMs: EVENING_MS + HOUR_MS, atMs: EVENING_MS + 2 * HOUR_MS });

    expect(past.map(({ id, endedAt }) => [id, endedAt])).toEqual([[broadcast?.id, new Date(EVENING_MS + HOUR_MS)]]);
  });

  test.each([
    ['a missing person', { do: 'goLive', user: 'nobody_at_all' }, /no person nobody_at_all/],
    ['a missing game', { do: 'goLive', user: 'ada', game: 'Chest' }, /no game Chest/],
    ['a stream of another person', { do: 'goLive', user: 'ada', broadcastId: '1' }, /ada has had no broadcast 1/],
  ] as const)('an order with %s is refused and changes nothing', (_, order, message) => {
    const world = freshWorld();

    expect(() => world.order(order, EVENING_MS)).toThrow(message);
    expect(() => world.order(order, EVENING_MS)).toThrow(RangeError);
    expect(world.liveAt(EVENING_MS)).toEqual(freshWorld().liveAt(EVENING_MS));
  });

  test('a stream that is not live cannot be changed', () => {
    const world = freshWorld();
    world.order({ do: 'end', user: 'ada' }, EVENING_MS);

    expect(() => world.order({ do: 'setViewers', user: 'ada', viewers: 5 }, EVENING_MS)).toThrow('ada is not live');
  });
});

describe('a restart', () => {
  test('keeps the world with its orders', () => {
    using folder = temporaryFolder();
    const file = `${folder.path}/sandbox.sqlite`;
    const journal = openJournal({ file });
    const world = createWorld({ seed: 5, journal });
    world.order({ do: 'goLive', user: 'ada', viewers: 12 }, EVENING_MS);
    world.order({ do: 'end', user: 'grace' }, EVENING_MS + MINUTE_MS);
    const [live, events] = [world.liveAt(EVENING_MS + HOUR_MS), world.eventsBetween(EVENING_MS - 1, EVENING_MS + HOUR_MS)];
    journal.close();

    const reopened = openJournal({ file });
    const again = createWorld({ seed: 5, journal: reopened });

    expect(again.liveAt(EVENING_MS + HOUR_MS)).toEqual(live);
    expect(again.eventsBetween(EVENING_MS - 1, EVENING_MS + HOUR_MS)).toEqual(events);
    reopened.close();
  });

  test('the seed determines the world', () => {
    const handles = [1, 2].map((seed) =>
      freshWorld(seed)
        .liveAt(EVENING_MS)
        .map(({ title }) => title),
    );

    expect(handles[0]).not.toEqual(handles[1]);
  });

  test('orders are deleted after a week', () => {
    const journal = openJournal();
    const world = createWorld({ seed: 1, journal });
    world.order({ do: 'end', user: 'ada' }, EVENING_MS);

    world.order({ do: 'end', user: 'grace' }, EVENING_MS + 8 * DAY_MS);

    expect(journal.all('world.orders')).toHaveLength(1);
  });
});
