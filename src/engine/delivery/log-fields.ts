import type { Delivery } from './delivery.ts';

/** The fields of every log line about a delivery. */
export interface DeliveryLogFields {
  readonly rule: string;
  /** The key of the item; absent if the rule fires for a whole poll or slot. */
  readonly item?: string;
  /** The id of the delivery. */
  readonly delivery: string;
}

/** The log fields of a delivery. Its queue is the rule, or the rule and the item with the number of a parallel firing. */
export function logFieldsOf({ id, rule, queue }: Pick<Delivery, 'id' | 'rule' | 'queue'>): DeliveryLogFields {
  const item = queue.startsWith(`${rule}/`) ? queue.slice(rule.length + 1).replace(/#\d+$/u, '') : undefined;
  return { rule, ...(item !== undefined && { item }), delivery: id };
}
