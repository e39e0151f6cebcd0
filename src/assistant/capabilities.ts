import type { ConversationPlatform } from './conversations.ts';

/** What is made of each operation, whoever answers. */
export const capabilities: ConversationPlatform['capabilities'] = {
  ask: { support: 'composed', detail: 'The transcript is kept here, for 90 days.', endpoints: ['POST /chat/completions'] },
};
