/** Discord's bits of the permissions that make members moderators. */
const MODERATOR_PERMISSIONS = Object.values({
  kickMembers: 1n << 1n,
  banMembers: 1n << 2n,
  administrator: 1n << 3n,
  manageChannels: 1n << 4n,
  manageServer: 1n << 5n,
  manageMessages: 1n << 13n,
  mentionEveryone: 1n << 17n,
  muteMembers: 1n << 22n,
  deafenMembers: 1n << 23n,
  moveMembers: 1n << 24n,
  manageNicknames: 1n << 27n,
  manageRoles: 1n << 28n,
  manageWebhooks: 1n << 29n,
  manageThreads: 1n << 34n,
  timeOutMembers: 1n << 40n,
  // Discord took both out of Manage Messages in February 2026: https://github.com/discord/discord-api-docs/pull/8002
  pinMessages: 1n << 51n,
  bypassSlowmode: 1n << 52n,
}).reduce((all, bit) => all | bit, 0n);

/** Whether a role with these permissions, in Discord's bits, makes its members moderators. */
export function makesModerators(permissions: string): boolean {
  return (BigInt(permissions) & MODERATOR_PERMISSIONS) !== 0n;
}
