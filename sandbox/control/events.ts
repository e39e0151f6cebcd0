import { z } from 'zod';
import type { JsonObject } from '#src/clients/operation/json.ts';
import { fromCursor, toCursor } from '../cursor.ts';
import type { World, WorldEvent } from '../world/world.ts';
import { OrderError } from './order-error.ts';
import type { EventsQuery } from './orders.ts';

const HOUR_MS = 3_600_000;
const MOST_EVENTS = 500;

/** A position in the history: after `delivered` events of `atMs`. */
const Position = z.object({ atMs: z.number(), delivered: z.int().min(0), untilMs: z.number() });

interface EventsPage {
  readonly items: readonly JsonObject[];
  readonly cursor?: string | undefined;
}

/** A page of the events after `since` (default: an hour ago) until `until` (default: now), oldest first. */
export function eventsPage(world: World, { since, until, cursor }: EventsQuery, nowMs: number): EventsPage {
  const start = { atMs: since ?? nowMs - HOUR_MS, delivered: 0, untilMs: Math.min(until ?? nowMs, nowMs) };
  const position = cursor === undefined ? start : fromCursor(Position, cursor);
  if (!position) throw new OrderError('cursor: not the cursor of an earlier answer.');
  const { atMs, delivered, untilMs } = position;

  // The page starts at `atMs` again if it had more events than were delivered.
  const events = eventsFrom(world, delivered > 0 ? atMs - 1 : atMs, untilMs, delivered + MOST_EVENTS + 1).slice(delivered);
  const items = events.slice(0, MOST_EVENTS);
  const last = items.at(-1);
  if (events.length <= MOST_EVENTS || !last) return { items: items.map(toItem) };

  const lastMs = last.at.getTime();
  const deliveredThen = items.filter(({ at }) => at.getTime() === lastMs).length + (lastMs === atMs ? delivered : 0);
  return { items: items.map(toItem), cursor: toCursor({ atMs: lastMs, delivered: deliveredThen, untilMs }) };
}

/** At least the first `most` events. Each step searches one hour. */
function eventsFrom(world: World, fromMs: number, untilMs: number, most: number): readonly WorldEvent[] {
  const events: WorldEvent[] = [];
  for (let atMs = fromMs; atMs < untilMs && events.length < most; atMs += HOUR_MS) {
    events.push(...world.eventsBetween(atMs, Math.min(atMs + HOUR_MS, untilMs)));
  }
  return events;
}

function toItem({ at, kind, person, broadcastId, game, title }: WorldEvent): JsonObject {
  return {
    at: at.toISOString(),
    kind,
    user: { id: person.id, handle: person.handle, displayName: person.displayName },
    broadcastId,
    game: { id: game.id, name: game.name },
    title,
  };
}
