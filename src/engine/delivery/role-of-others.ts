import { isJsonObject, type Json, type JsonObject } from '#src/clients/operation/json.ts';
import { isNamed } from '#src/rules/results.ts';
import { ruleNameOf } from '#src/rules/rule-name.ts';
import type { DeliveryRows } from './delivery-rows.ts';
import type { Delivery } from './delivery.ts';

/**
 * Whether the end of an episode would take a role that another open episode of the rule, or of another value of its `each`, added to the same
 * member. The last of these episodes takes it.
 */
export async function isAddedByOther(
  delivery: Delivery,
  { user, role, server }: JsonObject,
  deliveries: Pick<DeliveryRows, 'roleChanges'>,
): Promise<boolean> {
  if (delivery.do !== 'discord.removeRole' || delivery.section !== 'finally' || typeof user !== 'string' || typeof role !== 'string')
    return false;
  const isSame = ({ account, params, result }: Pick<Delivery, 'account' | 'params' | 'result'>): boolean =>
    (isJsonObject(result) && isNamed(result, user) && isNamed(result['role'], role)) ||
    // A handle and a name mean the same member and role only in the same server. The result of a step may not be stored yet.
    (account === delivery.account && params?.['user'] === user && params['role'] === role && params['server'] === server);
  const changes = await deliveries.roleChanges(delivery, user);
  const others = changes.filter(
    (one) => ruleNameOf(one.rule) === ruleNameOf(delivery.rule) && episodeOf(one) !== episodeOf(delivery) && isSame(one),
  );
  const last = new Map(others.map((one) => [episodeOf(one), one.do]));
  return last.values().some((verb) => verb === 'discord.addRole');
}

/** The parameters that name a role of a member. */
const OF_ROLE = ['user', 'role', 'server'] as const;

/**
 * Whether a removal of the role that a delivery adds is under way. It may reach the platform after an add that does not wait for it, and the
 * member would lack the role until the stream ends.
 */
export async function isBeingRemoved(delivery: Delivery, added: JsonObject, deliveries: Pick<DeliveryRows, 'begun'>): Promise<boolean> {
  if (delivery.do !== 'discord.addRole') return false;
  const begun = await deliveries.begun(delivery.account);
  return begun.some(
    ({ do: verb, params }) => verb === 'discord.removeRole' && OF_ROLE.every((name) => mayBeSame(params?.[name], added[name])),
  );
}

/** A name and an id may mean the same member or role. */
function mayBeSame(one: Json | undefined, other: Json | undefined): boolean {
  return one === other || isId(one) !== isId(other);
}

function isId(value: Json | undefined): boolean {
  return typeof value === 'string' && /^\d{15,20}$/u.test(value);
}

function episodeOf({ rule, episode }: Pick<Delivery, 'rule' | 'episode'>): string {
  return JSON.stringify([rule, episode]);
}
