import { z } from 'zod';
import { instant, readRows } from '#src/http/lenient.ts';
import type { ScheduledStream } from '#src/clients/streaming/records.ts';
import { gameReferences, type Row, type Rows, toPerson } from './rows.ts';

const Segment = z.object({
  id: z.string(),
  start_time: instant,
  end_time: instant.nullish(),
  title: z.string().nullish(),
  canceled_until: z.string().nullish(),
  category: z.object({ id: z.string(), name: z.string() }).nullish(),
  is_recurring: z.boolean(),
});

/** The schedule of one channel. A channel without planned streams has no list. */
export const ScheduleRows: z.ZodType<Rows<Row<ScheduledStream>>> = z
  .object({
    data: z.object({
      segments: readRows(Segment),
      broadcaster_id: z.string(),
      broadcaster_login: z.string(),
      broadcaster_name: z.string(),
      vacation: z.object({ start_time: instant, end_time: instant }).nullish(),
    }),
    pagination: z.object({ cursor: z.string().optional() }).nullish(),
  })
  .transform(({ data: { segments, vacation, ...of }, pagination }) => {
    const owner = toPerson(of.broadcaster_id, of.broadcaster_login, of.broadcaster_name);
    const gameOf = gameReferences();
    const rows = segments.rows.map((row) => ({
      platform: 'twitch',
      id: row.id,
      url: `${owner.url}/schedule?segmentID=${encodeURIComponent(row.id)}`,
      owner,
      game: row.category ? gameOf(row.category.id, row.category.name) : undefined,
      title: row.title ?? '',
      startsAt: row.start_time,
      endsAt: row.end_time ?? undefined,
      canceled: Boolean(row.canceled_until) || (!!vacation && row.start_time >= vacation.start_time && row.start_time < vacation.end_time),
      recurring: row.is_recurring,
    }));
    return { ...segments, rows, cursor: pagination?.cursor || undefined };
  });
