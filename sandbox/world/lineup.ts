import type { PlayedGame } from './content/games.ts';
import { HOLDS_MS, type StoredOrder, type OrderBook } from './orders.ts';
import { steadyViewers, type Streamer } from './people.ts';
import { type Show, type Timetable, changePoints, chapterAt, isOnAir, viewersOf } from './schedule/show.ts';
import type { ProgramMaker } from './schedule/program.ts';
import type { Broadcast } from './world.ts';

/** The stream of a channel at one instant. */
export interface OnAir {
  readonly show: Show;
  readonly game: PlayedGame;
  readonly title: string;
  /** The number of viewers that an order sets; absent without an order. */
  readonly viewers: number | undefined;
}

/** The streams by the schedule and by the orders. */
export interface Lineup {
  /** The stream of a streamer. `scheduled` are the shows of the streamer around the instant. */
  onAir(streamer: Streamer, atMs: number, scheduled: readonly Show[]): OnAir | undefined;
  /** The instants in `(fromMs, toMs]` at which the stream can change, in order. */
  changePoints(streamer: Streamer, scheduled: readonly Show[], fromMs: number, toMs: number): readonly number[];
  /** The shows that orders created. */
  orderedShows(streamer: Streamer): readonly Show[];
  findShow(id: string): Show | undefined;
  /** The latest end of a show. An order can resume a show. */
  latestEndMs(show: Show): number;
}

interface LineupOptions {
  readonly schedule: Timetable;
  readonly orders: OrderBook;
  /** For the shows that orders create. */
  readonly programOf: ProgramMaker;
  readonly streamerOf: (personId: string) => Streamer | undefined;
  readonly gameOf: (gameId: string) => PlayedGame | undefined;
}

/** The lineup of a world. */
export function createLineup({ schedule, orders, programOf, streamerOf, gameOf }: LineupOptions): Lineup {
  function onAir(streamer: Streamer, atMs: number, scheduled: readonly Show[]): OnAir | undefined {
    const received = orders.of(streamer.person.id).filter((order) => order.atMs <= atMs);
    const takeover = received.findLast((order) => isTakeover(order) && atMs < order.atMs + HOLDS_MS);
    const show = takeover ? showOf(takeover) : scheduled.find((each) => isOnAir(each, atMs));
    if (!show) return undefined;

    const { game, title } = chapterAt(show, atMs);
    const changes = received.filter((order) => order.broadcastId === show.id);
    return {
      show,
      game: gameOf(changes.findLast(({ gameId }) => gameId !== undefined)?.gameId ?? '') ?? game,
      title: changes.findLast((order) => order.title !== undefined)?.title ?? title,
      viewers: changes.findLast(({ viewers }) => viewers !== undefined)?.viewers,
    };
  }

  function showOf({ do: what, broadcastId }: StoredOrder): Show | undefined {
    return what === 'end' || broadcastId === undefined ? undefined : findShow(broadcastId);
  }

  function findShow(id: string): Show | undefined {
    const maker = orders.maker(id);
    return maker ? orderedShow(maker) : schedule.findShow(id);
  }

  function orderedShow({ number, personId, atMs, broadcastId = '', gameId }: StoredOrder): Show | undefined {
    const streamer = streamerOf(personId);
    if (!streamer) return undefined;
    const game = gameOf(gameId ?? '') ?? streamer.home;
    const audience = { steady: steadyViewers(game, streamer.renown), warmUpSeconds: 15, wave: 0, rhythm: (number % 100) / 100 };
    const program = programOf(number, { streamer, startMs: atMs, endMs: atMs, game });
    return { id: broadcastId, streamer, startMs: atMs, endMs: Infinity, breaks: [], ...program, audience };
  }

  return {
    onAir,
    findShow,

    latestEndMs({ id, streamer, endMs }) {
      const resumed = orders.of(streamer.person.id).filter((order) => order.resumes && order.broadcastId === id);
      return Math.max(endMs, ...resumed.map(({ atMs }) => atMs + HOLDS_MS));
    },

    changePoints({ person }, scheduled, fromMs, toMs) {
      const ordered = orders.of(person.id).flatMap((order) => (isTakeover(order) ? [order.atMs, order.atMs + HOLDS_MS] : [order.atMs]));
      const points = new Set([...scheduled.flatMap(changePoints), ...ordered]);
      return [...points].filter((atMs) => fromMs < atMs && atMs <= toMs).toSorted((a, b) => a - b);
    },

    orderedShows: ({ person }) =>
      orders.of(person.id).flatMap((order) => (order.do === 'goLive' && !order.resumes ? (orderedShow(order) ?? []) : [])),
  };
}

/** Whether an order replaces the schedule of the person. */
function isTakeover(order: StoredOrder): boolean {
  return order.do === 'goLive' || order.do === 'end';
}

/** The public view of a stream. */
export function toBroadcast({ show, game, title, viewers }: OnAir, atMs: number): Broadcast {
  const { person } = show.streamer;
  return {
    id: show.id,
    person,
    game,
    title,
    tags: show.tags,
    language: person.language,
    viewerCount: viewers ?? viewersOf(show, atMs),
    startedAt: new Date(show.startMs),
  };
}
