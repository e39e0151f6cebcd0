import type { AuditEntry } from '#src/admin/actions/audit-log.ts';
import { canonical, isJsonList, type JsonObject } from '#src/clients/operation/json.ts';
import type { Reader } from '#src/discord/caller.ts';

/** The start of the key of an item that is an entry of a list in a server. */
const OF_ENTRY = /^[^/]+\/\d{15,20}\//u;

/** What an action changed, as people name it: the ids of servers, deliveries, changes and tokens mean nothing to them. */
export function objectOf(
  { action, target, before = {}, after = {} }: Pick<AuditEntry, 'action' | 'target' | 'before' | 'after'>,
  serverNames: ReadonlyMap<string, string>,
  { texts: { alerts } }: Pick<Reader, 'texts'>,
): string {
  if (action === 'configureServer') {
    const changed = Object.keys(after).filter((key) => !isSame(before, after, key));
    const settings: Readonly<Record<string, string>> = alerts.settings;
    return joined(
      serverNames.get(target) ?? target,
      changed.map((key) => settings[key] ?? key),
    );
  }
  if (action === 'setValue') return joined(target, Object.keys(after));
  const { accounts } = after;
  if (isJsonList(accounts)) return accounts.filter((name) => typeof name === 'string').join(', ');
  const named = after['list'] ?? after['rule'] ?? before['name'] ?? target;
  const [{ item }, ids] = [after, after['ids']];
  return joined(
    typeof named === 'string' ? named : target,
    isJsonList(ids) ? ids : [typeof item === 'string' ? item.replace(OF_ENTRY, '') : item],
  );
}

function isSame(before: JsonObject, after: JsonObject, key: string): boolean {
  return canonical(before[key] ?? null) === canonical(after[key] ?? null);
}

function joined(object: string, parts: readonly unknown[]): string {
  const texts = parts.filter((part) => typeof part === 'string');
  return texts.length === 0 ? object : `${object}: ${texts.join(', ')}`;
}
