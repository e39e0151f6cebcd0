import { z } from 'zod';
import { LOCALES } from '../commands/localized.ts';
import { INTENTS, type Intent } from '../gateway/event.ts';
import { PERMISSIONS, type Permission } from '../guild/permissions.ts';

const known = <T extends string>(table: Readonly<Record<T, unknown>>) =>
  // These tables hold their own names and nothing else, which keys() does not say.
  z.enum(Object.keys(table) as [T, ...T[]]);

/** The guild that channels and people are named in, by name or id; absent: the first, where no channel is named by its id. */
const guild = z.string().optional();

const who = {
  user: z.string(),
  /** The language that their Discord is in. */
  locale: z.enum(LOCALES).default('en-US'),
  /** As if Discord let everything through: commands that are not offered to them, components that no message has. */
  forged: z.boolean().default(false),
  waitMs: z.number().min(0).max(60_000).default(10_000),
};

/** Something that a person does with the bot. */
export const InteractionOrder = z.union([
  z.strictObject({
    ...who,
    guild,
    channel: z.string(),
    command: z.string(),
    options: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])).default({}),
    autocomplete: z.boolean().default(false),
    focused: z.string().optional(),
  }),
  /** Chooses an entry of the menu of a message. */
  z.strictObject({ ...who, message: z.string(), menu: z.string() }),
  /** Presses the button on which this stands. */
  z.strictObject({ ...who, message: z.string(), press: z.string() }),
  z.strictObject({ ...who, message: z.string(), customId: z.string(), values: z.array(z.string()).optional() }),
  z.strictObject({
    ...who,
    /** The interaction that was answered with it. */
    modal: z.string(),
    fields: z.record(z.string(), z.union([z.string(), z.array(z.string())])).default({}),
  }),
  /** Sends a form that nobody opened. */
  z.strictObject({ ...who, message: z.string(), forgedForm: z.string(), fields: z.record(z.string(), z.string()).default({}) }),
]);
export type InteractionOrder = z.output<typeof InteractionOrder>;

export const GatewayOrder = z.discriminatedUnion('do', [
  z.strictObject({ do: z.enum(['drop', 'reconnect', 'zombie']) }),
  z.strictObject({ do: z.literal('invalidSession'), resumable: z.boolean().default(false) }),
  z.strictObject({ do: z.literal('close'), code: z.int().min(4000).max(4014) }),
  /** Closes with this code whoever identifies from now on. */
  z.strictObject({ do: z.literal('refuse'), code: z.int().min(4000).max(4014) }),
  /** Leaves resumes unanswered from now on. */
  z.strictObject({ do: z.literal('ignoreResumes') }),
  z.strictObject({ do: z.literal('disallow'), intents: z.array(known<Intent>(INTENTS)) }),
]);
export type GatewayOrder = z.output<typeof GatewayOrder>;

/** What a guild's owner decides: its language, and whether the bot is in it. */
export const GuildOrder = z.strictObject({ guild, preferredLocale: z.enum(LOCALES).optional(), hasBot: z.boolean().optional() });

/** Where interactions go; without an address, to the gateway. */
export const EndpointOrder = z.strictObject({ url: z.string().optional() });

export const MessageOrder = z.strictObject({
  guild,
  user: z.string(),
  channel: z.string(),
  content: z.string(),
  /** What the post is called that it begins, in a forum, and the names of its tags. */
  title: z.string().min(1).max(100).optional(),
  tags: z.array(z.string()).default([]),
  replyTo: z.string().optional(),
  /** Whether whom it replies to is pinged. */
  ping: z.boolean().default(true),
});

/** Somebody opens a thread below a message. */
export const ThreadOrder = z.strictObject({ user: z.string(), message: z.string(), name: z.string() });

/** What a moderator does to a thread. */
export const ThreadStateOrder = z.strictObject({
  guild,
  thread: z.string(),
  archived: z.boolean().default(false),
  locked: z.boolean().default(false),
});

/** A moderator deletes a message, or a whole channel. */
export const RemovalOrder = z.union([z.strictObject({ message: z.string() }), z.strictObject({ guild, channel: z.string() })]);

export const ReactionOrder = z.strictObject({ user: z.string(), message: z.string(), emoji: z.string() });

/** What the bot may, and may not, do in one channel, whatever its role says. */
export const PermissionOrder = z.strictObject({
  guild,
  channel: z.string(),
  allow: z.array(known<Permission>(PERMISSIONS)).default([]),
  deny: z.array(known<Permission>(PERMISSIONS)).default([]),
});

export const GuildQuery = z.object({ guild });

export const MessageQuery = z.object({
  guild,
  channel: z.string().optional(),
  cursor: z.string().optional(),
  limit: z.coerce.number().int().min(1).max(1000).default(200),
});
