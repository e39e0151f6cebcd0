import type { Journal } from '../journal.ts';
import { games } from './content/games.ts';
import { createHistory, difference } from './history.ts';
import { memoize } from '#src/clients/operation/memoize.ts';
import { OrderBook } from './orders.ts';
import { castOf, type Streamer } from './people.ts';
import { programMaker } from './schedule/program.ts';
import { createSchedule } from './schedule/schedule.ts';
import { chapterAt, isOnAir } from './schedule/show.ts';
import { createLineup, toBroadcast, type OnAir } from './lineup.ts';
import type { Broadcast, OrderListener, World, WorldOrder } from './world.ts';

const namesOf = memoize(
  (streamers: readonly Streamer[]): ReadonlyMap<string, Streamer> =>
    new Map(streamers.flatMap((streamer) => [streamer.person.id, streamer.person.handle].map((name) => [name, streamer]))),
);

/** The world of a seed with the orders of the journal. */
export function createWorld({ seed, journal }: { readonly seed: number; readonly journal: Journal }): World {
  const cast = castOf(seed);
  const byName = namesOf(cast.all);
  const gamesByName = new Map(games.flatMap((game) => [game.id, game.name.toLowerCase()].map((name) => [name, game])));
  const orders = new OrderBook(journal);
  const schedule = createSchedule(seed, cast);
  const streamerOf = (name: string): Streamer | undefined => byName.get(name.toLowerCase());
  const ordered = (): readonly Streamer[] => [...orders.people()].flatMap((id) => streamerOf(id) ?? []);

  const programOf = programMaker(seed, 'orders');
  const lineup = createLineup({ schedule, orders, programOf, streamerOf, gameOf: (id) => gamesByName.get(id) });
  const listeners = new Set<OrderListener>();
  const history = createHistory({ schedule, lineup, ordered, streamerOf });

  function onAirNow(streamer: Streamer, atMs: number): OnAir | undefined {
    return lineup.onAir(streamer, atMs, schedule.showsOf(streamer, atMs, atMs));
  }

  function liveAt(atMs: number): readonly Broadcast[] {
    const underOrders = new Set(ordered());
    const live = [...underOrders].flatMap((streamer) => onAirNow(streamer, atMs) ?? []);
    for (const show of schedule.showsBetween(atMs, atMs)) {
      if (!isOnAir(show, atMs) || underOrders.has(show.streamer)) continue;
      const { game, title } = chapterAt(show, atMs);
      live.push({ show, game, title, viewers: undefined });
    }
    return live.map((onAir) => toBroadcast(onAir, atMs)).sort((a, b) => b.viewerCount - a.viewerCount || (a.id < b.id ? -1 : 1));
  }

  function order(received: WorldOrder, atMs: number): Broadcast | undefined {
    const streamer = streamerOf(received.user);
    if (!streamer) throw new RangeError(`there is no person ${received.user}`);
    const game = received.game === undefined ? undefined : gamesByName.get(received.game.toLowerCase());
    if (received.game !== undefined && !game) throw new RangeError(`there is no game ${received.game}`);

    const before = listeners.size > 0 ? onAirNow(streamer, atMs) : undefined;
    const number = orders.nextNumber(atMs);
    const broadcastId = subjectOf(received, streamer, atMs) ?? (received.do === 'goLive' ? newId(number) : undefined);
    orders.add({
      number,
      atMs,
      do: received.do,
      personId: streamer.person.id,
      broadcastId,
      resumes: received.broadcastId !== undefined,
      gameId: game?.id,
      title: received.title,
      viewers: received.viewers,
    });
    const now = onAirNow(streamer, atMs);
    for (const listener of listeners) listener(streamer.person.id, difference(before, now, new Date(atMs)));
    return now && toBroadcast(now, atMs);
  }

  /** The stream that an order resumes, ends or changes. */
  function subjectOf({ do: what, user, broadcastId }: WorldOrder, streamer: Streamer, atMs: number): string | undefined {
    if (what === 'goLive') {
      const earlier = broadcastId === undefined ? undefined : lineup.findShow(broadcastId);
      const isTheirs = earlier?.streamer === streamer && earlier.startMs <= atMs;
      if (broadcastId !== undefined && !isTheirs) throw new RangeError(`${user} has had no broadcast ${broadcastId}`);
      return broadcastId;
    }
    const now = onAirNow(streamer, atMs);
    if (!now && what !== 'end') throw new RangeError(`${user} is not live`);
    return now?.show.id;
  }

  return {
    people: cast.people,
    games,
    findPerson: (name) => streamerOf(name)?.person,
    findGame: (name) => gamesByName.get(name.toLowerCase()),
    liveAt,
    ...history,
    order,
    onOrder(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

/** The id of an ordered stream. The schedule uses other prefixes. */
function newId(number: number): string {
  return `43${String(number).padStart(10, '0')}`;
}
