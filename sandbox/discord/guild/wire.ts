import type { JsonObject } from '#src/clients/operation/json.ts';
import { madeAtMs, toTimestamp } from '../snowflake.ts';
import { APPLICATION_ID, PUBLIC_KEY } from '../identity.ts';
import { archiveChangedAt } from './archive.ts';
import { isForum, type Channel } from './channel.ts';
import type { Guild } from './guild.ts';
import type { Guilds } from './guilds.ts';
import type { Member } from './members.ts';
import { toBits } from './permissions.ts';
import type { Role } from './roles.ts';

const CHANNEL_TYPES = { text: 0, voice: 2, news: 5, forum: 15, media: 16 } as const;
const DIRECT = 1;
const REQUIRES_TAG = 1 << 4;
const NEWS_THREAD = 10;
const PUBLIC_THREAD = 11;
const ROLE_OVERWRITE = 0;
const MEMBER_OVERWRITE = 1;
/** The application may read message content and the members of guilds. */
const APPLICATION_FLAGS = (1 << 19) | (1 << 15) | (1 << 13);
/** The flags of the intents that the control API can turn off. */
export const INTENT_FLAGS = { GuildPresences: 1 << 13, MessageContent: 1 << 19 } as const;

export function toUser({ userId, username, displayName, bot }: Member): JsonObject {
  return {
    id: userId,
    username,
    discriminator: '0',
    global_name: bot ? null : displayName,
    avatar: null,
    bot,
    public_flags: 0,
  };
}

/** The bot in its own requests. */
export function toCurrentUser(bot: Member): JsonObject {
  return { ...toUser(bot), mfa_enabled: false, locale: 'en-US', verified: true, flags: 0 };
}

/** A member in a message or an interaction. */
export function toPartialMember({ roleIds, joinedAt }: Member): JsonObject {
  return {
    nick: null,
    avatar: null,
    roles: roleIds,
    joined_at: toTimestamp(joinedAt.getTime()),
    premium_since: null,
    communication_disabled_until: null,
    deaf: false,
    mute: false,
    flags: 0,
    pending: false,
  };
}

export function toMember(member: Member): JsonObject {
  return { ...toPartialMember(member), user: toUser(member) };
}

export function toRole({ id, name, permissions, position, color, mentionable, managedBy }: Role): JsonObject {
  return {
    id,
    name,
    permissions: String(permissions),
    position,
    color,
    colors: { primary_color: color, secondary_color: null, tertiary_color: null },
    hoist: position > 0,
    managed: managedBy !== undefined,
    mentionable,
    flags: 0,
    ...(managedBy !== undefined && { tags: { bot_id: managedBy } }),
  };
}

export function toChannel({ id: guildId }: Pick<Guild, 'id'>, channel: Channel, lastMessageId: string | undefined): JsonObject {
  const { id, name, kind, topic, position, overwrites, tags, requiresTag, thread, recipientId } = channel;
  if (recipientId !== undefined) {
    const recipients = [{ id: recipientId, username: name, discriminator: '0', global_name: name, avatar: null }];
    return { id, type: DIRECT, last_message_id: lastMessageId ?? null, recipients, flags: 0 };
  }
  const any = {
    id,
    name,
    guild_id: guildId,
    last_message_id: lastMessageId ?? null,
    rate_limit_per_user: 0,
    flags: requiresTag ? REQUIRES_TAG : 0,
  };
  if (thread) {
    return {
      ...any,
      type: kind === 'news' ? NEWS_THREAD : PUBLIC_THREAD,
      parent_id: thread.parentId,
      owner_id: thread.ownerId,
      message_count: 0,
      member_count: 1,
      total_message_sent: 0,
      thread_metadata: {
        archived: thread.archived,
        auto_archive_duration: thread.autoArchiveMinutes,
        archive_timestamp: archiveChangedAt(channel),
        create_timestamp: toTimestamp(madeAtMs(id)),
        locked: thread.locked,
      },
      applied_tags: thread.tagIds,
    };
  }
  return {
    ...any,
    type: CHANNEL_TYPES[kind],
    topic: topic ?? null,
    position,
    parent_id: null,
    nsfw: false,
    last_pin_timestamp: null,
    ...(isForum(channel) && {
      available_tags: tags.map((tag) => ({ ...tag, emoji_id: null, emoji_name: null })),
    }),
    ...(kind === 'voice' && { bitrate: 64_000, user_limit: 0, rtc_region: null }),
    permission_overwrites: overwrites.map((overwrite) => ({
      id: overwrite.id,
      type: overwrite.of === 'role' ? ROLE_OVERWRITE : MEMBER_OVERWRITE,
      allow: String(toBits(overwrite.allow)),
      deny: String(toBits(overwrite.deny)),
    })),
  };
}

/** A guild without its members and channels. */
export function toGuild(guild: Guild): JsonObject {
  return {
    id: guild.id,
    name: guild.name,
    icon: null,
    features: [],
    emojis: [],
    stickers: [],
    roles: guild.roles.map(toRole),
    owner_id: guild.members.owner.userId,
    system_channel_id: guild.systemChannelId ?? null,
    system_channel_flags: 0,
    afk_timeout: 300,
    verification_level: 1,
    default_message_notifications: 1,
    explicit_content_filter: 0,
    mfa_level: 0,
    nsfw_level: 0,
    premium_tier: guild.premiumTier,
    preferred_locale: guild.preferredLocale,
  };
}

/** The application of the bot. */
export function toApplication({ first: guild, all }: Guilds, endpointUrl?: string): JsonObject {
  return {
    id: APPLICATION_ID,
    name: guild.members.bot.displayName,
    icon: null,
    description: 'Announces what happens on streaming platforms.',
    bot_public: false,
    bot_require_code_grant: false,
    bot: toUser(guild.members.bot),
    owner: toUser(guild.members.owner),
    verify_key: PUBLIC_KEY,
    flags: APPLICATION_FLAGS,
    approximate_guild_count: all.filter(({ hasBot }) => hasBot).length,
    interactions_endpoint_url: endpointUrl ?? null,
  };
}
