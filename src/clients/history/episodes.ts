import { z } from 'zod';
import { paging, type CallOptions } from '#src/clients/operation/call.ts';
import { list } from '#src/clients/operation/operation.ts';
import { since } from './parameters.ts';
import { Episodes, Episode } from './records.ts';

const GetEpisodes = z.strictObject({
  rule: z.string().min(1).describe("A rule's id."),
  since: since.optional().describe('Only episodes that lasted until this instant or longer; or the time to go back, for example `7d`.'),
  ...paging,
});
export interface GetEpisodesOptions extends Omit<z.input<typeof GetEpisodes>, 'rule'>, CallOptions {}

/**
 * The episodes of a rule, latest beginning first. They are kept for 30 days.
 *
 * @example
 * - id: week
 *   do: history.getEpisodes
 *   with: { rule: live-card, since: 7d }
 * - do: discord.send
 *   with: { channel: general, content: "${{ join(steps.week.items.map(e, e.title), ', ') }}" }
 */
export const getEpisodes = list('getEpisodes', {
  watch: 'feed',
  params: GetEpisodes,
  item: Episode,
  into: Episodes,
  args: (rule: string, options: GetEpisodesOptions = {}) => ({ rule, ...options }),
});
