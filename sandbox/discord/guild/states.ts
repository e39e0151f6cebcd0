import type { JsonObject } from '#src/clients/operation/json.ts';
import type { Guild } from './guild.ts';
import type { Member, MemberState } from './members.ts';
import { toMember } from './wire.ts';

/** The presences of the members that are not offline. */
export function presences(guild: Guild): readonly JsonObject[] {
  return guild.members.all().flatMap((member) => {
    const { status } = guild.members.stateOf(member);
    return status === 'offline' ? [] : [{ user: { id: member.userId }, status, activities: [], client_status: {} }];
  });
}

/** The voice states of the members in voice channels. */
export function voiceStates(guild: Guild): readonly JsonObject[] {
  return guild.members.all().flatMap((member) => {
    const { voice } = guild.members.stateOf(member);
    return voice ? [toVoiceState(member, voice)] : [];
  });
}

/** The events of a change of the state of a member. */
export function presenceUpdate(guild: Guild, { userId }: Member, { status }: MemberState): JsonObject {
  return { user: { id: userId }, guild_id: guild.id, status, activities: [], client_status: {} };
}

export function voiceStateUpdate(guild: Guild, member: Member, { voice }: MemberState): JsonObject {
  return { ...toVoiceState(member, voice), guild_id: guild.id, member: toMember(member) };
}

function toVoiceState({ userId }: Member, voice: MemberState['voice']): JsonObject {
  return {
    channel_id: voice?.channelId ?? null,
    user_id: userId,
    session_id: userId,
    deaf: false,
    mute: false,
    self_deaf: false,
    self_mute: false,
    self_video: false,
    suppress: false,
    request_to_speak_timestamp: null,
    ...(voice?.streaming && { self_stream: true }),
  };
}
