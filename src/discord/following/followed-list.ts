import { servedFields } from '#src/admin/lists/served-lists.ts';
import type { JsonObject } from '#src/clients/operation/json.ts';
import type { ServerSettings } from '#src/admin/servers/server-store.ts';
import type { ListEntry } from '#src/rules/lists.ts';
import { escaped } from '#src/discord/text/untrusted-text.ts';

/** Ids of Discord. A list from a file can have the names of channels and roles instead. */
export const ID = /^\d{15,20}$/u;
const NOT_HANDLES = new Set(['channel', 'ping', 'message', 'color', 'name', 'member', 'liveRole', 'only']);

/** The handles of an entry by platform. */
export function handlesOf(
  { fields }: Pick<ListEntry, 'fields'>,
  platforms: Iterable<string>,
): readonly (readonly [platform: string, handle: string])[] {
  return [...platforms].flatMap((platform) => {
    const handle = NOT_HANDLES.has(platform) ? undefined : fields[platform];
    return typeof handle === 'string' ? [[platform, handle] as const] : [];
  });
}

/** The name that people read. */
export function nameOf({ id, fields }: Pick<ListEntry, 'id' | 'fields'>): string {
  return typeof fields['name'] === 'string' ? fields['name'] : id;
}

/** Whether a moderator paused the announcements of an entry. */
export function isPaused({ fields }: Pick<ListEntry, 'fields'>): boolean {
  return fields['paused'] === true;
}

/** The channel and the role of an entry as its rule reads them. */
export function targetOf(
  fields: JsonObject,
  settings: Partial<ServerSettings> | undefined,
): { readonly channel: string | undefined; readonly ping: string | undefined } {
  const { channel, ping } = servedFields(fields, settings ?? {});
  return { channel: typeof channel === 'string' ? channel : undefined, ping: typeof ping === 'string' ? ping : undefined };
}

/** The channel of an entry in a text. */
export function channelText(channel: string | undefined): string {
  if (channel === undefined) return '–';
  return ID.test(channel) ? `<#${channel}>` : `#${shown(channel)}`;
}

/** The role that an entry pings in a text. */
export function pingText(ping: string): string {
  return ID.test(ping) ? `<@&${ping}>` : `@${shown(ping)}`;
}

/** The fields of a new entry. */
export function fieldsOf(
  accounts: readonly {
    readonly platform: string;
    readonly user: { readonly id: string; readonly handle: string; readonly displayName: string };
  }[],
  { channel, ping, member, only }: Readonly<Partial<Record<'channel' | 'ping' | 'member' | 'only', string | undefined>>> = {},
): JsonObject {
  const [first] = accounts;
  return {
    ...Object.fromEntries(accounts.map(({ platform, user }) => [platform, user.handle])),
    userIds: Object.fromEntries(accounts.map(({ platform, user }) => [platform, user.id])),
    ...(first && { name: first.user.displayName }),
    ...(channel !== undefined && { channel }),
    ...(ping !== undefined && { ping }),
    ...(member !== undefined && { member }),
    ...(only !== undefined && { only }),
  };
}

/** A name as text. */
export function shown(name: string): string {
  return escaped(name, 60);
}
