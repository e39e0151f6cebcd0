import { FOLLOWED } from '#src/rules/lists.ts';
import { keysOfServer } from '#src/rules/people/entry-key.ts';
import type { Delivery } from './delivery.ts';

/** The deliveries of one Discord server: those through its accounts, and those of its entries in the list `followed`. */
export interface ServerDeliveries {
  readonly server: string;
  /** The accounts that send to this server only. */
  readonly accounts?: readonly string[] | undefined;
}

/** The start of the keys of the items that the server follows. */
export function followedKeys({ server }: Pick<ServerDeliveries, 'server'>): string {
  return keysOfServer({ list: FOLLOWED, server });
}

/** Whether a delivery belongs to a server. */
export function isOfServer({ account, item }: Pick<Delivery, 'account' | 'item'>, of: ServerDeliveries): boolean {
  return (of.accounts?.includes(account) ?? false) || (item?.key.startsWith(followedKeys(of)) ?? false);
}
