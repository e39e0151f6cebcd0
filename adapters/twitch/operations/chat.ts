import { PlatformError } from '#src/errors.ts';
import type { Channel } from '../auth/channel.ts';
import { WRITE_CHAT } from '../auth/scopes.ts';
import type { ChannelHelix, Primitives } from '../client.ts';
import { SentChatMessage } from '../wire/chat-message.ts';

/** The codes of messages that Twitch accepts later. */
const TOO_FAST: ReadonlySet<string> = new Set(['msg_ratelimit', 'msg_slowmode']);

/** Sends a message in the chat of the signed-in channel. No request lists sent messages, so a lost response leaves the outcome open. */
export function sendChatMessage(channel: Channel, helix: ChannelHelix): Primitives['sendChatMessage'] {
  return async ({ text }, { signal }) => {
    const { response, sentAt } = await channel.authorized(WRITE_CHAT, signal, (token, id) =>
      helix.say(token, { broadcaster_id: id, sender_id: id, message: text }, signal),
    );
    const { id, isSent, refusal } = response.json(SentChatMessage);
    if (!isSent) throw dropped(refusal);
    return { platform: 'twitch', id, text, sentAt };
  };
}

function dropped({ code, message }: { readonly code: string; readonly message: string }): PlatformError {
  const fault = TOO_FAST.has(code) ? 'rateLimited' : 'rejected';
  return new PlatformError(`twitch: the chat did not accept the message: ${message} (${code})`, {
    platform: 'twitch',
    fault,
    explanation: message,
  });
}
