import { type APIMessage, DiscordAPIError, type REST, Routes } from 'discord.js';
import type { Notice, NoticeStore } from '#src/admin/servers/server-store.ts';
import { hash } from '#src/rules/firing.ts';
import type { Layout } from '#src/discord/layout.ts';

/** How many messages are searched for one that a process sent before it ended. */
const SEARCHED = 50;

interface SendOnceOptions {
  readonly rest: REST;
  readonly notices: NoticeStore;
  readonly server: string;
  /** The topic of the message. Each server has one message for a key. */
  readonly key: string;
  readonly channel: string;
  readonly message: Layout;
  /** A custom id that only this message has. It finds the message of a process that ended before it noted the id. */
  readonly marker: string;
  readonly shown: string;
}

/** Sends a message once, whatever process ends when. False: it was sent before, or another process is sending it. */
export async function sendOnce({ rest, notices, server, key, channel, message, marker, shown }: SendOnceOptions): Promise<boolean> {
  const find = async (): Promise<Notice | undefined> => (await notices.list(server)).find((notice) => notice.key === key);
  const earlier = await find();
  if (!(await notices.begin({ server, key, channel }))) return false;
  const found = earlier && (await findMarked(rest, channel, marker));
  const begun = earlier ?? (await find());
  const { components, flags } = message;
  // With the same nonce, Discord would return the message in another channel, or an earlier one that is closed, instead of sending one.
  const nonce = hash(server, channel, key, marker, shown, begun?.at.getTime() ?? 0);
  const body = { components, flags, allowed_mentions: { parse: [] }, nonce, enforce_nonce: true };
  const id = found ?? ((await rest.post(Routes.channelMessages(channel), { body })) as APIMessage).id; // as Discord documents it
  await notices.keep({ server, key, channel, message: id, shown });
  return true;
}

/** The message of the bot with a custom id. Without the permission to read the messages, none is found. */
async function findMarked(rest: REST, channel: string, marker: string): Promise<string | undefined> {
  try {
    const query = new URLSearchParams({ limit: `${SEARCHED}` });
    const messages = (await rest.get(Routes.channelMessages(channel), { query })) as readonly APIMessage[]; // as Discord documents it
    // Members cannot send messages with components.
    return messages.find((one) => JSON.stringify(one.components ?? []).includes(JSON.stringify(marker)))?.id;
  } catch (error) {
    if (error instanceof DiscordAPIError) return undefined;
    throw error;
  }
}
