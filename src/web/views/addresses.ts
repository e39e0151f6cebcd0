import { VIEW_PATHS } from './paths.ts';
import type { Address } from './view.ts';

/** The address of a view with a query. Absent and empty values are left out. */
export function addressWith(path: string, query: Readonly<Record<string, string | undefined>>): string {
  const values = Object.entries(query).flatMap(([name, value]) => (value === undefined || value === '' ? [] : [[name, value] as const]));
  const text = new URLSearchParams(Object.fromEntries(values)).toString();
  return text === '' ? path : `${path}?${text}`;
}

/** The title of a list with what its filters select, so that windows, tabs and the history of a browser differ. */
export function titleWith(title: string, filters: readonly (string | undefined)[]): string {
  const shown = filters.filter((filter) => filter !== undefined).join(', ');
  return shown === '' ? title : `${title}: ${shown}`;
}

/** How many rows are before the first one that an address shows. People edit addresses, so that any other value counts as absent. */
export function firstIn({ from = '' }: Address['query']): number {
  return /^\d{1,6}$/u.test(from) ? Number(from) : 0;
}

/** The address of the history of an item. */
export function addressOfItem(name: string): string {
  return addressWith(VIEW_PATHS.why, { q: name });
}

/** The address of a rule, also of a deleted one. */
export function addressOfRule(id: string): string {
  return VIEW_PATHS.rule.replace(':rule', encodeURIComponent(id));
}

/** The address of a list, of a Discord server or of the installation. `add`: names that a search should find. */
export function addressOfList(list: string, server?: string, add?: string): string {
  return addressWith(VIEW_PATHS.list.replace(':list', encodeURIComponent(list)), { server, add });
}

export function addressOfDelivery(id: string): string {
  return VIEW_PATHS.delivery.replace(':delivery', encodeURIComponent(id));
}
