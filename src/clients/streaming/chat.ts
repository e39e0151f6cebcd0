import { z } from 'zod';
import type { WriteOptions } from '#src/clients/operation/call.ts';
import { write } from '#src/clients/operation/operation.ts';
import { chatText } from '#src/clients/operation/parameters.ts';
import { ChatMessage } from './records.ts';

const SendChatMessage = z.strictObject({
  text: chatText().min(1).max(500).describe('The text, in one line.'),
});

/**
 * Sends a message in the chat of the signed-in channel, as this channel. A text of a platform cannot begin a command of the chat.
 *
 * @example
 * const { id } = await bot.sendChatMessage('The next stream is on Saturday.');
 */
export const sendChatMessage = write('sendChatMessage', {
  effect: 'creates',
  publishes: 'everyone',
  params: SendChatMessage,
  returns: ChatMessage,
  args: (text: string, options: WriteOptions = {}) => ({ text, ...options }),
});
