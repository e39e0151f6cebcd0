import { findStreamers, readNames, type TypedName } from '#src/admin/queries/find-streamers.ts';
import { UserError } from '#src/errors.ts';
import type { ListEntry } from '#src/rules/lists.ts';
import { hasAccount } from '#src/rules/people/entry-account.ts';
import type { Caller } from '#src/discord/caller.ts';
import { settlesWithin } from '#src/clock.ts';
import { SOON_MS } from '#src/discord/reply.ts';
import { MOST_NAMES, platformsOf, type FollowingParts } from './follow.ts';
import { handlesOf, shown } from './followed-list.ts';

type NamingParts = Pick<FollowingParts, 'streaming' | 'limitNames' | 'clock'>;

/**
 * The entries that typed names mean: by id, by handle, or by the link of a channel. A name that no entry has, or several have, is looked up:
 * entries keep the handles of the time at which they were added.
 */
export async function entriesNamed(
  text: string,
  entries: readonly ListEntry[],
  caller: Caller,
  parts: NamingParts,
): Promise<readonly ListEntry[]> {
  const { following } = caller.texts;
  const exact = entries.find(({ id }) => id === text.trim());
  if (exact) return [exact];
  const names = readNames(text);
  if (names.length === 0) throw new UserError(following.noNames);
  if (names.length > MOST_NAMES) throw new UserError(following.tooMany(MOST_NAMES));
  const platforms = platformsOf(parts);
  const stored = names.map((name) => entriesWithName(name, entries, platforms));
  const open = names.filter((_, index) => stored[index]?.length !== 1);
  parts.limitNames(open.length, caller);
  const lookedUp = open.length === 0 ? new Map<TypedName, ListEntry>() : await entriesOfAccounts(open, entries, caller, parts);
  return names.map((name, index) => {
    const found = lookedUp.get(name) ?? stored[index]?.[0];
    if (!found) throw new UserError(`${following.notFollowed(shown(name.typed))}${names.length > 1 ? ` ${following.nothingChanged}` : ''}`);
    return found;
  });
}

/** The one entry that a typed name means. */
export async function entryNamed(text: string, entries: readonly ListEntry[], caller: Caller, parts: NamingParts): Promise<ListEntry> {
  const [entry, ...others] = new Set(await entriesNamed(text, entries, caller, parts));
  if (!entry || others.length > 0) throw new UserError(caller.texts.following.oneName);
  return entry;
}

function entriesWithName(name: TypedName, entries: readonly ListEntry[], platforms: readonly string[]): readonly ListEntry[] {
  const byId = name.platform === undefined ? entries.filter(({ id }) => id === name.handle) : [];
  if (byId.length > 0) return byId;
  return entries.filter((entry) =>
    handlesOf(entry, name.platform === undefined ? platforms : [name.platform]).some(([, handle]) => handle.toLowerCase() === name.handle),
  );
}

/** Platforms that answer too late for the first response to an interaction find nothing. */
async function entriesOfAccounts(
  names: readonly TypedName[],
  entries: readonly ListEntry[],
  { signal }: Caller,
  { streaming, clock }: NamingParts,
): Promise<ReadonlyMap<TypedName, ListEntry>> {
  const finding = findStreamers(names, { streaming, signal });
  if (!(await settlesWithin(finding, SOON_MS, clock))) return new Map();
  return new Map(
    (await finding).flatMap((one) => {
      const accounts = one.kind === 'found' ? [one] : one.kind === 'ambiguous' ? one.accounts : [];
      const entry = entries.find((other) => accounts.some(({ user }) => hasAccount(other, user)));
      return entry ? [[one.name, entry] as const] : [];
    }),
  );
}
