import { z } from 'zod';
import { plain, secret } from '#adapters/account.ts';

/** The types of events. */
export const WEBHOOK_EVENTS = [
  'delivery.failed',
  'delivery.unknown',
  'question.asked',
  'rule.paused',
  'rule.resumed',
  'account.signedOut',
] as const;

export type WebhookEventType = (typeof WEBHOOK_EVENTS)[number];

/** A webhook in the file. */
export const WebhookForm = z.strictObject({
  url: plain()
    .regex(/^https?:\/\/[^\s/@]+(?:\/\S*)?$/u, { error: 'write the address of the receiver, for example https://example.org/fanfare' })
    .meta({ description: 'The address to which Fanfare sends the events.', examples: ['https://ops.example.org/fanfare'] }),
  secret: secret('The secret of the signatures: `whsec_` and 24 to 64 random bytes in Base64.', 'OPS_WEBHOOK_SECRET'),
  events: z
    .array(z.enum(WEBHOOK_EVENTS))
    .min(1)
    .meta({ description: 'The events that it gets; absent: all.', examples: [['delivery.failed', 'delivery.unknown']] })
    .optional(),
  privateNetwork: z
    .boolean()
    .meta({ description: 'true: the receiver may be on this machine or in a private network.', examples: [true] })
    .optional(),
});
