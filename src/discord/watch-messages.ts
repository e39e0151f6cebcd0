import { type Client, GatewayDispatchEvents, GatewayIntentBits } from 'discord.js';
import { z } from 'zod';

/** The channel of a server whose messages changed. */
export interface ChangedChannel {
  /** The id of the server. */
  readonly server: string;
  /** Absent: every channel of the server may have changed while the bot was not connected. */
  readonly id?: string | undefined;
  /** Absent for a thread. */
  readonly name?: string | undefined;
}

/** The intents for the events below. Discord sends them without the texts of messages. */
export const MESSAGE_INTENTS: readonly GatewayIntentBits[] = [GatewayIntentBits.GuildMessages, GatewayIntentBits.GuildMessageReactions];

/** A direct message has no server. */
const InChannel = z.object({ guild_id: z.string(), channel_id: z.string() });
const Server = z.object({ id: z.string() });
const InForum = z.object({ guild_id: z.string(), parent_id: z.string() });

const MESSAGE_EVENTS = [
  GatewayDispatchEvents.MessageCreate,
  GatewayDispatchEvents.MessageUpdate,
  GatewayDispatchEvents.MessageDelete,
  GatewayDispatchEvents.MessageDeleteBulk,
  GatewayDispatchEvents.MessageReactionAdd,
  GatewayDispatchEvents.MessageReactionRemove,
  GatewayDispatchEvents.MessageReactionRemoveAll,
  GatewayDispatchEvents.MessageReactionRemoveEmoji,
] as const;

/** Reports each change of the messages and the forum posts of a server, from the events of a client that has not connected yet. */
export function watchMessages(client: Client, onChange: (channel: ChangedChannel) => void): void {
  const report = (server: string, id: string): void => {
    const channel = client.channels.cache.get(id);
    onChange({ server, id, name: channel && 'name' in channel ? (channel.name ?? undefined) : undefined });
  };
  for (const event of MESSAGE_EVENTS) {
    client.ws.on(event, (data: unknown) => {
      const { data: change } = InChannel.safeParse(data);
      if (change) report(change.guild_id, change.channel_id);
    });
  }
  client.ws.on(GatewayDispatchEvents.ThreadCreate, (data: unknown) => {
    const { data: post } = InForum.safeParse(data);
    if (post) report(post.guild_id, post.parent_id);
  });
  // Discord sends it for each server after a connection that continues none.
  client.ws.on(GatewayDispatchEvents.GuildCreate, (data: unknown) => {
    const { data: server } = Server.safeParse(data);
    if (server) onChange({ server: server.id });
  });
}
