import { withOperations } from '#src/clients/operation/client.ts';
import type { Platform } from '#src/clients/operation/platform.ts';
import * as asking from './asking.ts';

/** The topics of `Conversations`: every export is an operation. */
export const assistantTopics = [asking] as const;

/** The platform of an assistant. */
export type ConversationPlatform = Platform<typeof asking>;

/** Asks an assistant that remembers each conversation. */
export class Conversations extends withOperations(...assistantTopics) {}

/** The capabilities of every assistant. */
export const capabilities: ConversationPlatform['capabilities'] = {
  ask: { support: 'composed', detail: 'Fanfare stores the transcript for 90 days.', endpoints: ['POST /chat/completions'] },
};
