import { describe, expect, test } from 'vitest';
import { EVENING_MS, freshWorld, HOUR_MS } from '../../../test/support/sandbox-world.ts';

const world = freshWorld();

describe('people and games', () => {
  test('handles and ids are unique and have the format of Twitch', () => {
    const handles = world.people.map(({ handle }) => handle);
    const ids = world.people.map(({ id }) => id);

    expect(world.people.length).toBeGreaterThan(1000);
    expect(new Set(handles).size).toBe(handles.length);
    expect(new Set(ids).size).toBe(ids.length);
    expect(handles.filter((handle) => !/^[a-z0-9_]{3,25}$/.test(handle))).toEqual([]);
    expect(ids.filter((id) => !/^\d+$/.test(id))).toEqual([]);
    expect(world.people.filter(({ handle, displayName }) => displayName.toLowerCase() !== handle)).toEqual([]);
  });

  test('the world contains the six regulars', () => {
    const regulars = ['ada', 'grace', 'linus', 'margaret', 'dennis', 'barbara'];

    expect(regulars.filter((handle) => world.findPerson(handle)?.handle !== handle)).toEqual([]);
  });

  test('a person is found by id and by handle in any case', () => {
    const ada = world.findPerson('ada');

    expect(world.findPerson('ADA')).toBe(ada);
    expect(world.findPerson(ada?.id ?? '')).toBe(ada);
    expect(world.findPerson('nobody_at_all')).toBeUndefined();
  });

  test('names and ids of games are unique, and a game is found by both', () => {
    const names = world.games.map(({ name }) => name.toLowerCase());
    const ids = world.games.map(({ id }) => id);

    expect(new Set([...names, ...ids]).size).toBe(2 * world.games.length);
    expect(['VALORANT', 'chess', 'Just Chatting', '2048', 'Hollow Orchard', 'Minecraft'].filter((name) => !world.findGame(name))).toEqual(
      [],
    );
    expect(world.findGame(world.findGame('Chess')?.id ?? '')?.name).toBe('Chess');
  });
});

describe('a day of the world', () => {
  const hours = Array.from({ length: 24 }, (_, hour) => world.liveAt(EVENING_MS + hour * HOUR_MS));

  test('hundreds of people are live at every hour', () => {
    const counts = hours.map(({ length }) => length);

    expect(Math.min(...counts)).toBeGreaterThan(250);
    expect(Math.max(...counts)).toBeLessThan(600);
  });

  test('a tenth of the streams has most of the viewers', () => {
    for (const live of hours) {
      const viewers = live.map(({ viewerCount }) => viewerCount);
      const total = viewers.reduce((sum, count) => sum + count, 0);
      const topTenth = viewers.slice(0, Math.floor(viewers.length / 10)).reduce((sum, count) => sum + count, 0);

      expect(topTenth / total).toBeGreaterThan(0.6);
      expect(viewers[Math.floor(viewers.length / 2)]).toBeLessThan(200);
      expect(viewers).toEqual(viewers.toSorted((a, b) => b - a));
    }
  });

  test('the languages of streams follow the time of day', () => {
    const share = (language: string, hourOfUtc: number): number => {
      const live = hours[(hourOfUtc - 18 + 24) % 24] ?? [];
      return live.filter((broadcast) => broadcast.language === language).length / live.length;
    };

    expect(share('ja', 11)).toBeGreaterThan(3 * share('ja', 18));
    expect(share('de', 19)).toBeGreaterThan(2 * share('de', 0));
  });

  test('streams have valid ids, titles, tags and start times', () => {
    const odd = hours
      .flat()
      .filter(
        ({ id, title, tags, startedAt }) =>
          !/^\d+$/.test(id) ||
          title.includes('{') ||
          title.length > 140 ||
          tags.length === 0 ||
          tags.length > 10 ||
          startedAt.getMilliseconds() !== 0,
      );

    expect(odd).toEqual([]);
  });

  test('streams have realistic lengths', () => {
    const regulars = new Set(['ada', 'grace', 'linus', 'margaret', 'dennis', 'barbara']);
    const past = world.broadcastsBetween({ fromMs: EVENING_MS - 12 * HOUR_MS, toMs: EVENING_MS - 8 * HOUR_MS, atMs: EVENING_MS });
    const lengths = past
      .filter(({ person }) => !regulars.has(person.handle))
      .map(({ startedAt, endedAt }) => ((endedAt?.getTime() ?? Infinity) - startedAt.getTime()) / HOUR_MS)
      .toSorted((a, b) => a - b);

    expect(lengths.at(0)).toBeGreaterThan(0.2);
    expect(lengths[Math.floor(lengths.length / 2)]).toBeGreaterThan(0.6);
    expect(lengths.at(-1)).toBeLessThan(8);
  });

  test('viewer counts change without jumps', () => {
    let before = new Map<string, number>();
    const jumps: string[] = [];

    for (let second = 0; second < 120; second++) {
      const atMs = EVENING_MS + second * 1000;
      const live = world.liveAt(atMs);
      for (const { id, viewerCount, startedAt } of live) {
        const was = before.get(id);
        const settled = atMs - startedAt.getTime() > 300_000;
        if (was !== undefined && settled && Math.abs(viewerCount - was) > 2 + was * 0.01) jumps.push(`${id}: ${was} to ${viewerCount}`);
      }
      before = new Map(live.map(({ id, viewerCount }) => [id, viewerCount]));
    }

    expect(jumps).toEqual([]);
  });
});
