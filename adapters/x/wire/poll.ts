import { z } from 'zod';
import type { Place, Poll } from '#src/social/records/post.ts';
import { count, filled, id, instant, maybe, rowsOf } from './parts.ts';

const Option = z.object({ position: maybe(count), label: z.string(), votes: maybe(count) });

export const PollRow = z
  .object({ id, options: rowsOf(Option), end_datetime: maybe(instant), duration_minutes: maybe(count), voting_status: maybe(z.string()) })
  .transform((wire) => ({ ...wire, endsAt: wire.end_datetime }));

/** The poll as it stands, in a post of `createdAt`. */
export function toPoll(row: z.output<typeof PollRow>, createdAt: Date): Poll {
  const options = row.options.toSorted((a, b) => (a.position ?? 0) - (b.position ?? 0));
  const votes = options.flatMap(({ votes: given }) => given ?? []);
  return {
    id: row.id,
    options: options.map(({ label, votes: given }, index) => ({ index, label, votes: given })),
    totalVotes: votes.length === options.length ? votes.reduce((sum, given) => sum + given, 0) : undefined,
    endsAt: row.endsAt ?? new Date(createdAt.getTime() + (row.duration_minutes ?? 0) * 60_000),
    closed: row.voting_status === 'closed',
    multiple: false,
  };
}

export const PlaceRow = z
  .object({ id, name: maybe(filled), full_name: maybe(filled), country: maybe(filled), country_code: maybe(filled) })
  .transform((wire): Place => ({
    id: wire.id,
    name: wire.name ?? wire.full_name ?? wire.id,
    fullName: wire.full_name,
    country: wire.country,
    countryCode: wire.country_code,
  }));
