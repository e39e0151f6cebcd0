import { z } from 'zod';
import type { WriteOptions } from '#src/clients/operation/call.ts';
import { write } from '#src/clients/operation/operation.ts';
import { markdownText } from '#src/clients/operation/parameters.ts';
import { server } from './parameters.ts';
import { ScheduledEvent } from './records.ts';

const instant = z.iso.datetime({ offset: true });
const name = z.string().min(1).describe('The name. Discord shows the first 100 characters.');
const location = z.string().min(1).describe('The place, for example the address of the stream. Discord shows the first 100 characters.');
const description = markdownText().max(1000).optional().describe('The description, in Markdown. Texts from platforms are escaped.');
const event = z.string().min(1).describe('The event: the `id` from `createEvent`.');

function endsAfterStart({ startsAt, endsAt }: { readonly startsAt?: string | undefined; readonly endsAt?: string | undefined }): boolean {
  return startsAt === undefined || endsAt === undefined || !(Date.parse(endsAt) <= Date.parse(startsAt));
}

const ENDS_BEFORE_START = { path: ['endsAt'], message: 'the event ends before it starts: write a time after startsAt' };

const CreateEvent = z
  .strictObject({
    name,
    startsAt: instant.describe('The start, in the future.'),
    endsAt: instant.describe('The end, after the start.'),
    location,
    description,
    server,
  })
  .refine(endsAfterStart, ENDS_BEFORE_START);
export interface CreateEventOptions extends Omit<z.input<typeof CreateEvent>, 'name'>, WriteOptions {}

/**
 * Creates a scheduled event of a server, at a place outside of Discord. A server has at most 100 events that are not over.
 *
 * @example
 * - id: event
 *   do: discord.createEvent
 *   with:
 *     name: The finale
 *     startsAt: "2030-01-01T18:00:00Z"
 *     endsAt: "2030-01-01T20:00:00Z"
 *     location: https://www.twitch.tv/ada
 */
export const createEvent = write('createEvent', {
  effect: 'creates',
  publishes: 'everyone',
  params: CreateEvent,
  returns: ScheduledEvent,
  args: (title: string, options: CreateEventOptions) => ({ name: title, ...options }),
});

const EditEvent = z
  .strictObject({
    event,
    name: name.optional(),
    startsAt: instant.optional().describe('The start, in the future.'),
    endsAt: instant.optional().describe('The end, after the start.'),
    location: location.optional(),
    description,
    server,
  })
  .refine(
    ({ name: title, startsAt, endsAt, location: place, description: text }) =>
      [title, startsAt, endsAt, place, text].some((value) => value !== undefined),
    'there is nothing to change: give name, startsAt, endsAt, location or description',
  )
  .refine(endsAfterStart, ENDS_BEFORE_START);
export interface EditEventOptions extends Omit<z.input<typeof EditEvent>, 'event'>, WriteOptions {}

/**
 * Changes a scheduled event. Parts that are not named do not change.
 *
 * @example
 * - id: event
 *   do: discord.createEvent
 *   with: { name: Finale, startsAt: "2030-01-01T18:00:00Z", endsAt: "2030-01-01T20:00:00Z", location: Twitch }
 * - do: discord.editEvent
 *   with: { event: "${{ steps.event.id }}", name: The finale }
 */
export const editEvent = write('editEvent', {
  effect: 'sets',
  publishes: 'everyone',
  params: EditEvent,
  returns: ScheduledEvent,
  args: (of: string, options: EditEventOptions) => ({ event: of, ...options }),
});

const DeleteEvent = z.strictObject({ event, server });
export interface DeleteEventOptions extends Omit<z.input<typeof DeleteEvent>, 'event'>, WriteOptions {}

/**
 * Deletes a scheduled event. An event that is already gone is no error.
 *
 * @example
 * - id: event
 *   do: discord.createEvent
 *   with: { name: Finale, startsAt: "2030-01-01T18:00:00Z", endsAt: "2030-01-01T20:00:00Z", location: Twitch }
 * - do: discord.deleteEvent
 *   with: { event: "${{ steps.event.id }}" }
 */
export const deleteEvent = write('deleteEvent', {
  effect: 'sets',
  params: DeleteEvent,
  returns: ScheduledEvent,
  args: (of: string, options: DeleteEventOptions = {}) => ({ event: of, ...options }),
});
