import { withOperations } from '#src/operation/client.ts';
import type { Platform } from '#src/operation/platform.ts';
import * as messages from './messages.ts';

/** The topics of `Chat`: every export is an operation. */
export const chatTopics = [messages] as const;

/** What a chat adapter fills. */
export type ChatPlatform = Platform<typeof messages>;

/** Reads and writes in the channels of a Discord server. */
export class Chat extends withOperations(messages) {}
