import type { Scope } from '#src/http/secrets/sign-in.ts';

/** The permission to list the followers of a channel. Its owner has it as a moderator. */
export const READ_FOLLOWERS = 'moderator:read:followers';
/** The permission to send messages in chats. */
export const WRITE_CHAT = 'user:write:chat';

/** The permissions that Fanfare asks a channel for, if rules use these operations. Only an operation that writes adds one. */
export function scopesFor(operations: ReadonlySet<string>): readonly Scope[] {
  return [
    { name: READ_FOLLOWERS, why: 'to read the newest followers and their number' },
    ...(operations.has('sendChatMessage') ? [{ name: WRITE_CHAT, why: 'to send messages in your chat' }] : []),
  ];
}

/** Whether an operation works only with the sign-in of a channel. */
export function needsChannel(operations: ReadonlySet<string>): boolean {
  return operations.has('getFollowers') || operations.has('sendChatMessage');
}
