import { z } from 'zod';
import { Author, Person, personFields, ref } from '#src/clients/operation/record.ts';
import { Container } from '#src/clients/paging/container.ts';

const sent = z.object({ ...ref });

/** A sent message. Its id is `channel/message`. */
export interface SentMessage extends z.output<typeof sent> {}
export const SentMessage: z.ZodType<SentMessage> = sent;

const thread = z.object({ ...ref, name: z.string().describe('The name.') });

/** A thread. Its id is valid in every `channel` parameter. */
export interface Thread extends z.output<typeof thread> {}
export const Thread: z.ZodType<Thread> = thread;

const roleChange = z.object({
  ...personFields,
  role: z.object({ id: z.string().describe('Its id.'), name: z.string().describe('Its name.') }).describe('The role.'),
});

/** A user, and the role that the user got or lost. */
export interface RoleChange extends z.output<typeof roleChange> {}
export const RoleChange: z.ZodType<RoleChange> = roleChange;

const botStatus = z.object({ ...ref, text: z.string().describe('The text.') });

/** The status of the bot. */
export interface BotStatus extends z.output<typeof botStatus> {}
export const BotStatus: z.ZodType<BotStatus> = botStatus;

const scheduledEvent = z.object({ ...ref, name: z.string().optional().describe('The name; absent after a deletion.') });

/** A scheduled event of a server. */
export interface ScheduledEvent extends z.output<typeof scheduledEvent> {}
export const ScheduledEvent: z.ZodType<ScheduledEvent> = scheduledEvent;

const answer = z.object({
  ...ref,
  choice: z
    .string()
    .optional()
    .describe('The label of the button. For a free text, the first choice. Absent: no answer, or several members chose differently.'),
  by: Person.optional().describe('The user who answered.'),
  text: z.string().optional().describe('The free text.'),
  answers: z
    .array(
      z.object({
        choice: z.string().describe('The label of the button. For a free text, the first choice.'),
        by: Person.optional().describe('The user who answered.'),
        text: z.string().optional().describe('The free text.'),
      }),
    )
    .optional()
    .describe('The answers of the members, in their order, if the question has `answers`. Then `by` and `text` are absent.'),
});

/** A question and its answer. */
export interface Answer extends z.output<typeof answer> {}
export const Answer: z.ZodType<Answer> = answer;

const embed = z.object({
  author: z
    .object({
      name: z.string().describe('The name.'),
      url: z.string().optional().describe('The address behind the name.'),
      icon: z.string().optional().describe('The address of its picture.'),
    })
    .optional()
    .describe('The person or the channel above the title.'),
  title: z.string().optional().describe('The title.'),
  url: z.string().optional().describe('The address behind the title.'),
  description: z.string().optional().describe('The text below the title.'),
  image: z.string().optional().describe('The address of the large picture.'),
  altText: z.string().optional().describe('The description of the large picture.'),
  thumbnail: z.string().optional().describe('The address of the small picture.'),
  timestamp: z.string().optional().describe('The instant beside the small print, as ISO 8601.'),
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

const memberFields = {
  ...ref,
  handle: z.string().describe('The name in mentions, without @.'),
  displayName: z.string().describe('The displayed name in the server.'),
  bot: z.boolean().describe('Whether it is a bot.'),
  roles: z.array(z.string()).describe('The names of the roles, without @everyone.'),
  joinedAt: z.date().optional().describe('The time of joining the server.'),
  fetchedAt: z.date().describe('The time of the read.'),
};
const member = z.object({
  ...memberFields,
  status: z.enum(['online', 'idle', 'dnd', 'offline']).optional().describe('The status. Present only if the operation names `status`.'),
});

/** A member of a server. */
export interface Member extends z.output<typeof member> {}
export const Member: z.ZodType<Member> = member;

const voiceMember = z.object({
  ...memberFields,
  channel: z
    .object({ id: z.string().describe('Its id.'), name: z.string().describe('Its name, without #.') })
    .describe('The voice channel.'),
  streaming: z.boolean().describe('Whether the member shares the screen.'),
});

/** A member in a voice channel. */
export interface VoiceMember extends z.output<typeof voiceMember> {}
export const VoiceMember: z.ZodType<VoiceMember> = voiceMember;

/** The members in voice channels. */
export class VoiceMembers extends Container<VoiceMember> {}

/** The members of a server. */
export class Members extends Container<Member> {}

/** The messages of one channel. */
export class ChannelMessages extends Container<Message> {}
