import { z } from 'zod';
import { belonging } from '#src/operation/parameters.ts';
import type { WriteOptions } from '#src/operation/call.ts';
import { write } from '#src/operation/operation.ts';
import { channel, content, forumPost, message } from './parameters.ts';
import { SentMessage, Thread } from './records.ts';

const React = z.strictObject({
  message,
  emoji: z.string().min(1).max(100).describe("An emoji, or one of the server's own as `name:id`."),
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
