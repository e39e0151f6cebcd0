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
      'What was sent and never answered for is found by its nonce, and later by what it says; in a forum, a message begins a post, which is found by what it says.',
  },
  edit: {
    ...native('PATCH /channels/{id}/messages/{id}', 'GET /channels/{id}/messages/{id}', 'PATCH /channels/{id}'),
    detail: 'Messages of the bot only. One that is older than an hour is changed once a minute at most, and more seldom with age.',
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
    detail: 'Which message it is is kept here; it needs the permission to read the history.',
  },
  delete: {
    ...native('DELETE /channels/{id}/messages/{id}'),
    detail: "Other people's messages with the permission to manage messages only.",
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
      'Of a forum, the messages that its posts begin with, 25 a page, each with a request of its own; the archive is read up to 1,000 posts a page, and further back its order is that in which posts were archived (`approximate`).',
  },
  react: native('PUT /channels/{id}/messages/{id}/reactions/{emoji}/@me'),
  publish: { ...native('POST /channels/{id}/messages/{id}/crosspost'), detail: 'In announcement channels only, and ten an hour.' },
  thread: {
    ...native(
      'POST /channels/{id}/messages/{id}/threads',
      'POST /channels/{id}/threads',
      'POST /channels/{id}/messages',
      'GET /channels/{id}/messages/{id}',
      'GET /guilds/{id}/threads/active',
      'GET /channels/{id}/threads/archived/public',
    ),
    detail: 'A message has one thread: a second one is the same.',
  },
  addRole: {
    ...native('PUT /guilds/{id}/members/{id}/roles/{id}', 'GET /guilds/{id}/members/search', 'GET /guilds/{id}/members/{id}'),
    detail: 'Needs the permission to manage roles, and a role of the bot above it.',
  },
  removeRole: {
    ...native('DELETE /guilds/{id}/members/{id}/roles/{id}', 'GET /guilds/{id}/members/search', 'GET /guilds/{id}/members/{id}'),
    detail: 'Needs the permission to manage roles, and a role of the bot above it.',
  },
  ask: {
    ...composed('POST /channels/{id}/messages', 'POST /channels/{id}/threads'),
    detail: 'Buttons on a message; answers come over the gateway, to the bot.',
  },
};
