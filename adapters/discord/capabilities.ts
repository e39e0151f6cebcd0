import { composed, native } from '#src/operation/capability-table.ts';
import type { ChatPlatform } from '#src/chat/chat.ts';

/** The support of each operation. */
export const capabilities: ChatPlatform['capabilities'] = {
  send: {
    ...native(
      'POST /channels/{id}/messages',
      'POST /channels/{id}/threads',
      'GET /guilds/{id}/channels',
      'GET /guilds/{id}/roles',
      'GET /guilds/{id}/threads/active',
      'GET /channels/{id}/threads/archived/public',
    ),
    detail:
      'After a lost response, Fanfare finds the message by its nonce, and later by its content. In a forum, a message creates a post, which Fanfare finds by its content.',
  },
  edit: {
    ...native('PATCH /channels/{id}/messages/{id}', 'GET /channels/{id}/messages/{id}', 'PATCH /channels/{id}'),
    detail: 'Only messages of the bot. Messages older than an hour are edited at most once a minute, and less often with age.',
  },
  put: {
    ...composed(
      'POST /channels/{id}/messages',
      'POST /channels/{id}/threads',
      'PATCH /channels/{id}/messages/{id}',
      'DELETE /channels/{id}/messages/{id}',
      'GET /channels/{id}/messages',
      'GET /channels/{id}',
    ),
    detail: 'Fanfare stores the id of the message. Requires the permission to read the message history.',
  },
  delete: {
    ...native('DELETE /channels/{id}/messages/{id}'),
    detail: 'Messages of other users require the permission to manage messages.',
  },
  getMessages: {
    ...native(
      'GET /channels/{id}/messages',
      'GET /guilds/{id}/threads/active',
      'GET /channels/{id}/threads/archived/public',
      'GET /channels/{id}/messages/{id}',
      'GET /channels/{id}',
    ),
    detail:
      'For a forum, the first messages of its posts: 25 per page, with one request each. A page reads up to 1,000 archived posts. Beyond that, posts are sorted by the time of archiving (`approximate`).',
  },
  react: native('PUT /channels/{id}/messages/{id}/reactions/{emoji}/@me'),
  publish: { ...native('POST /channels/{id}/messages/{id}/crosspost'), detail: 'Only in announcement channels, at most ten per hour.' },
  thread: {
    ...native(
      'POST /channels/{id}/messages/{id}/threads',
      'POST /channels/{id}/threads',
      'POST /channels/{id}/messages',
      'GET /channels/{id}/messages/{id}',
      'GET /guilds/{id}/threads/active',
      'GET /channels/{id}/threads/archived/public',
    ),
    detail: 'A message has one thread. A second call returns the existing thread.',
  },
  addRole: {
    ...native('PUT /guilds/{id}/members/{id}/roles/{id}', 'GET /guilds/{id}/members/search', 'GET /guilds/{id}/members/{id}'),
    detail: 'Requires the permission to manage roles, and a role of the bot above the role.',
  },
  removeRole: {
    ...native('DELETE /guilds/{id}/members/{id}/roles/{id}', 'GET /guilds/{id}/members/search', 'GET /guilds/{id}/members/{id}'),
    detail: 'Requires the permission to manage roles, and a role of the bot above the role.',
  },
  ask: {
    ...composed('POST /channels/{id}/messages', 'POST /channels/{id}/threads'),
    detail: 'A message with buttons. The bot receives the answers over the gateway.',
  },
};
