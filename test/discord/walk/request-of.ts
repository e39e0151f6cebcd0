import type { MemberAct } from './acts.ts';
import type { Request } from './expected-server.ts';
import type { Server } from './server.ts';

/** The streamers of a walk. */
export interface Streamers {
  /** The ids. */
  readonly streamers: readonly string[];
  /** The handles by the ids. */
  readonly handles: ReadonlyMap<string, string>;
}

/** A channel that exists. */
export function channelOf({ channels, deleted }: Server, number: number): string | undefined {
  const there = channels.filter((channel) => !deleted.has(channel));
  return there[number % Math.max(1, there.length)];
}

/** What an act asks for; undefined: nothing that Discord lets a member do now. */
export function requestOf(act: MemberAct, server: Server, { streamers, handles }: Streamers): Request | undefined {
  const streamer = ('streamer' in act ? streamers[act.streamer] : undefined) ?? '';
  const memberOf = (number = -1): string | undefined => server.members[number];
  switch (act.kind) {
    case 'follow': {
      const channel = act.channel === undefined ? undefined : channelOf(server, act.channel);
      if (act.channel !== undefined && channel === undefined) return undefined;
      const ping = act.ping ? server.role : undefined;
      return { kind: 'follow', streamer, handle: handles.get(streamer) ?? '', channel, ping, member: memberOf(act.member) };
    }
    case 'edit': {
      const { channel, ping, message, deleteAfter } = server.expected.entries.get(streamer) ?? {};
      // The form does not show a deleted channel, so that saving it removes the channel.
      const shown = { channel: channel !== undefined && server.deleted.has(channel) ? undefined : channel, ping, message, deleteAfter };
      const { change } = act;
      const fields = {
        ...shown,
        ...(change.channel !== undefined && { channel: change.channel === null ? undefined : channelOf(server, change.channel) }),
        ...(change.ping !== undefined && { ping: change.ping ? server.role : undefined }),
        ...(change.deleteAfter !== undefined && { deleteAfter: change.deleteAfter || undefined }),
        ...(change.message !== undefined && { message: change.message === '' ? undefined : change.message }),
      };
      return { kind: 'edit', streamer, fields };
    }
    case 'setUp': {
      const channel = channelOf(server, act.channel);
      return channel === undefined ? undefined : { kind: 'setUp', channel };
    }
    case 'name':
      return { kind: 'name', streamer, member: memberOf(act.member) };
    case 'liveRole':
      return { kind: 'liveRole', role: act.role === undefined ? undefined : server.liveRoles[act.role] };
    case 'undo': {
      const change = server.changes.at(-1 - act.number);
      return change && { kind: 'undo', change };
    }
    case 'off':
    case 'on':
      return { kind: act.kind };
    default:
      return { kind: act.kind, streamer };
  }
}
