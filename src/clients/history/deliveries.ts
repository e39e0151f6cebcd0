import { z } from 'zod';
import { paging, type CallOptions } from '#src/clients/operation/call.ts';
import { list } from '#src/clients/operation/operation.ts';
import { belonging } from '#src/clients/operation/parameters.ts';
import { deliveryState, since } from './parameters.ts';
import { Deliveries, Delivery } from './records.ts';

/** A filter. An empty one must not select all deliveries, so a step with it is skipped. */
function only(about: string) {
  return belonging(z.string().min(1).optional().describe(about));
}

const GetDeliveries = z.strictObject({
  rule: only('Only deliveries of this rule. For a rule with `each`, the id without the values means all instances.'),
  key: only('Only deliveries about the item with this key, for example `${{ item.id }}`, or `${{ item.owner.id }}` for a stream.'),
  step: only('Only deliveries of the step with this id.'),
  account: only('Only deliveries through this account.'),
  state: deliveryState.optional().describe('Only deliveries in this state.'),
  since: since.optional().describe('Only deliveries that were decided at this instant or later; or the time to go back, for example `7d`.'),
  ...paging,
});
export interface GetDeliveriesOptions extends z.input<typeof GetDeliveries>, CallOptions {}

/**
 * What rules sent, or failed to send, newest first. Deliveries are kept for 90 days. Look-ups of rules are in the list only if they failed.
 *
 * A delivery has the audience of what was sent: a post for followers is left out, unless `include` adds it. A rule that watches this list gets no
 * deliveries of rules that watch it too, so that two rules never cause each other. A step with `rule` and `key` waits until earlier deliveries of
 * the rule about the item are finished.
 *
 * @example
 * - id: sent
 *   do: history.getDeliveries
 *   with: { rule: live-card, state: sent, since: 7d }
 * - do: discord.send
 *   with: { channel: general, content: "${{ join(steps.sent.items.map(d, d.url), ' ') }}" }
 */
export const getDeliveries = list('getDeliveries', {
  watch: 'feed',
  watchedWhere: 'item.watches != "history.getDeliveries"',
  params: GetDeliveries,
  item: Delivery,
  into: Deliveries,
  args: (options: GetDeliveriesOptions = {}) => options,
});
