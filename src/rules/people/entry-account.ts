/** A channel of a streaming platform. */
interface Account {
  readonly platform: string;
  readonly id: string;
  readonly handle: string;
}

/** The fields of an entry. The page reads them from the API, so they may have any value. */
interface Entry {
  readonly fields: Readonly<Record<string, unknown>>;
}

/**
 * Whether an entry has an account. Rules watch the id of an entry before its handle, so the handle counts only without an id: people rename their
 * accounts, and platforms give an old handle to another person.
 */
export function hasAccount(entry: Entry, { platform, id, handle }: Account): boolean {
  return sharesAccount(entry, { fields: { [platform]: handle, userIds: { [platform]: id } } }, [platform]);
}

/** Whether two entries have the same account on one of the platforms. The handles count only if one of the entries has no id. */
export function sharesAccount({ fields: one }: Entry, { fields: other }: Entry, platforms: readonly string[]): boolean {
  return platforms.some((platform) => {
    const ids = [valueOf(one['userIds'], platform), valueOf(other['userIds'], platform)] as const;
    return ids.includes(undefined) ? isSame(valueOf(one, platform), valueOf(other, platform)) : isSame(...ids);
  });
}

function valueOf(fields: unknown, name: string): unknown {
  return typeof fields === 'object' && fields !== null && Object.hasOwn(fields, name) ? Reflect.get(fields, name) : undefined;
}

function isSame(one: unknown, other: unknown): boolean {
  return bare(one) !== '' && bare(one) === bare(other);
}

function bare(name: unknown): string {
  return typeof name === 'string' || typeof name === 'number' ? String(name).trim().replace(/^@/u, '').toLowerCase() : '';
}

/** An id for the entry of an account: its handle, or with the platform or the id of the account if another entry has that id. */
export function freeEntryId({ platform, id, handle }: Account, isTaken: (id: string) => boolean): string {
  const name = handle.toLowerCase();
  return [name, `${name}-${platform}`].find((one) => !isTaken(one)) ?? `${name}-${id}`;
}
