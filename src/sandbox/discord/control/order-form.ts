import { z } from 'zod';
import { INTENTS, type Intent } from '../gateway/event.ts';
import { PERMISSIONS, type Permission } from '../guild/permissions.ts';

const known = <T extends string>(table: Readonly<Record<T, unknown>>) =>
  // These tables hold their own names and nothing else, which keys() does not say.
  z.enum(Object.keys(table) as [T, ...T[]]);

const where = { user: z.string(), waitMs: z.number().min(0).max(60_000).default(10_000) };

/** Something that a person does with the bot. */
export const InteractionOrder = z.union([
  z.strictObject({
    ...where,
    channel: z.string(),
    command: z.string(),
    options: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])).default({}),
    autocomplete: z.boolean().default(false),
    focused: z.string().optional(),
  }),
  /** Presses the button on which this stands. */
  z.strictObject({ ...where, message: z.string(), press: z.string() }),
  z.strictObject({ ...where, message: z.string(), customId: z.string(), values: z.array(z.string()).optional() }),
  z.strictObject({
    ...where,
    /** The interaction that was answered with it. */
    modal: z.string(),
    fields: z.record(z.string(), z.union([z.string(), z.array(z.string())])).default({}),
  }),
]);
export type InteractionOrder = z.output<typeof InteractionOrder>;

export const GatewayOrder = z.discriminatedUnion('do', [
  z.strictObject({ do: z.enum(['drop', 'reconnect', 'invalidSession', 'zombie']) }),
  z.strictObject({ do: z.literal('disallow'), intents: z.array(known<Intent>(INTENTS)) }),
]);
export type GatewayOrder = z.output<typeof GatewayOrder>;

export const MessageOrder = z.strictObject({
  user: z.string(),
  channel: z.string(),
  content: z.string(),
  replyTo: z.string().optional(),
});

export const ReactionOrder = z.strictObject({ user: z.string(), message: z.string(), emoji: z.string() });

/** What the bot may, and may not, do in one channel, whatever its role says. */
export const PermissionOrder = z.strictObject({
  channel: z.string(),
  allow: z.array(known<Permission>(PERMISSIONS)).default([]),
  deny: z.array(known<Permission>(PERMISSIONS)).default([]),
});

export const MessageQuery = z.object({
  channel: z.string().optional(),
  cursor: z.string().optional(),
  limit: z.coerce.number().int().min(1).max(1000).default(200),
});
