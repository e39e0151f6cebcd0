import { z } from 'zod';
import { Author, Person, ref } from '#src/operation/record.ts';
import { Container } from '#src/paging/container.ts';

const sent = z.object({ ...ref });

/** A sent message. Its id is `channel/message`. */
export interface SentMessage extends z.output<typeof sent> {}
export const SentMessage: z.ZodType<SentMessage> = sent;

const thread = z.object({ ...ref, name: z.string().describe('The name.') });

/** A thread. Its id is valid in every `channel` parameter. */
export interface Thread extends z.output<typeof thread> {}
export const Thread: z.ZodType<Thread> = thread;

const answer = z.object({
  ...ref,
  choice: z.string().optional().describe('The label of the button. For a free text, the first choice. Absent: no answer.'),
  by: Person.optional().describe('The user who answered.'),
  text: z.string().optional().describe('The free text.'),
});

/** A question and its answer. */
export interface Answer extends z.output<typeof answer> {}
export const Answer: z.ZodType<Answer> = answer;

const embed = z.object({
  title: z.string().optional().describe('The title.'),
  url: z.string().optional().describe('The address behind the title.'),
  description: z.string().optional().describe('The text below the title.'),
  image: z.string().optional().describe('The address of the large picture.'),
  thumbnail: z.string().optional().describe('The address of the small picture.'),
  footer: z.string().optional().describe('The small print at the bottom.'),
  color: z.int().optional().describe('The color of the edge.'),
  fields: z
    .array(
      z.object({
        name: z.string().describe('The name.'),
        value: z.string().describe('The value.'),
        inline: z.boolean().optional().describe('Whether the field is next to the previous field.'),
      }),
    )
    .optional()
    .describe('The fields.'),
});

/** A card below a message. */
export interface Embed extends z.output<typeof embed> {}
export const Embed: z.ZodType<Embed> = embed;

const message = z.object({
  ...ref,
  channel: z
    .object({ id: z.string().describe('Its id.'), name: z.string().describe('Its name, without #.') })
    .describe('The channel of the message.'),
  author: Author.describe('The author.'),
  content: z.string().describe('The text, in Markdown.'),
  embeds: z.array(Embed).describe('The cards.'),
  files: z
    .array(z.object({ name: z.string().describe('The file name.'), url: z.string().describe('The address.') }))
    .describe('The attachments.'),
  buttons: z.array(z.string()).describe('The labels of the buttons.'),
  reactions: z
    .array(
      z.object({
        emoji: z.string().describe('The emoji, or its name.'),
        count: z.int().describe('The number of users with this reaction.'),
      }),
    )
    .describe('The reactions.'),
  thread: Thread.optional().describe('The thread of the message. For a forum post, the post.'),
  title: z.string().optional().describe('The title of the forum post.'),
  tags: z.array(z.string()).optional().describe('The names of the tags of the forum post.'),
  createdAt: z.date().describe('The time of creation.'),
  editedAt: z.date().optional().describe('The time of the last edit.'),
  fetchedAt: z.date().describe('The time of the read.'),
});

/** A message of a channel. */
export interface Message extends z.output<typeof message> {}
export const Message: z.ZodType<Message> = message;

/** The messages of one channel. */
export class ChannelMessages extends Container<Message> {}
