import { FOLLOWED } from '#src/rules/lists.ts';
import { keysOfServer } from '#src/rules/people/entry-key.ts';
import type { Delivery } from './delivery.ts';

/** The deliveries of one Discord server: those of its entries in the list `followed`, and those through its accounts that are of no entry. */
export interface ServerDeliveries {
  readonly server: string;
  /** The accounts of this server. One of them can also send the cards of other servers. */
  readonly accounts?: readonly string[] | undefined;
}

/** The start of the keys of the items that servers follow. */
export const FOLLOWED_KEYS = `${FOLLOWED}/`;

/** The start of the keys of the items that the server follows. */
export function followedKeys({ server }: Pick<ServerDeliveries, 'server'>): string {
  return keysOfServer({ list: FOLLOWED, server });
}

/** Whether a delivery belongs to a server. */
export function isOfServer({ account, item }: Pick<Delivery, 'account' | 'item'>, of: ServerDeliveries): boolean {
  if (item?.key.startsWith(FOLLOWED_KEYS)) return item.key.startsWith(followedKeys(of));
  return of.accounts?.includes(account) ?? false;
}
