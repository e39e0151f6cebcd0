import type { JsonObject } from '#src/clients/operation/json.ts';
import type { Catalogue } from '#src/clients/operation/declared.ts';
import { serverInKey } from '#src/rules/people/entry-key.ts';
import type { Delivery } from './delivery.ts';

/** See `Platform.writesAtOnce`. */
export const WRITES_AT_ONCE = 8;

interface VisibleOrderOptions {
  readonly catalogue: Catalogue;
  /** The verb that the rule watches; absent: none, or the delivery was rendered before. */
  readonly watch?: string | undefined;
}

/**
 * The order that readers see: deliveries with the same value are sent one after the other. Deliveries of one item wait for each other in any case.
 *
 * - Messages of a channel or to a member are one conversation.
 * - Changes of a message keep their order, because the last one stays.
 * - Posts of an account are about different items. They have an order only if the items of the rule have one, as in a feed or a ranking.
 * - Every other write keeps the order of the account: for example two roles of a member, or two texts of one standing message.
 */
export function visibleOrderOf(
  { do: verb, rule, item }: Pick<Delivery, 'do' | 'rule' | 'item'>,
  { channel, user, message }: JsonObject,
  { catalogue, watch }: VisibleOrderOptions,
): string | undefined {
  const declared = catalogue.get(verb);
  if (declared?.kind !== 'write') return undefined;
  const { effect, publishes } = declared;
  if (publishes === 'post' && effect === 'creates') return hasOrder(catalogue, watch) ? `rule ${rule}` : undefined;
  if (effect === 'creates' && publishes && typeof channel === 'string') return `channel ${channel}`;
  if (effect === 'creates' && publishes && typeof user === 'string') return `user ${user}`;
  if (typeof message === 'string') return `message ${message}`;
  return `other ${(item && serverInKey(item.key)) ?? ''}`;
}

/** Whether the order of the items means something: newer items, or a rank. */
function hasOrder(catalogue: Catalogue, watch: string | undefined): boolean {
  const declared = watch === undefined ? undefined : catalogue.get(watch);
  const kind = declared && 'watch' in declared ? declared.watch : undefined;
  return kind === 'feed' || kind === 'ranking';
}
