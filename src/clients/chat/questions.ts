import { z } from 'zod';
import type { WriteOptions } from '#src/clients/operation/call.ts';
import { write } from '#src/clients/operation/operation.ts';
import { eachOf, markdownText, roleText } from '#src/clients/operation/parameters.ts';
import { channel, embed, forumPost, mention } from './parameters.ts';
import { Answer } from './records.ts';

const Ask = z.strictObject({
  channel,
  content: markdownText().min(1).max(2000).describe('The question, in Markdown. Texts from platforms are escaped.'),
  embed,
  choices: z
    .array(z.string().trim().min(1).max(80).describe('The label of a button.'))
    .min(1)
    .max(5)
    .describe('One button for each choice. Another button, with a pen, accepts a free text, which counts as the first choice.'),
  mention,
  roles: z
    .array(roleText())
    .min(1)
    .optional()
    .describe(
      'The roles whose members may answer, by name or id; `@everyone`: all members. Administrators may always answer. Default: members with the permission `operate`.',
    ),
  answers: z
    .int()
    .min(1)
    .max(25)
    .optional()
    .describe('How many members have to answer. A further answer of a member replaces the earlier one. Default: 1.'),
  tags: forumPost.tags,
});
export interface AskOptions extends Pick<z.input<typeof Ask>, 'embed' | 'mention' | 'roles' | 'answers' | 'tags'>, WriteOptions {}

/**
 * Asks a question in a channel, and waits for the first answer, or for those of `answers` different members, at most for `answerWithin` of the step.
 *
 * Without an answer in time, or if several members disagree, `choice` is empty, and the next steps run. A click of a member who may not answer changes nothing.
 *
 * @example
 * - id: verdict
 *   do: discord.ask
 *   answerWithin: 12h
 *   with: { channel: moderators, content: Send this?, choices: [send, drop] }
 * - do: discord.send
 *   if: steps.verdict.choice == "send"
 *   with: { channel: live, content: "${{ either(steps.verdict.text, 'Here we go') }}" }
 */
export const ask = write('ask', {
  effect: 'creates',
  publishes: 'everyone',
  answered: 'later',
  params: Ask,
  returns: Answer,
  args: (to: string, content: string, choices: readonly string[], options: AskOptions = {}) => ({
    channel: to,
    content,
    choices: eachOf(choices, (choice) => choice),
    ...options,
  }),
});
