import { withOperations } from '#src/operation/client.ts';
import type { Platform } from '#src/operation/platform.ts';
import * as asking from './asking.ts';

/** The topics of `Conversations`: every export is an operation. */
export const assistantTopics = [asking] as const;

/** Who answers. */
export type ConversationPlatform = Platform<typeof asking>;

/** Asks an assistant who remembers each conversation. */
export class Conversations extends withOperations(...assistantTopics) {}
