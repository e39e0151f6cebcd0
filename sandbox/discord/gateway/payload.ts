import { z } from 'zod';

/** A message of a client. */
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

const Activity = z.object({
  name: z.string().min(1).max(128),
  type: z.int().min(0).max(5),
  state: z.string().min(1).max(128).nullish(),
  url: z.string().nullish(),
});

export const Presence = z.object({
  since: z.int().nullish(),
  activities: z.array(Activity),
  status: z.enum(['online', 'dnd', 'idle', 'invisible', 'offline']),
  afk: z.boolean(),
});
/** The status of the bot. */
export type Presence = z.output<typeof Presence>;

export const Identify = z.object({
  token: z.string().transform((token) => token.replace(/^Bot /, '')),
  intents: z.int().min(0),
  shard: z.tuple([z.int().min(0), z.int().min(1)]).default([0, 1]),
});

export const Resume = z
  .object({ token: z.string(), session_id: z.string(), seq: z.int().min(0) })
  .transform((wire) => ({ token: wire.token.replace(/^Bot /, ''), sessionId: wire.session_id, seq: wire.seq }));
