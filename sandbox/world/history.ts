import type { Streamer } from './people.ts';
import type { Show, Timetable } from './schedule/show.ts';
import type { OnAir, Lineup } from './lineup.ts';
import type { PastBroadcast, PastChoice, World, WorldEvent } from './world.ts';

interface HistoryOptions {
  readonly schedule: Timetable;
  readonly lineup: Lineup;
  /** The people with orders. */
  readonly ordered: () => readonly Streamer[];
  readonly streamerOf: (personId: string) => Streamer | undefined;
}

/** The history of a world. */
export function createHistory({
  schedule,
  lineup,
  ordered,
  streamerOf,
}: HistoryOptions): Pick<World, 'eventsBetween' | 'broadcastsBetween' | 'findBroadcast'> {
  function eventsOf(streamer: Streamer, scheduled: readonly Show[], fromMs: number, toMs: number): readonly WorldEvent[] {
    const events: WorldEvent[] = [];
    let before = lineup.onAir(streamer, fromMs, scheduled);
    for (const atMs of lineup.changePoints(streamer, scheduled, fromMs, toMs)) {
      const after = lineup.onAir(streamer, atMs, scheduled);
      events.push(...difference(before, after, new Date(atMs)));
      before = after;
    }
    return events;
  }

  function eventsBetween(fromMs: number, toMs: number, personId?: string): readonly WorldEvent[] {
    if (personId !== undefined) {
      const streamer = streamerOf(personId);
      return streamer ? eventsOf(streamer, schedule.showsOf(streamer, fromMs, toMs), fromMs, toMs) : [];
    }
    const shows = Map.groupBy(schedule.showsBetween(fromMs, toMs), ({ streamer }) => streamer);
    const streamers = new Set([...shows.keys(), ...ordered()]);
    return [...streamers]
      .flatMap((streamer) => eventsOf(streamer, shows.get(streamer) ?? [], fromMs, toMs))
      .toSorted((a, b) => a.at.getTime() - b.at.getTime());
  }

  function broadcastsBetween({ person, game, leastRenown, fromMs, toMs, atMs }: PastChoice): readonly PastBroadcast[] {
    const streamer = person && streamerOf(person.id);
    const scheduled = streamer
      ? schedule.showsOf(streamer, fromMs, toMs)
      : schedule.showsBetween(fromMs, toMs, leastRenown === undefined ? undefined : ({ renown }) => renown >= leastRenown);
    const made = (streamer ? [streamer] : ordered()).flatMap((owner) => lineup.orderedShows(owner));
    return [...scheduled, ...made]
      .filter(({ startMs, chapters }) => fromMs < startMs && startMs <= toMs && (!game || chapters[0].game.id === game.id))
      .flatMap((show) => toPastBroadcast(show, atMs) ?? [])
      .toSorted((a, b) => a.startedAt.getTime() - b.startedAt.getTime());
  }

  /** Undefined if an order prevented the show. */
  function toPastBroadcast(show: Show, atMs: number): PastBroadcast | undefined {
    const { id, streamer, startMs, chapters, audience } = show;
    const { person } = streamer;
    const endedMs = endOf(show, atMs);
    if (endedMs === startMs) return undefined;
    return {
      id,
      person,
      game: chapters[0].game,
      title: chapters[0].title,
      language: person.language,
      startedAt: new Date(startMs),
      endedAt: endedMs === undefined ? undefined : new Date(endedMs),
      steadyViewers: audience.steady,
    };
  }

  function endOf(show: Show, atMs: number): number | undefined {
    const { streamer, startMs, endMs } = show;
    if (!ordered().includes(streamer)) return endMs <= atMs ? endMs : undefined;
    const untilMs = Math.min(atMs, lineup.latestEndMs(show));
    const scheduled = schedule.showsOf(streamer, startMs, untilMs);
    if (untilMs === atMs && lineup.onAir(streamer, atMs, scheduled)?.show.id === show.id) return undefined;
    const ends = eventsOf(streamer, scheduled, startMs - 1, untilMs).filter(
      ({ kind, broadcastId }) => kind === 'ended' && broadcastId === show.id,
    );
    return ends.at(-1)?.at.getTime() ?? startMs;
  }

  return {
    eventsBetween,
    broadcastsBetween,

    findBroadcast(id, atMs) {
      const show = lineup.findShow(id);
      return show && show.startMs <= atMs ? toPastBroadcast(show, atMs) : undefined;
    },
  };
}

/** The events that change a stream at an instant. */
export function difference(before: OnAir | undefined, after: OnAir | undefined, at: Date): readonly WorldEvent[] {
  if (before && after && before.show.id === after.show.id) {
    return [
      ...(before.game === after.game ? [] : [toEvent('changedGame', after, at)]),
      ...(before.title === after.title ? [] : [toEvent('changedTitle', after, at)]),
    ];
  }
  return [...(before ? [toEvent('ended', before, at)] : []), ...(after ? [toEvent('wentLive', after, at)] : [])];
}

function toEvent(kind: WorldEvent['kind'], { show, game, title }: OnAir, at: Date): WorldEvent {
  return { at, kind, person: show.streamer.person, broadcastId: show.id, startedAt: new Date(show.startMs), game, title };
}
