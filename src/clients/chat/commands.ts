import { z } from 'zod';
import type { WriteOptions } from '#src/clients/operation/call.ts';
import { write } from '#src/clients/operation/operation.ts';
import { buttons } from './buttons.ts';
import { layout } from './layout.ts';
import { areCompatible, content, embed, embeds, hasContent, INCOMPATIBLE } from './parameters.ts';
import { SentMessage } from './records.ts';

const AnswerCommand = z
  .strictObject({
    command: z.string().min(1).optional().describe('The `id` of the use of the command. Default: the use that the rule answers.'),
    content,
    embed,
    embeds,
    layout,
    buttons,
  })
  .refine(hasContent, 'there is nothing to answer: give content, embed, embeds or layout')
  .refine(areCompatible, INCOMPATIBLE);
export interface AnswerCommandOptions extends Omit<z.input<typeof AnswerCommand>, 'command'>, WriteOptions {}

/**
 * Answers the slash command of a rule with `when: { command: … }`. Only the member who uses the command sees the answer, unless the rule has
 * `public: true`. It pings no one. A second answer replaces the first one.
 *
 * @example
 * - do: discord.answer
 *   with: { content: "Hello ${{ command.user.displayName }}" }
 */
export const answer = write('answer', {
  effect: 'sets',
  publishes: 'everyone',
  repliesTo: 'command',
  params: AnswerCommand,
  returns: SentMessage,
  args: (command: string, options: AnswerCommandOptions) => ({ command, ...options }),
});
