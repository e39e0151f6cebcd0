import type { Actions } from '#src/admin/actions/actions.ts';
import type { FoundStreamer } from '#src/admin/queries/find-streamers.ts';
import type { ServerSettings } from '#src/admin/servers/server-store.ts';
import { FOLLOWED, type ListEntry } from '#src/rules/lists.ts';
import { hasAccount } from '#src/rules/people/entry-account.ts';
import { memberActor } from '#src/discord/actor.ts';
import { requireServer, type Caller } from '#src/discord/caller.ts';
import { shown, targetOf } from './followed-list.ts';

type FoundUser = Extract<FoundStreamer, { readonly kind: 'found' }>;

/** The accounts of one person. */
export type Person = readonly [FoundUser, ...FoundUser[]];

interface KnownPerson {
  readonly person: Person;
  readonly entry: ListEntry;
}

/** Separates new people from those whom a server follows. An account counts once, even if several names of a command mean it. */
export function splitKnown(
  people: readonly Person[],
  entries: readonly ListEntry[],
): { readonly added: readonly Person[]; readonly known: readonly KnownPerson[] } {
  const seen = new Set<string>();
  const added: Person[] = [];
  const known: KnownPerson[] = [];
  for (const person of people) {
    const keys = person.map(({ platform, user }) => `${platform}/${user.id}`);
    if (keys.some((key) => seen.has(key))) continue;
    for (const key of keys) seen.add(key);
    const entry = entries.find((one) => person.some(({ user }) => hasAccount(one, user)));
    if (entry) known.push({ person, entry });
    else added.push(person);
  }
  return { added, known };
}

/** The lines about people whom a server follows, with the channel: the options of the command do not change their entries. Stores the new names of renamed accounts. */
export async function knownLines(
  known: readonly KnownPerson[],
  settings: ServerSettings | undefined,
  caller: Caller,
  { controls }: { readonly controls: Pick<Actions, 'changeListEntry'> },
): Promise<readonly string[]> {
  const { following: texts } = caller.texts;
  const lines: string[] = [];
  for (const { person, entry } of known) {
    const renamed = person.flatMap(({ platform, user }) => {
      const before = entry.fields[platform];
      return typeof before === 'string' && hasAccount(entry, user) && before.toLowerCase() !== user.handle.toLowerCase()
        ? [{ platform, before, user }]
        : [];
    });
    const [{ user }] = renamed[0] ? [renamed[0]] : person;
    if (renamed.length > 0) {
      const fields = { ...Object.fromEntries(renamed.map((one) => [one.platform, one.user.handle])), name: user.displayName };
      await controls.changeListEntry({ list: FOLLOWED, server: requireServer(caller), entry: entry.id, fields }, memberActor(caller));
      lines.push(...renamed.map(({ before, user: { handle } }) => texts.renamed(shown(before), shown(handle))));
    }
    const { channel } = targetOf(entry.fields, settings);
    lines.push(texts.known(shown(user.displayName), channel === undefined ? '–' : `<#${channel}>`));
  }
  return lines;
}
