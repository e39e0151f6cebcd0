import { withOperations } from '#src/operation/client.ts';
import type { Platform } from '#src/operation/platform.ts';
import * as aroundMessages from './message-actions.ts';
import * as messages from './messages.ts';
import * as questions from './questions.ts';
import * as roles from './roles.ts';

/** The topics of `Chat`: every export is an operation. */
export const chatTopics = [messages, aroundMessages, roles, questions] as const;

/** The operations of a chat adapter. */
export type ChatPlatform = Platform<typeof messages & typeof aroundMessages & typeof roles & typeof questions>;

/** Reads and writes in the channels of a Discord server. */
export class Chat extends withOperations(...chatTopics) {}

/** The stored ids of standing messages. */
export interface StandingMessages {
  /** The message stored for `name`; undefined if there is none. */
  find(account: string, name: string): Promise<string | undefined>;
  /** Resolves when the id is durable. */
  keep(account: string, name: string, message: string): Promise<void>;
}
