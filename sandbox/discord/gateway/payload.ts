import { z } from 'zod';

/** What a client sends. */
export const Payload = z
  .string()
  .transform((text, context): unknown => {
    try {
      return JSON.parse(text);
    } catch {
      context.addIssue({ code: 'custom', message: 'not JSON' });
      return z.NEVER;
    }
  })
  .pipe(z.object({ op: z.int(), d: z.unknown().optional() }));

export const Identify = z.object({
  token: z.string().transform((token) => token.replace(/^Bot /, '')),
  intents: z.int().min(0),
  shard: z.tuple([z.int().min(0), z.int().min(1)]).default([0, 1]),
});

export const Resume = z
  .object({ token: z.string(), session_id: z.string(), seq: z.int().min(0) })
  .transform((wire) => ({ token: wire.token.replace(/^Bot /, ''), sessionId: wire.session_id, seq: wire.seq }));

const Ids = z.union([z.string().transform((id) => [id]), z.array(z.string())]);

export const RequestMembers = z
  .object({
    guild_id: z.string(),
    query: z.string().optional(),
    limit: z.int().min(0).default(0),
    user_ids: Ids.optional(),
    nonce: z.string().optional(),
  })
  .transform((wire) => ({ guildId: wire.guild_id, query: wire.query, limit: wire.limit, userIds: wire.user_ids, nonce: wire.nonce }));
export type RequestMembers = z.output<typeof RequestMembers>;
