import { z } from 'zod';
import { belonging } from '#src/clients/operation/parameters.ts';
import type { WriteOptions } from '#src/clients/operation/call.ts';
import { write } from '#src/clients/operation/operation.ts';
import { channel, content, forumPost, message } from './parameters.ts';
import { SentMessage, Thread } from './records.ts';

/** Discord knows no `:tada:`, `pog` or `:)` in a reaction. */
function isEmoji(text: string): boolean {
  return /^<?a?:?\w{2,32}:\d+>?$/u.test(text) || /\P{ASCII}/u.test(text);
}

const React = z.strictObject({
  message,
  emoji: z
    .string()
    .min(1)
    .max(100)
    .refine(isEmoji, "expected an emoji, for example 🎉, or one of the server's own as name:id")
    .describe("An emoji, or one of the server's own as `name:id`."),
});

/**
 * Adds a reaction of the bot to a message.
 *
 * @example
 * - id: news
 *   do: discord.send
 *   with: { channel: live, content: Who wins? }
 * - do: discord.react
 *   with: { message: "${{ steps.news.id }}", emoji: 🎉 }
 */
export const react = write('react', {
  effect: 'sets',
  params: React,
  returns: SentMessage,
  args: (to: string, emoji: string, options: WriteOptions = {}) => ({ message: to, emoji, ...options }),
});

/**
 * Publishes a message of an announcement channel to the servers that follow the channel.
 *
 * @example
 * - id: news
 *   do: discord.send
 *   with: { channel: announcements, content: Season two begins }
 * - do: discord.publish
 *   with: { message: "${{ steps.news.id }}" }
 */
export const publish = write('publish', {
  effect: 'sets',
  params: z.strictObject({ message }),
  returns: SentMessage,
  args: (announcement: string, options: WriteOptions = {}) => ({ message: announcement, ...options }),
});

const StartThread = z
  .strictObject({
    message: belonging(message.optional().describe('The message of the thread: the `id` from `send`.')),
    channel: channel.optional().describe("A channel or forum of the account's server: its name or its id."),
    name: z.string().min(1).max(100).describe('The name of the thread.'),
    content: content.describe('The first message. In a forum, the default is the name of the thread.'),
    tags: forumPost.tags,
  })
  .refine((value) => (value.message === undefined) !== (value.channel === undefined), 'give either message or channel');
type ThreadTarget = { readonly message: string } | { readonly channel: string };
export interface StartThreadOptions extends Pick<z.input<typeof StartThread>, 'content' | 'tags'>, WriteOptions {}

/**
 * Starts a thread on a message or in a channel.
 *
 * @example
 * - id: news
 *   do: discord.send
 *   with: { channel: live, content: Ada is live }
 * - id: talk
 *   do: discord.thread
 *   with: { message: "${{ steps.news.id }}", name: How it goes, content: Talk here. }
 * - do: discord.send
 *   with: { channel: "${{ steps.talk.id }}", content: First! }
 */
export const thread = write('thread', {
  effect: 'creates',
  publishes: 'everyone',
  params: StartThread,
  returns: Thread,
  args: (place: ThreadTarget, name: string, options: StartThreadOptions = {}) => ({ ...place, name, ...options }),
});

const EditChannel = z.strictObject({
  channel: channel.describe("A channel of the account's server: its id, or its name before the first change."),
  name: z.string().trim().min(1).max(100).describe('The new name. In text channels, Discord writes it in lower case, with dashes.'),
});

/**
 * Renames a channel. Discord allows two changes in ten minutes: Fanfare waits, and only the last name is sent.
 *
 * @example
 * - do: discord.editChannel
 *   with: { channel: lounge, name: 🔴 Live now }
 */
export const editChannel = write('editChannel', {
  effect: 'sets',
  publishes: 'everyone',
  params: EditChannel,
  returns: Thread,
  args: (of: string, name: string, options: WriteOptions = {}) => ({ channel: of, name, ...options }),
});

const EditThread = z
  .strictObject({
    thread: z.string().min(1).describe('The thread: the `id` from `thread`, or its address.'),
    name: z.string().min(1).max(100).optional().describe('The new name.'),
    archived: z.boolean().optional().describe('Whether the thread is archived. A message opens it again.'),
    locked: z.boolean().optional().describe('Whether only moderators can open it again. Requires the permission to manage threads.'),
  })
  .refine(
    ({ name, archived, locked }) => name !== undefined || archived !== undefined || locked !== undefined,
    'there is nothing to change: give name, archived or locked',
  );
export interface EditThreadOptions extends Omit<z.input<typeof EditThread>, 'thread'>, WriteOptions {}

/**
 * Renames, archives or locks a thread.
 *
 * @example
 * - id: talk
 *   do: discord.thread
 *   with: { channel: valorant, name: How it goes }
 * - do: discord.editThread
 *   with: { thread: "${{ steps.talk.id }}", name: How it went, archived: true }
 */
export const editThread = write('editThread', {
  effect: 'sets',
  publishes: 'everyone',
  params: EditThread,
  returns: Thread,
  args: (of: string, options: EditThreadOptions) => ({ thread: of, ...options }),
});
