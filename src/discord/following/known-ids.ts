import { isJsonObject, type JsonObject } from '#src/clients/operation/json.ts';
import type { ListEntry } from '#src/rules/lists.ts';
import { freeEntryId, sharesAccount } from '#src/rules/people/entry-account.ts';

/**
 * Gives each imported entry the id that its account has in the server, so that the account is not followed twice. Servers give ids by handles, so
 * the id of an export can be that of another streamer: such an entry gets a free id, and replaces nobody.
 */
export function withKnownIds(
  imported: Readonly<Record<string, JsonObject>>,
  known: readonly ListEntry[],
  platforms: readonly string[],
): Readonly<Record<string, JsonObject>> {
  const byId = new Map(known.map((entry) => [entry.id, entry]));
  const isOf = (entry: ListEntry, fields: JsonObject): boolean => sharesAccount(entry, { fields }, platforms);
  const used = new Set(
    Object.entries(imported).flatMap(([id, fields]) => {
      const entry = byId.get(id);
      return entry && (isOf(entry, fields) || !isOther(entry.fields, fields)) ? [id] : [];
    }),
  );
  const kept = new Set(used);

  function idFor(id: string, fields: JsonObject): string {
    if (kept.has(id)) return id;
    const same = known.find((entry) => !used.has(entry.id) && isOf(entry, fields));
    if (same) return same.id;
    if (!byId.has(id)) return id;
    const [[platform, user] = ['', undefined]] = Object.entries(idsOf(fields));
    return freeEntryId(
      { platform, id: typeof user === 'string' || typeof user === 'number' ? String(user) : '', handle: id },
      (one) => byId.has(one) || used.has(one) || Object.hasOwn(imported, one),
    );
  }

  return Object.fromEntries(
    Object.entries(imported).map(([id, fields]) => {
      const chosen = idFor(id, fields);
      used.add(chosen);
      return [chosen, fields];
    }),
  );
}

/** Whether two entries without a common account are two streamers. A person who writes an entry without ids of accounts means the entry with its id. */
function isOther(one: JsonObject, other: JsonObject): boolean {
  return [one, other].every((fields) => Object.keys(idsOf(fields)).length > 0);
}

function idsOf({ userIds }: JsonObject): JsonObject {
  return isJsonObject(userIds) ? userIds : {};
}
