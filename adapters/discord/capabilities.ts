import { composed, native } from '#src/clients/operation/capability-table.ts';
import type { ChatPlatform } from '#src/clients/chat/chat.ts';

/** The support of each operation. */
export const capabilities: ChatPlatform['capabilities'] = {
  send: {
    ...native(
      'POST /channels/{id}/messages',
      'POST /channels/{id}/threads',
      'POST /users/@me/channels',
      'GET /guilds/{id}/members/search',
      'GET /channels/{id}/webhooks',
      'POST /channels/{id}/webhooks',
      'POST /webhooks/{id}/{token}',
      'GET /guilds/{id}/channels',
      'GET /guilds/{id}/roles',
      'GET /guilds/{id}/threads/active',
      'GET /channels/{id}/threads/archived/public',
    ),
    detail:
      'After a lost response, Fanfare finds the message by its nonce, and later by its content. A message of a `sender` is found by the name and the content, because Discord keeps no nonce of a webhook. In a forum, a message creates a post, which Fanfare finds by its content.',
  },
  edit: {
    ...native('PATCH /channels/{id}/messages/{id}', 'GET /channels/{id}/messages/{id}', 'GET /channels/{id}', 'PATCH /channels/{id}'),
    detail:
      'Only messages of the bot. Messages older than an hour are edited at most once a minute, and less often with age. An archived thread is open during the edit, and stays open if no person archived it.',
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
  editChannel: {
    ...native('PATCH /channels/{id}', 'GET /channels/{id}', 'GET /guilds/{id}/channels'),
    detail: 'Requires the permission to manage the channel. At most two changes in ten minutes; of waiting changes, the last one is sent.',
  },
  editThread: {
    ...native('PATCH /channels/{id}', 'GET /channels/{id}', 'GET /guilds/{id}/channels'),
    detail: 'Threads of other users, and locking, require the permission to manage threads.',
  },
  addRole: {
    ...native(
      'PUT /guilds/{id}/members/{id}/roles/{id}',
      'GET /guilds/{id}/members/search',
      'GET /guilds/{id}/members/{id}',
      'GET /users/{id}',
    ),
    detail: 'Requires the permission to manage roles, and a role of the bot above the role.',
  },
  removeRole: {
    ...native(
      'DELETE /guilds/{id}/members/{id}/roles/{id}',
      'GET /guilds/{id}/members/search',
      'GET /guilds/{id}/members/{id}',
      'GET /users/{id}',
    ),
    detail: 'Requires the permission to manage roles, and a role of the bot above the role.',
  },
  getMembers: {
    ...native('GET /guilds/{id}/members', 'GET /guilds/{id}/roles'),
    detail:
      'Requires the Server Members Intent of the application, and the Presence Intent for `status`. A page has up to 10,000 members of the server, with a request for each 1,000. Discord cannot filter by role, so Fanfare reads all members.',
  },
  createEvent: {
    ...native('POST /guilds/{id}/scheduled-events', 'GET /guilds/{id}/scheduled-events'),
    detail:
      'Requires the permission to create events. After a lost response, Fanfare finds the event in the list, by its creator and content.',
  },
  editEvent: {
    ...native('PATCH /guilds/{id}/scheduled-events/{id}'),
    detail: 'Events of other users require the permission to manage events.',
  },
  deleteEvent: {
    ...native('DELETE /guilds/{id}/scheduled-events/{id}'),
    detail: 'Events of other users require the permission to manage events.',
  },
  setStatus: {
    ...composed('GATEWAY update presence'),
    detail: 'Fanfare stores the status, and the bot sets it over the gateway. Without a gateway connection, no one sees it.',
  },
  getVoiceMembers: {
    ...composed('GET /guilds/{id}/members/{id}', 'GET /guilds/{id}/roles', 'GET /guilds/{id}/channels'),
    detail:
      'The voice states come over the gateway, and Fanfare stores them while a rule reads them. The profile of each member is one request. At most 100 members.',
  },
  ask: {
    ...composed('POST /channels/{id}/messages', 'POST /channels/{id}/threads'),
    detail: 'A message with buttons. The bot receives the answers over the gateway.',
  },
  answer: {
    ...native('PATCH /webhooks/{id}/{token}/messages/@original'),
    detail: 'Discord accepts an answer for 15 minutes. The bot shows “is thinking” at once, and the answer replaces it.',
  },
};
