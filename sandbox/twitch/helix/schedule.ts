import { z } from 'zod';
import type { JsonObject } from '#src/clients/operation/json.ts';
import type { Journal } from '../../journal.ts';
import { Refusal } from '../../refusal.ts';
import { StoredMap } from '../../stored-map.ts';
import type { WorldPerson } from '../../world/world.ts';
import { cutPage, type HelixRequest, malformed, pageRequest, wireInstant } from './request.ts';
import { teamMembers } from './teams.ts';

const MOST_SEGMENTS = 25;
const HOUR_MS = 3_600_000;
const WEEK_MS = 7 * 24 * HOUR_MS;
/** A Saturday, 18:00 UTC. */
const FIRST_MS = Date.UTC(2026, 0, 3, 18);
/** The weeks that a recurring stream is listed for. */
const WEEKS = 52;

const Segment = z.object({
  id: z.string(),
  title: z.string(),
  gameId: z.string().optional(),
  startMs: z.number(),
  endMs: z.number(),
  canceled: z.boolean(),
  recurring: z.boolean(),
});
type Segment = z.output<typeof Segment>;

const Planned = z.object({ personId: z.string(), segments: z.array(Segment) });

/** The schedules of channels. The members of the team stream each Saturday, unless an order plans other streams. */
export class Schedules {
  readonly #planned: StoredMap<z.output<typeof Planned>>;

  constructor(journal: Journal) {
    this.#planned = new StoredMap({ journal, collection: 'twitch.schedules', schema: Planned, keyOf: ({ personId }) => personId });
  }

  /** Replaces the schedule of a channel. */
  plan(personId: string, segments: readonly Segment[]): void {
    this.#planned.put({ personId, segments: [...segments] });
  }

  /** The streams that start after an instant, soonest first; undefined if the channel has no schedule. */
  after(
    person: WorldPerson,
    { nowMs, isRegular }: { readonly nowMs: number; readonly isRegular: boolean },
  ): readonly Segment[] | undefined {
    const planned = this.#planned.get(person.id)?.segments ?? (isRegular ? weekly(person, nowMs) : undefined);
    return planned?.filter(({ startMs }) => startMs > nowMs).toSorted((a, b) => a.startMs - b.startMs);
  }
}

function weekly(person: WorldPerson, nowMs: number): readonly Segment[] {
  const week = Math.ceil((nowMs - FIRST_MS) / WEEK_MS);
  return Array.from({ length: WEEKS }, (_, index) => {
    const startMs = FIRST_MS + (week + index) * WEEK_MS;
    const of = { title: `Saturday with ${person.displayName}`, startMs, endMs: startMs + 3 * HOUR_MS };
    return { id: `${person.id}-${week + index}`, ...of, canceled: false, recurring: true };
  });
}

/** `GET /schedule`: the next streams of a channel. */
export function getSchedule(schedules: Schedules): (request: HelixRequest) => JsonObject {
  return ({ world, query, nowMs, fault }) => {
    const person = world.findPerson(query.required('broadcaster_id'));
    if (!person) throw new Refusal(400, 'The ID in broadcaster_id is not valid');
    if (query.first() > MOST_SEGMENTS) throw malformed('first', `the value must be less than or equal to ${MOST_SEGMENTS}`);
    const segments = schedules.after(person, { nowMs, isRegular: teamMembers(world).includes(person) });
    if (!segments) throw new Refusal(404, 'No segments found');
    const { data, pagination } = cutPage(segments, pageRequest(query, nowMs), fault);
    const wire = data.map(({ id, title, gameId, startMs, endMs, canceled, recurring }) => {
      const game = gameId === undefined ? undefined : world.findGame(gameId);
      return {
        id,
        start_time: wireInstant(new Date(startMs)),
        end_time: wireInstant(new Date(endMs)),
        title,
        canceled_until: canceled ? wireInstant(new Date(endMs)) : null,
        category: game ? { id: game.id, name: game.name } : null,
        is_recurring: recurring,
      };
    });
    const broadcaster = { broadcaster_id: person.id, broadcaster_name: person.displayName, broadcaster_login: person.handle };
    return { data: { segments: wire, ...broadcaster, vacation: null }, pagination: { ...pagination } };
  };
}
