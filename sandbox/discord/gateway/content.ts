import type { Guilds } from '../guild/guilds.ts';
import { APPLICATION_ID } from '../identity.ts';
import { presences, voiceStates } from '../guild/states.ts';
import { toApplication, toChannel, toCurrentUser, toGuild, toMember } from '../guild/wire.ts';
import type { Messages } from '../messages/message.ts';
import { toTimestamp } from '../snowflake.ts';
import type { GatewayContent } from './gateway.ts';

const API_VERSION = 10;

interface ContentOptions {
  readonly guilds: Guilds;
  readonly messages: Messages;
  readonly gatewayUrl: () => string;
}

/** The payloads that a client receives when it connects. */
export function gatewayContent({ guilds, messages, gatewayUrl }: ContentOptions): GatewayContent {
  const guildIds = (): readonly string[] => guilds.all.filter(({ hasBot }) => hasBot).map(({ id }) => id);
  return {
    guildIds,

    ready: (session) => ({
      v: API_VERSION,
      user: toCurrentUser(guilds.first.members.bot),
      guilds: guildIds()
        .filter((id) => session.has(id))
        .map((id) => ({ id, unavailable: true })),
      session_id: session.id,
      session_type: 'normal',
      resume_gateway_url: gatewayUrl(),
      shard: session.shard,
      application: { id: APPLICATION_ID, flags: toApplication(guilds)['flags'] },
      private_channels: [],
      presences: [],
      relationships: [],
      user_settings: {},
      _trace: [],
    }),

    guild(id, session) {
      const guild = guilds.find(id) ?? guilds.first;
      const toWire = guild.channels.all().map((channel) => ({ channel, wire: toChannel(guild, channel, messages.lastId(channel.id)) }));
      // Without the privileged intent, a client receives only its own member.
      const members = session.hasIntent('GuildMembers') ? guild.members.all() : [guild.members.bot];
      return {
        ...toGuild(guild),
        joined_at: toTimestamp(guild.joinedAt.getTime()),
        large: false,
        unavailable: false,
        member_count: guild.members.all().length,
        members: members.map(toMember),
        channels: toWire.filter(({ channel }) => !channel.thread).map(({ wire }) => wire),
        threads: toWire.filter(({ channel }) => channel.thread).map(({ wire }) => wire),
        voice_states: session.hasIntent('GuildVoiceStates') ? voiceStates(guild) : [],
        presences: session.hasIntent('GuildPresences') ? presences(guild) : [],
        stage_instances: [],
        guild_scheduled_events: [],
        soundboard_sounds: [],
      };
    },
  };
}
