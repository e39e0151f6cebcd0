import { z } from 'zod';
import type { Delivery } from '#src/delivery/delivery.ts';

const text = z.string().trim().min(1).optional().catch(undefined);
const Written = z.object({
  text,
  content: text,
  embed: z.object({ title: text, description: text }).optional().catch(undefined),
  name: text,
});

/** The text that people read in the record of a delivery; undefined for a step without a text, and before the first attempt. */
export function deliveryText({ params }: Pick<Delivery, 'params'>): string | undefined {
  const { data } = Written.safeParse(params);
  return data?.text ?? data?.content ?? data?.embed?.title ?? data?.embed?.description ?? data?.name;
}
