import { z } from 'zod';
import { paging, type CallOptions } from '#src/clients/operation/call.ts';
import { list } from '#src/clients/operation/operation.ts';
import { Outage, Outages } from './records.ts';

/** The list is short and always whole. */
const GetOutages = z.strictObject({ ...paging, pages: paging.pages.unwrap().default('all') });
export interface GetOutagesOptions extends z.input<typeof GetOutages>, CallOptions {}

/**
 * The accounts that cannot be read or written: the platform is not reachable or refuses the account, its quota is used up, or it limits requests. An
 * account is in the list until a read and a write that failed succeed, and no longer than a day after its last use.
 *
 * @example
 * - id: down
 *   do: history.getOutages
 * - do: discord.send
 *   with: { channel: moderators, content: "${{ join(steps.down.items.map(o, o.account + ': ' + o.reason), ' ') }}" }
 */
export const getOutages = list('getOutages', {
  watch: 'set',
  params: GetOutages,
  item: Outage,
  into: Outages,
  args: (options: GetOutagesOptions = {}) => options,
});
