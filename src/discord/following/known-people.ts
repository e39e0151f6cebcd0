import type { ActionInput } from '#src/admin/actions/declarations.ts';
import type { FoundStreamer } from '#src/admin/queries/find-streamers.ts';
import type { ServerSettings } from '#src/admin/servers/server-store.ts';
import { isJsonObject, type JsonObject } from '#src/clients/operation/json.ts';
import type { ListEntry } from '#src/rules/lists.ts';
import { hasAccount } from '#src/rules/people/entry-account.ts';
import type { Caller } from '#src/discord/caller.ts';
import { titleOf } from '#src/discord/lookups/accounts.ts';
import type { FollowOptions } from './choose-platform.ts';
import { channelText, isPaused, nameOf, shown, targetOf } from './followed-list.ts';

type FoundUser = Extract<FoundStreamer, { readonly kind: 'found' }>;

/** The accounts of one person. */
export type Person = readonly [FoundUser, ...FoundUser[]];

/** A change of an entry, which is stored together with new entries. */
type Change = NonNullable<ActionInput<'addListEntries'>['changes']>[number];

interface KnownPerson {
  readonly person: Person;
  readonly entry: ListEntry;
  /** The accounts that the entry gets. */
  readonly joined: readonly FoundUser[];
}

/**
 * Separates new people from those whom a server follows. An account counts once, even if several names of a command mean it. A further account of
 * a member belongs to the member's entry: with two entries, the end of one stream would take the live role of the other.
 */
export function splitKnown(
  people: readonly Person[],
  entries: readonly ListEntry[],
  { member, channel, ping, only }: FollowOptions,
): { readonly added: readonly Person[]; readonly known: readonly KnownPerson[] } {
  const seen = new Set<string>();
  const added: Person[] = [];
  const known: KnownPerson[] = [];
  // Other options ask for a card in addition.
  const isSameCard = [channel, ping, only].every((option) => option === undefined);
  // Several names may mean one entry, or be on one platform.
  const now = new Map(entries.map((entry) => [entry.id, entry]));
  const all = (): readonly ListEntry[] => [...now.values()];
  const join = (person: Person, entry: ListEntry, joined: readonly FoundUser[]): void => {
    known.push({ person, entry, joined });
    now.set(entry.id, { ...entry, fields: { ...entry.fields, ...joinedFields(joined, entry) } });
  };
  const isOfMember = ({ fields }: ListEntry): boolean => member !== undefined && isSameCard && fields['member'] === member;
  for (const person of people) {
    const keys = person.map(({ platform, user }) => `${platform}/${user.id}`);
    if (keys.some((key) => seen.has(key))) continue;
    for (const key of keys) seen.add(key);
    const followed = all().find((one) => person.some(({ user }) => hasAccount(one, user)));
    const ofMember = all().find(isOfMember);
    if (followed) {
      // Another entry may have one of the accounts: its stream would have two cards.
      const others = person.filter(({ user }) => !all().some((one) => hasAccount(one, user)));
      join(person, followed, joinedBy(others, followed));
    } else if (ofMember && joinedBy(person, ofMember).length === person.length) join(person, ofMember, person);
    else added.push(person);
  }
  return { added, known };
}

/** The fields of an entry that only some members may use. */
const CHOSEN = ['channel', 'ping', 'liveRole'];

/**
 * The accounts on platforms of which an entry has none. The id of an entry without ids of accounts may be a name. Not everyone who follows
 * streamers may ping the role of an entry or post in its channel, so an entry with one of them gets no further account.
 */
function joinedBy(person: readonly FoundUser[], { fields }: ListEntry): readonly FoundUser[] {
  const { userIds } = fields;
  if (!isJsonObject(userIds) || Object.keys(userIds).length === 0 || CHOSEN.some((field) => fields[field] !== undefined)) return [];
  return person.filter(({ platform }) => fields[platform] === undefined && userIds[platform] === undefined);
}

function joinedFields(joined: readonly FoundUser[], { fields: { userIds } }: ListEntry): JsonObject {
  if (joined.length === 0) return {};
  return {
    ...Object.fromEntries(joined.map(({ platform, user }) => [platform, user.handle])),
    userIds: { ...(isJsonObject(userIds) && userIds), ...Object.fromEntries(joined.map(({ platform, user }) => [platform, user.id])) },
  };
}

/**
 * The lines about people whom a server follows, with the channel: the options of the command do not change their entries. The changes are the new
 * names of renamed accounts, and accounts on further platforms.
 */
export function knownLines(
  known: readonly KnownPerson[],
  settings: ServerSettings | undefined,
  { texts: { following: texts } }: Pick<Caller, 'texts'>,
): { readonly lines: readonly string[]; readonly changes: Change[] } {
  const lines: string[] = [];
  const changes: Change[] = [];
  for (const { person, entry, joined } of known) {
    const renamed = person.flatMap(({ platform, user }) => {
      const before = entry.fields[platform];
      return typeof before === 'string' && hasAccount(entry, user) && before.toLowerCase() !== user.handle.toLowerCase()
        ? [{ platform, before, user }]
        : [];
    });
    const [{ user }] = renamed[0] ? [renamed[0]] : person;
    if (renamed.length > 0 || joined.length > 0) {
      const fields = {
        ...Object.fromEntries(renamed.map((one) => [one.platform, one.user.handle])),
        ...(renamed.length > 0 && { name: user.displayName }),
        ...joinedFields(joined, entry),
      };
      // Another member may have added an account at the same moment.
      const before = joined.length > 0 ? ['userIds', ...joined.map(({ platform }) => platform)] : [];
      const expected = Object.fromEntries(before.map((field) => [field, entry.fields[field] ?? null]));
      changes.push({ entry: entry.id, fields, expected });
      lines.push(...renamed.map(({ before, user: { handle } }) => texts.renamed(shown(before), shown(handle))));
    }
    const { channel } = targetOf(entry.fields, settings);
    const place = channelText(channel);
    if (joined.length > 0)
      lines.push(texts.joined(shown(nameOf(entry)), joined.map(({ platform }) => titleOf(platform)).join(', '), place));
    if (isPaused(entry)) lines.push(texts.streamerPaused(shown(joined.length > 0 ? nameOf(entry) : user.displayName)));
    else if (joined.length === 0) lines.push(texts.known(shown(user.displayName), place));
  }
  return { lines, changes };
}
