import { z } from 'zod';
import { paging, type CallOptions } from '#src/clients/operation/call.ts';
import { list } from '#src/clients/operation/operation.ts';
import { since, timezone } from './parameters.ts';
import { Total, Totals } from './records.ts';

const GetTotals = z.strictObject({
  rule: z.string().min(1).describe("A rule's id. For a rule with `each`, the id without the values means all instances."),
  by: z.enum(['day', 'week', 'month']).default('day').describe('The period of a row. A week begins on Monday.'),
  since: since.optional().describe('The start of the first row; or the time to go back, for example `30d`. Default: 400 days.'),
  timezone: timezone.default('UTC').describe('The time zone of midnight, for example `Europe/Paris`.'),
  ...paging,
});
export interface GetTotalsOptions extends Omit<z.input<typeof GetTotals>, 'rule'>, CallOptions {}

/**
 * The totals of the announced episodes of a rule by day, newest day first: how many began, how long they lasted in this day, and their greatest and
 * average numbers. Kept for 400 days. Days without an episode have no row.
 *
 * @example
 * - id: days
 *   do: history.getTotals
 *   with: { rule: live-card, since: 7d, timezone: Europe/Paris }
 * - do: discord.send
 *   with: { channel: general, content: "${{ join(steps.days.items.map(d, d.id + ': ' + duration(d.lengthMs)), ' ') }}" }
 */
export const getTotals = list('getTotals', {
  watch: 'feed',
  params: GetTotals,
  item: Total,
  into: Totals,
  args: (rule: string, options: GetTotalsOptions = {}) => ({ rule, ...options }),
});
