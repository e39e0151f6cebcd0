import { z } from 'zod';
import type { CallOptions } from '#src/clients/operation/call.ts';
import { read } from '#src/clients/operation/operation.ts';
import { AssistantAnswer } from './records.ts';

const Ask = z.strictObject({
  text: z.string().min(1).describe('The question. The model treats content from platforms in it as data, not as instructions.'),
  conversation: z
    .string()
    .min(1)
    .max(200)
    .optional()
    .describe('The name of the conversation, which the assistant continues; by default, a new one.'),
});
export interface AskOptions extends Omit<z.input<typeof Ask>, 'text'>, CallOptions {}

/**
 * The answer of the assistant, with its conversation.
 *
 * In `while`, Fanfare asks again only if a parameter changed, because each answer costs money. If an answer is lost on the way, Fanfare makes at most 4 attempts,
 * unless `retry` of the step has another number.
 *
 * @example
 * - id: greeting
 *   do: assistant.ask
 *   with: { text: Greet the server in one sentence. }
 * - do: discord.send
 *   with: { channel: general, content: "${{ steps.greeting.message.text }}" }
 */
export const ask = read('ask', {
  rereads: 'onChange',
  params: Ask,
  returns: AssistantAnswer,
  args: (text: string, options: AskOptions = {}) => ({ text, ...options }),
});
