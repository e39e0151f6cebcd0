import { z } from 'zod';
import { Person, ref } from '#src/operation/record.ts';
import { Container } from '#src/paging/container.ts';

const sent = z.object({ ...ref });

/** A message that was sent; its id is `channel/message`. */
export interface SentMessage extends z.output<typeof sent> {}
export const SentMessage: z.ZodType<SentMessage> = sent;

const thread = z.object({ ...ref, name: z.string().describe('What it is called.') });

/** A thread; its id stands for a channel wherever one is named. */
export interface Thread extends z.output<typeof thread> {}
export const Thread: z.ZodType<Thread> = thread;

const answer = z.object({
  ...ref,
  choice: z.string().optional().describe('What stood on the button; for a text of their own the first choice. Absent: nobody answered.'),
  by: Person.optional().describe('Who answered.'),
  text: z.string().optional().describe('What they wrote themselves.'),
});

/** A question, and what somebody answered. */
export interface Answer extends z.output<typeof answer> {}
export const Answer: z.ZodType<Answer> = answer;

const embed = z.object({
  title: z.string().optional().describe('The line at the top.'),
  url: z.string().optional().describe('Where the title leads.'),
  description: z.string().optional().describe('The text below the title.'),
  image: z.string().optional().describe('The address of the large picture.'),
  thumbnail: z.string().optional().describe('The address of the small picture.'),
  footer: z.string().optional().describe('The small print at the bottom.'),
  color: z.int().optional().describe('The colour of its edge.'),
  fields: z
    .array(
      z.object({
        name: z.string().describe('What it is.'),
        value: z.string().describe('What is said of it.'),
        inline: z.boolean().optional().describe('Whether it stands beside the one before it.'),
      }),
    )
    .optional()
    .describe('Names and values.'),
});

/** A card below a message. */
export interface Embed extends z.output<typeof embed> {}
export const Embed: z.ZodType<Embed> = embed;

const message = z.object({
  ...ref,
  channel: z.object({ id: z.string().describe('Its id.'), name: z.string().describe('Its name, without #.') }).describe('Where it stands.'),
  author: Person.describe('Who wrote it.'),
  content: z.string().describe('The text, in Markdown.'),
  embeds: z.array(Embed).describe('The cards below it.'),
  files: z
    .array(z.object({ name: z.string().describe('What the file is called.'), url: z.string().describe('Where it is.') }))
    .describe('What is attached.'),
  buttons: z.array(z.string()).describe('What stands on its buttons.'),
  reactions: z
    .array(z.object({ emoji: z.string().describe('The emoji, or its name.'), count: z.int().describe('How many reacted with it.') }))
    .describe('How people reacted.'),
  thread: Thread.optional().describe('The thread that hangs on it; of a post in a forum, the post.'),
  title: z.string().optional().describe('What the post is called that it begins, in a forum.'),
  tags: z.array(z.string()).optional().describe('What that post is marked with: the names of its tags.'),
  createdAt: z.date().describe('When it was written.'),
  editedAt: z.date().optional().describe('When it was changed last.'),
  fetchedAt: z.date().describe('When it was read.'),
});

/** A message as it stands in a channel. */
export interface Message extends z.output<typeof message> {}
export const Message: z.ZodType<Message> = message;

/** The messages of one channel. */
export class ChannelMessages extends Container<Message> {}
