import type { PlayedGame } from './content/games.ts';
import { HOLDS_MS, type StoredOrder, type OrderBook } from './orders.ts';
import { steadyViewers, type Streamer } from './people.ts';
import { type Show, type Timetable, changePoints, chapterAt, isOnAir, viewersOf } from './schedule/show.ts';
import type { ProgramMaker } from './schedule/program.ts';
import type { Broadcast } from './world.ts';

/** What is on somebody's channel at one instant. */
export interface OnAir {
  readonly show: Show;
  readonly game: PlayedGame;
  readonly title: string;
  /** The number of viewers that an order sets; absent without an order. */
  readonly viewers: number | undefined;
}

/** What is on, by the schedule and by the orders. */
export interface Lineup {
  /** What is on `streamer`'s channel, whose shows around that instant are `scheduled`. */
  onAir(streamer: Streamer, atMs: number, scheduled: readonly Show[]): OnAir | undefined;
  /** The instants in `(fromMs, toMs]` at which that may change, in order. */
  changePoints(streamer: Streamer, scheduled: readonly Show[], fromMs: number, toMs: number): readonly number[];
  /** The shows that orders made. */
  orderedShows(streamer: Streamer): readonly Show[];
  findShow(id: string): Show | undefined;
  /** When a show is over at the latest: an order may have taken it up again. */
  latestEndMs(show: Show): number;
}

export interface LineupOptions {
  readonly schedule: Timetable;
  readonly orders: OrderBook;
  /** For the shows that orders make. */
  readonly programOf: ProgramMaker;
  readonly streamerOf: (personId: string) => Streamer | undefined;
  readonly gameOf: (gameId: string) => PlayedGame | undefined;
}

/** The stage of one world. */
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

/** Such an order replaces the schedule of its person while it holds. */
function isTakeover(order: StoredOrder): boolean {
  return order.do === 'goLive' || order.do === 'end';
}

/** The stream as the outside sees it. */
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
