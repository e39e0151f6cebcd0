import { folded } from '#src/rules/evaluate/items/item-names.ts';
import { partlyFailedOf } from '#src/rules/evaluate/effects/partly-failed.ts';
import { entryNames } from '#src/rules/people/index-people.ts';
import type { PartError } from '#src/rules/poll.ts';
import type { PartlyFailed } from '#src/rules/reasons/reason.ts';
import type { Watched } from '#src/rules/rule.ts';

/** The names under which a rule reads a person, by account; undefined: its list does not have the person. `wanted`: a folded id or name. */
export function namesOfPerson({ people }: Watched, wanted: string): ReadonlyMap<string, readonly string[]> | undefined {
  const found = (people?.index?.entries ?? []).flatMap((entry) => {
    const names = entryNames(entry, people?.platforms ?? {});
    const isWanted = [entry.id, ...Object.values(names).flat()].some((name) => folded(name) === wanted);
    return isWanted ? Object.entries(names) : [];
  });
  if (found.length === 0) return undefined;
  const byAccount = Map.groupBy(found, ([account]) => account);
  return new Map([...byAccount].map(([account, some]) => [account, some.flatMap(([, names]) => names)]));
}

/** The reason why a poll did not read a person; undefined: it did. */
export function unreadOf(
  errors: readonly PartError[] | undefined,
  person: ReadonlyMap<string, readonly string[]>,
): PartlyFailed | undefined {
  return partlyFailedOf(
    errors?.flatMap(({ names, ...part }) => {
      const its = (names ?? []).filter((name) => person.get(part.account)?.includes(name));
      return its.length > 0 ? [{ ...part, names: its }] : [];
    }),
  );
}
