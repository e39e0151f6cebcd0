import type { ChatPlatform } from '#src/chat/chat.ts';

/** What Discord makes of each operation. */
export const capabilities: ChatPlatform['capabilities'] = {
  send: { support: 'native', endpoints: ['POST /channels/{id}/messages'] },
  edit: {
    support: 'native',
    detail: 'Messages of the bot only. Where a card is given, the message is read before.',
    endpoints: ['PATCH /channels/{id}/messages/{id}', 'GET /channels/{id}/messages/{id}'],
  },
  getMessages: { support: 'native', endpoints: ['GET /channels/{id}/messages'] },
};
