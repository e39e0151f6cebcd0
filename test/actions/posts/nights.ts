/** The times of the queue, in Paris. */
export const QUEUE = { times: ['01:30', '02:15', '02:45'], zone: 'Europe/Paris' };

/** A night in which the clocks change, with the times of the queue as a calendar shows them. */
export interface Night {
  readonly startMs: number;
  readonly queueMs: readonly number[];
}

function night(start: string, ...queue: readonly string[]): Night {
  return { startMs: Date.parse(start), queueMs: queue.map((time) => Date.parse(time)) };
}

export const NIGHTS: readonly Night[] = [
  // At 01:00Z, the clocks of Paris are set back from 03:00 to 02:00: the second 02:15 is not another time of the queue.
  night(
    '2026-10-24T23:10:00Z',
    '2026-10-24T23:30:00Z',
    '2026-10-25T00:15:00Z',
    '2026-10-25T00:45:00Z',
    '2026-10-26T00:30:00Z',
    '2026-10-26T01:15:00Z',
    '2026-10-26T01:45:00Z',
    '2026-10-27T00:30:00Z',
    '2026-10-27T01:15:00Z',
    '2026-10-27T01:45:00Z',
    '2026-10-28T00:30:00Z',
    '2026-10-28T01:15:00Z',
    '2026-10-28T01:45:00Z',
    '2026-10-29T00:30:00Z',
    '2026-10-29T01:15:00Z',
    '2026-10-29T01:45:00Z',
  ),
  // At 01:00Z, the clocks of Paris are set forward from 02:00 to 03:00: two times of the queue are skipped, and become one.
  night(
    '2027-03-28T00:20:00Z',
    '2027-03-28T00:30:00Z',
    '2027-03-28T01:00:00Z',
    '2027-03-28T23:30:00Z',
    '2027-03-29T00:15:00Z',
    '2027-03-29T00:45:00Z',
    '2027-03-29T23:30:00Z',
    '2027-03-30T00:15:00Z',
    '2027-03-30T00:45:00Z',
    '2027-03-30T23:30:00Z',
    '2027-03-31T00:15:00Z',
    '2027-03-31T00:45:00Z',
    '2027-03-31T23:30:00Z',
    '2027-04-01T00:15:00Z',
    '2027-04-01T00:45:00Z',
  ),
];
