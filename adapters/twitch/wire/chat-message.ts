import { z } from 'zod';

const Refusal = z.object({ code: z.string(), message: z.string() });

/** The answer to a message in a chat. */
export const SentChatMessage = z
  .object({
    data: z.tuple([z.object({ message_id: z.string(), is_sent: z.boolean(), drop_reason: Refusal.nullish() })]),
  })
  .transform(({ data: [{ message_id, is_sent, drop_reason }] }) => ({
    id: message_id,
    isSent: is_sent,
    refusal: drop_reason ?? { code: 'unknown', message: 'Twitch states no reason' },
  }));
