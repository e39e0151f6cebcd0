import { type Context, Hono } from 'hono';
import { z } from 'zod';
import type { JsonObject } from '#src/clients/operation/json.ts';
import { statusOf, type ScheduledEvent } from '../guild/events.ts';
import type { Guild } from '../guild/guild.ts';
import { includes } from '../guild/permissions.ts';
import { APPLICATION_ID } from '../identity.ts';
import type { Discord } from '../parts.ts';
import { invalidForm, refusals } from '../refusal.ts';
import { readForm } from './body.ts';
import { guildOf, idOf } from './guild.ts';
import { limited } from './rate-limits.ts';

const MOST_EVENTS = 100;
const EXTERNAL = 3;
const PRIVACY_GUILD_ONLY = 2;

const instant = z.iso.datetime({ offset: true }).transform((text) => Date.parse(text));
const fields = {
  name: z.string().min(1).max(100),
  description: z.string().max(1000).nullish(),
  scheduled_start_time: instant,
  scheduled_end_time: instant,
  entity_metadata: z.object({ location: z.string().min(1).max(100) }),
};
const EventForm = z.object({ ...fields, privacy_level: z.literal(PRIVACY_GUILD_ONLY), entity_type: z.literal(EXTERNAL) });
const EventChange = z.object(fields).partial();

/** Scheduled events at places outside of Discord. The sandbox has no events in voice channels. */
export function eventRoutes(discord: Discord): Hono {
  const { events, limits, ids, context } = discord;
  const nowMs = (): number => context.clock.nowMs();
  const byGuild = limited(limits, 'guild', 'guild');
  return new Hono()
    .get('/guilds/:guild/scheduled-events', byGuild, (c) => {
      return c.json(events.of(guildOf(discord, c).id, nowMs()).map((event) => toEvent(event, nowMs())));
    })
    .post('/guilds/:guild/scheduled-events', byGuild, async (c) => {
      const guild = creatingIn(discord, c);
      const form = await readForm(c, EventForm);
      if (events.of(guild.id, nowMs()).length >= MOST_EVENTS) throw refusals.tooManyEvents();
      const event = { id: ids.next(), guildId: guild.id, creatorId: APPLICATION_ID, ...newFields(form) };
      put(discord, event, event.startMs);
      return c.json(toEvent(event, nowMs()));
    })
    .patch('/guilds/:guild/scheduled-events/:event', byGuild, async (c) => {
      const guild = creatingIn(discord, c);
      const before = eventOf(discord, guild, c);
      const event = changed(before, await readForm(c, EventChange));
      put(discord, event, event.startMs === before.startMs ? undefined : event.startMs);
      return c.json(toEvent(event, nowMs()));
    })
    .delete('/guilds/:guild/scheduled-events/:event', byGuild, (c) => {
      events.delete(eventOf(discord, creatingIn(discord, c), c).id);
      return c.body(null, 204);
    });
}

/** The guild in the path, if the bot can create events there. */
function creatingIn(discord: Discord, c: Context): Guild {
  const guild = guildOf(discord, c);
  const roles = guild.roles.filter(({ id }) => guild.members.bot.roleIds.includes(id));
  if (!roles.some(({ permissions }) => includes(permissions, 'CreateEvents'))) throw refusals.missingPermissions();
  return guild;
}

function eventOf({ events, context }: Discord, guild: Guild, c: Context): ScheduledEvent {
  const event = events.of(guild.id, context.clock.nowMs()).find(({ id }) => id === idOf(c, 'event'));
  if (!event) throw refusals.unknownEvent();
  return event;
}

function newFields(form: z.output<typeof EventForm>): Pick<ScheduledEvent, 'name' | 'location' | 'startMs' | 'endMs' | 'description'> {
  const { name, description, scheduled_start_time: startMs, scheduled_end_time: endMs, entity_metadata: place } = form;
  return { name, startMs, endMs, location: place.location, ...(description && { description }) };
}

function changed(event: ScheduledEvent, form: z.output<typeof EventChange>): ScheduledEvent {
  const { name, description = event.description, scheduled_start_time, scheduled_end_time, entity_metadata } = form;
  return {
    ...event,
    name: name ?? event.name,
    description: description || undefined,
    startMs: scheduled_start_time ?? event.startMs,
    endMs: scheduled_end_time ?? event.endMs,
    location: entity_metadata?.location ?? event.location,
  };
}

/** Stores an event. Throws if its new start is past, or if it ends before it starts. */
function put({ events, context }: Discord, event: ScheduledEvent, newStartMs: number | undefined): void {
  const nowMs = context.clock.nowMs();
  const [start, end] = ['scheduled_start_time', 'scheduled_end_time'];
  if (newStartMs !== undefined && newStartMs <= nowMs)
    throw invalidForm([{ path: [start], code: 'GUILD_SCHEDULED_EVENT_SCHEDULE_PAST', message: 'Cannot schedule event in the past.' }]);
  if (event.endMs <= event.startMs) {
    const message = 'Cannot schedule event to end before it starts.';
    throw invalidForm([{ path: [end], code: 'GUILD_SCHEDULED_EVENT_SCHEDULE_INVALID', message }]);
  }
  events.put(event);
}

/** An event as Discord writes it. */
function toEvent(event: ScheduledEvent, nowMs: number): JsonObject {
  return {
    id: event.id,
    guild_id: event.guildId,
    channel_id: null,
    creator_id: event.creatorId,
    name: event.name,
    description: event.description ?? null,
    scheduled_start_time: new Date(event.startMs).toISOString(),
    scheduled_end_time: new Date(event.endMs).toISOString(),
    privacy_level: PRIVACY_GUILD_ONLY,
    status: statusOf(event, nowMs),
    entity_type: EXTERNAL,
    entity_id: null,
    entity_metadata: { location: event.location },
    recurrence_rule: null,
  };
}
