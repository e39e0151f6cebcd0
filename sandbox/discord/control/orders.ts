import { z } from 'zod';
import { byKey } from '../../control/alternatives.ts';
import { LOCALES } from '../commands/form.ts';
import { INTENTS, type Intent } from '../gateway/event.ts';
import { DEFAULT_LIMITS } from '../gateway/session-starts.ts';
import { PERMISSIONS, type Permission } from '../guild/permissions.ts';

const known = <T extends string>(table: Readonly<Record<T, unknown>>) =>
  // Object.keys() returns string[], but the tables have only the keys of their type.
  z.enum(Object.keys(table) as [T, ...T[]]);

const guild = z
  .string()
  .optional()
  .describe('The name or the id of the server. Without it: the server of the channel, if `channel` is an id, else the first server.');
const channel = z.string().describe('The name or the id of the channel.');
const message = z.string().describe('The id of the message.');
const user = z.string().describe('The handle or the id of the member.');

const person = {
  user,
  locale: z.enum(LOCALES).default('en-US').describe('The language of the member, as Discord names it.'),
  forged: z
    .boolean()
    .default(false)
    .describe(
      'Whether the request is forged. It skips the checks of Discord: commands without permission, components that no message has.',
    ),
  waitMs: z
    .number()
    .min(0)
    .max(60_000)
    .default(10_000)
    .describe('How long the sandbox waits until the bot completes a deferred answer with an edit or another message, in milliseconds.'),
};

/** An interaction of a person with the bot. */
export const InteractionOrder = byKey({
  command: z
    .strictObject({
      ...person,
      guild,
      channel: channel.describe('The name or the id of the channel where the member types the command.'),
      command: z.string().describe('The command with its subcommand, such as `post now`.'),
      options: z
        .record(z.string(), z.union([z.string(), z.number(), z.boolean()]))
        .default({})
        .describe('The options by name. A file is a data URL: `data:image/png;name=card.png;base64,…`.'),
      autocomplete: z
        .boolean()
        .default(false)
        .describe('Whether the member is still typing. The answer then has the `choices` of the option.'),
      focused: z.string().optional().describe('The option that the member types. Default: the last one in `options`.'),
    })
    .describe('The member types a slash command.'),
  menu: z
    .strictObject({ ...person, message, menu: z.string().describe('The entry of the menu.') })
    .describe('The member chooses an entry in the menu of a message.'),
  click: z
    .strictObject({ ...person, message, click: z.string().describe('The label of the button.') })
    .describe('The member clicks a button.'),
  customId: z
    .strictObject({
      ...person,
      message,
      customId: z.string().describe('The custom id of the component.'),
      values: z.array(z.string()).optional().describe('The chosen values of a select menu.'),
    })
    .describe('The member uses a component, which is named by its custom id: a button or a select menu.'),
  modal: z
    .strictObject({
      ...person,
      modal: z.string().describe('The id of the interaction that opened the modal.'),
      fields: z
        .record(z.string(), z.union([z.string(), z.array(z.string())]))
        .default({})
        .describe('The texts and choices, by the custom ids of the fields.'),
    })
    .describe('The member submits a modal.'),
  forgedForm: z
    .strictObject({
      ...person,
      message,
      forgedForm: z.string().describe('The custom id of the modal.'),
      fields: z.record(z.string(), z.string()).default({}).describe('The texts, by the custom ids of the fields.'),
    })
    .describe('The member submits a modal that the bot did not open.'),
});
export type InteractionOrder = z.output<typeof InteractionOrder>;

const closeCode = z.int().min(4000).max(4014).describe('The close code, such as 4004 for a wrong token.');

export const GatewayOrder = z.discriminatedUnion('do', [
  z
    .strictObject({ do: z.enum(['drop', 'reconnect', 'zombie']) })
    .describe(
      '`drop` cuts all connections. `reconnect` asks the clients to reconnect. `zombie` keeps the connections open, but nothing is sent or read.',
    ),
  z
    .strictObject({
      do: z.literal('invalidSession'),
      resumable: z.boolean().default(false).describe('Whether the client may resume the session.'),
    })
    .describe('Invalidates all sessions.'),
  z.strictObject({ do: z.literal('close'), code: closeCode }).describe('Closes all connections with a code.'),
  z
    .strictObject({ do: z.literal('refuse'), code: closeCode })
    .describe('From now on, closes each new connection that identifies with this code.'),
  z.strictObject({ do: z.literal('ignoreResumes') }).describe('From now on, does not answer requests to resume a session.'),
  z
    .strictObject({
      do: z.literal('disallow'),
      intents: z.array(known<Intent>(INTENTS)).describe('The intents that the application may not use.'),
    })
    .describe('Turns intents of the application off. An empty list turns all on.'),
]);
export type GatewayOrder = z.output<typeof GatewayOrder>;

/** The limits of the gateway for the shards of the bot. */
export const ShardingOrder = z.strictObject({
  shards: z.int().min(1).max(1000).describe('The recommended number of shards.'),
  maxConcurrency: z
    .int()
    .min(1)
    .max(1000)
    .default(DEFAULT_LIMITS.maxConcurrency)
    .describe(
      'The number of buckets. The bucket of a shard is its id modulo this number. In each bucket, one shard may identify every 5 seconds.',
    ),
  sessionStarts: z
    .int()
    .min(0)
    .default(DEFAULT_LIMITS.sessionStarts)
    .describe('How often clients may identify within 24 hours. The order starts a new period.'),
  maxGuildsPerShard: z.int().min(1).default(DEFAULT_LIMITS.maxGuildsPerShard).describe('The number of servers that one shard may have.'),
});

