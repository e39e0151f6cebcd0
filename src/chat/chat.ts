import { withOperations } from '#src/operation/client.ts';
import type { Platform } from '#src/operation/platform.ts';
import * as aroundMessages from './around-messages.ts';
import * as messages from './messages.ts';
import * as questions from './questions.ts';
import * as roles from './roles.ts';

/** The topics of `Chat`: every export is an operation. */
export const chatTopics = [messages, aroundMessages, roles, questions] as const;

/** What a chat adapter fills. */
export type ChatPlatform = Platform<typeof messages & typeof aroundMessages & typeof roles & typeof questions>;

/** Reads and writes in the channels of a Discord server. */
export class Chat extends withOperations(...chatTopics) {}
