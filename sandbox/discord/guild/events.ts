import { z } from 'zod';
import type { Journal } from '../../journal.ts';
import { StoredMap } from '../../stored-map.ts';
import { compareIds } from '../snowflake.ts';

const STATUS = { scheduled: 1, active: 2, completed: 3 } as const;

const ScheduledEvent = z.object({
  id: z.string(),
  guildId: z.string(),
  creatorId: z.string(),
  name: z.string(),
  description: z.string().optional(),
  location: z.string(),
  startMs: z.number(),
  endMs: z.number(),
});

/** A scheduled event at a place outside of Discord. */
export interface ScheduledEvent extends z.output<typeof ScheduledEvent> {}

/** The scheduled events of all guilds. */
export class ScheduledEvents {
  readonly #stored: StoredMap<ScheduledEvent>;

  constructor(journal: Journal) {
    this.#stored = new StoredMap({ journal, collection: 'discord.events', schema: ScheduledEvent, keyOf: ({ id }) => id });
  }

  /** The events of a guild that are not over, oldest first. */
  of(guildId: string, nowMs: number): readonly ScheduledEvent[] {
    const there = this.#stored.all().filter((event) => event.guildId === guildId && statusOf(event, nowMs) !== STATUS.completed);
    return there.toSorted((a, b) => compareIds(a.id, b.id));
  }

  put(event: ScheduledEvent): void {
    this.#stored.put(event);
  }

  delete(id: string): void {
    this.#stored.delete(id);
  }
}

/** Discord begins and ends events outside of Discord by their times. */
export function statusOf({ startMs, endMs }: ScheduledEvent, nowMs: number): (typeof STATUS)[keyof typeof STATUS] {
  if (nowMs >= endMs) return STATUS.completed;
  return nowMs >= startMs ? STATUS.active : STATUS.scheduled;
}