/** What a member does in a guild. */
export const MemberOrder = z
  .strictObject({
    guild,
    user,
    status: z.enum(['online', 'idle', 'dnd', 'offline']).optional().describe('The status. Default: unchanged.'),
    voice: z
      .union([
        z.strictObject({ channel, streaming: z.boolean().default(false).describe('Whether the member shares the screen.') }),
        z.null(),
      ])
      .optional()
      .describe('The voice channel; null: the member leaves it. Default: unchanged.'),
  })
  .refine(({ status, voice }) => status !== undefined || voice !== undefined, { error: 'expected status or voice' });

/** Changes the language or the boosts of a guild, or adds or removes the bot. */
export const GuildOrder = z.strictObject({
  guild: guild.describe('The name or the id of the server. Default: the first server.'),
  preferredLocale: z.enum(LOCALES).optional().describe('The language of the server, as Discord names it.'),
  premiumTier: z
    .int()
    .min(0)
    .max(3)
    .optional()
    .describe('The tier of the boosts: with 2, the server accepts files of 50 MiB, and with 3, of 100 MiB.'),
  systemChannel: z
    .string()
    .optional()
    .describe('The channel where Discord greets members, by name or id. An empty text: the server has none.'),
  hasBot: z.boolean().optional().describe('Whether the bot is a member. `false` removes the bot, `true` adds it.'),
});

/** A person creates a guild, and invites the bot. */
export const NewGuildOrder = z.strictObject({
  name: z.string().min(2).max(100).describe('The name of the server.'),
  preferredLocale: z.enum(LOCALES).default('en-US').describe('The language of the server, as Discord names it.'),
  owner: z.string().optional().describe('The handle of the person who creates it. Default: the owner of the first server.'),
});

/** Sets the interactions endpoint. Without a URL, interactions go to the gateway. */
export const EndpointOrder = z.strictObject({
  url: z.string().optional().describe('The address of the endpoint. Without it, interactions go to the gateway.'),
});

export const MessageOrder = z.strictObject({
  guild,
  user,
  channel,
  content: z.string().describe('The text. `@` and the name of a member or a role is a mention, as are `<@id>` and `<@&id>`.'),
  title: z.string().min(1).max(100).optional().describe('The title of the post. It is required in a forum channel.'),
  tags: z.array(z.string()).default([]).describe('The names or the ids of the tags of a forum post.'),
  replyTo: z.string().optional().describe('The id of the message that is answered.'),
  ping: z.boolean().default(true).describe('Whether the reply pings the author of that message.'),
});

/** A person opens a thread from a message. */
export const ThreadOrder = z.strictObject({ user, message, name: z.string().describe('The name of the thread.') });

/** A moderator archives, reopens or locks a thread. */
export const ThreadStateOrder = z.strictObject({
  guild,
  thread: z.string().describe('The name or the id of the thread.'),
  archived: z.boolean().default(false).describe('Whether the thread is archived.'),
  locked: z.boolean().default(false).describe('Whether only moderators can write in the thread.'),
});

/** A moderator deletes a message or a channel. */
export const RemovalOrder = byKey({
  message: z.strictObject({ message }).describe('Deletes a message.'),
  channel: z.strictObject({ guild, channel }).describe('Deletes a channel with its threads. It comes back when the sandbox restarts.'),
});
export type RemovalOrder = z.output<typeof RemovalOrder>;

export const ReactionOrder = z.strictObject({
  user,
  message,
  emoji: z.string().describe('A Unicode emoji such as `👍`, or `name:id` for an emoji of the server.'),
});

/** The permissions of the bot in one channel, regardless of its role. */
export const PermissionOrder = z.strictObject({
  guild,
  channel,
  allow: z.array(known<Permission>(PERMISSIONS)).default([]).describe('The permissions that the bot has in the channel.'),
  deny: z.array(known<Permission>(PERMISSIONS)).default([]).describe('The permissions that the bot does not have in the channel.'),
});

/** The permissions of a role in the whole server. */
export const RoleOrder = z.strictObject({
  guild: guild.describe('The name or the id of the server. Default: the first server.'),
  role: z.string().describe('The name or the id of the role.'),
  permissions: z.array(known<Permission>(PERMISSIONS)).describe('All permissions of the role.'),
});

/** Adds numbered roles and channels to a guild. */
export const GrowthOrder = z.strictObject({
  guild: guild.describe('The name or the id of the server. Default: the first server.'),
  roles: z.int().min(0).max(250).default(0).describe('The number of new roles without permissions, below the role of the bot.'),
  channels: z.int().min(0).max(500).default(0).describe('The number of new text channels.'),
});

export const GuildQuery = z.strictObject({ guild: guild.describe('The name or the id of the server. Default: the first server.') });

/** What a member sees in a server. */
export const MemberQuery = z.strictObject({
  guild,
  channel: z.string().optional().describe('The name or the id of the channel where the member types. Default: #general.'),
  user: z.string().optional().describe('The handle or the id of the member. Default: the owner of the server.'),
  locale: person.locale,
});

export const HistoryQuery = z.strictObject({
  guild,
  channel,
  user,
  limit: z.coerce.number().int().min(1).max(200).default(50).describe('The number of messages.'),
});

export const MessageQuery = z.strictObject({
  guild: guild.describe('Only messages of this server, by name or id. Default: all servers.'),
  channel: z.string().optional().describe('Only messages of this channel or thread, by name or id. Default: all channels.'),
  cursor: z.string().optional().describe('The `cursor` of the page before.'),
  limit: z.coerce.number().int().min(1).max(1000).default(200).describe('The number of messages on a page.'),
});
