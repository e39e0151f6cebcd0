import { isJsonObject, type Json } from '#src/clients/operation/json.ts';
import { isNamed } from '#src/rules/results.ts';
import type { DeliveryRows } from './delivery-rows.ts';
import type { Delivery } from './delivery.ts';

/**
 * Whether the end of an episode would take a role that another open episode of the rule, or of another value of its `each`, gave to the same
 * member. The last of these episodes takes it.
 */
export async function isGivenByOther(
  delivery: Delivery,
  { user, role }: { readonly user?: Json | undefined; readonly role?: Json | undefined },
  deliveries: Pick<DeliveryRows, 'ofOpenEpisodes'>,
): Promise<boolean> {
  if (delivery.do !== 'discord.removeRole' || delivery.section !== 'finally' || typeof user !== 'string' || typeof role !== 'string')
    return false;
  // The outcome of a step that the account sent just before may not be stored yet.
  const isSame = ({ params, result }: Pick<Delivery, 'params' | 'result'>): boolean =>
    isJsonObject(result) ? isNamed(result['role'], role) : params?.['user'] === user && params['role'] === role;
  const changes = await deliveries.ofOpenEpisodes(delivery, user);
  const others = changes.filter((one) => fileOf(one) === fileOf(delivery) && episodeOf(one) !== episodeOf(delivery) && isSame(one));
  const last = new Map(others.map((one) => [episodeOf(one), one.do]));
  return last.values().some((verb) => verb === 'discord.addRole');
}

/** The id of a rule without the values of `each`. */
function fileOf({ rule }: Pick<Delivery, 'rule'>): string {
  return rule.split('/', 1)[0] ?? rule;
}

function episodeOf({ rule, episode }: Pick<Delivery, 'rule' | 'episode'>): string {
  return JSON.stringify([rule, episode]);
}
