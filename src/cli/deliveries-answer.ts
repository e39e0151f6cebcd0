import { z } from 'zod';
import { DeliveryAnswer } from '#src/admin/queries/answers.ts';
import { toDeliveryView } from '#src/admin/queries/deliveries.ts';
import type { DeliveryList } from '#src/admin/queries/records.ts';

/** What `fanfare resend` and `fanfare resolve` answer. */
export const DeliveriesAnswer = z.union([
  z
    .object({
      deliveries: z.array(DeliveryAnswer).describe('The deliveries, newest first.'),
      more: z.boolean().describe('Whether there are more.'),
    })
    .describe('Without a delivery: the list.'),
  z.object({ delivery: DeliveryAnswer }).describe('With a delivery, which has its new state.'),
]);

/** A list of deliveries as data. */
export function toDeliveriesAnswer({ items, more }: DeliveryList): z.input<typeof DeliveriesAnswer> {
  return { deliveries: items.map(toDeliveryView), more };
}
