import { z } from 'zod';
import type { WriteOptions } from '#src/operation/call.ts';
import { write } from '#src/operation/operation.ts';
import { markdownText } from '#src/operation/parameters.ts';
import { channel, embed, forumPost, mention } from './parameters.ts';
import { Answer } from './records.ts';

const Ask = z.strictObject({
  channel,
  content: markdownText().min(1).max(2000).describe('The question, in Markdown. What came from a platform is escaped.'),
  embed,
  choices: z
    .array(z.string().trim().min(1).max(80).describe('What stands on a button.'))
    .min(1)
    .max(5)
    .describe('One button each. A further one takes a text of their own, which counts as the first choice.'),
  mention,
  tags: forumPost.tags,
});
export interface AskOptions extends Pick<z.input<typeof Ask>, 'embed' | 'mention' | 'tags'>, WriteOptions {}

/**
 * Asks whoever reads the channel, and waits for the first answer, no longer than the step's `maxAge`.
 *
 * Nobody answered in time: then `choice` is empty, and the steps that follow run with that.
 *
 * @example
 * - id: verdict
 *   do: discord.ask
 *   maxAge: 12h
 *   with: { channel: moderators, content: Shall this go out?, choices: [send, drop] }
 * - do: discord.send
 *   if: steps.verdict.choice == "send"
 *   with: { channel: live, content: "${{ either(steps.verdict.text, 'Here we go') }}" }
 */
export const ask = write('ask', {
  effect: 'creates',
  answered: 'later',
  params: Ask,
  returns: Answer,
  args: (to: string, content: string, choices: readonly string[], options: AskOptions = {}) => ({
    channel: to,
    content,
    choices: [...choices],
    ...options,
  }),
});
