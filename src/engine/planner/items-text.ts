import { hash } from 'node:crypto';
import type { Item, Poll } from '#src/rules/poll.ts';

/** The items of a poll as JSON, and a digest that is the same if only the time of the poll differs. */
interface ItemsText {
  readonly digest: string;
  toText(): string;
}

// All rules with a query get the same list, and the recording has it too. The text is long, so it is not kept.
const digests = new WeakMap<readonly Item[], string>();

/** The text of a list. A list must not change. */
export function itemsText(items: readonly Item[]): ItemsText {
  const known = digests.get(items);
  if (known !== undefined) return { digest: known, toText: () => JSON.stringify(items) };
  const text = JSON.stringify(items);
  const digest = hash('sha256', withoutInstants(text), 'base64url');
  digests.set(items, digest);
  return { digest, toText: () => text };
}

/** A text that is the same for polls that differ only in their time; undefined for a failed poll. */
export function pollDigest(poll: Poll): string | undefined {
  if ('failure' in poll) return undefined;
  const { items, ...rest } = poll;
  return `${itemsText(items).digest} ${JSON.stringify(rest)}`;
}

/** The time of a poll appears in its items and in the addresses of their pictures, though nothing else differs. */
const FETCHED_AT = '"fetchedAt":"';
const ISO_INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/u;
const INSTANT_LENGTH = '2026-11-20T18:00:00.000Z'.length;

/** A result without the times of its poll. */
function withoutInstants(text: string): string {
  const instants = instantsIn(text);
  if (instants.length === 0) return text;
  // One pass, because the text is long.
  return text.replaceAll(new RegExp(instants.flatMap((at) => [at, String(Date.parse(at))]).join('|'), 'gu'), '');
}

/** A result as if its poll had been `ms` later. */
export function laterBy(ms: number, text: string): string {
  if (ms === 0) return text;
  return instantsIn(text).reduce((later, at) => {
    const atMs = Date.parse(at);
    return later.replaceAll(at, new Date(atMs + ms).toISOString()).replaceAll(String(atMs), String(atMs + ms));
  }, text);
}

/** The latest first, so that a replaced instant does not match a later one. */
function instantsIn(text: string): readonly string[] {
  const found = new Set<string>();
  let last = '';
  for (let at = text.indexOf(FETCHED_AT); at >= 0; at = text.indexOf(FETCHED_AT, at + 1)) {
    const start = at + FETCHED_AT.length;
    // Most items have the same instant.
    if (last !== '' && text.startsWith(last, start)) continue;
    const instant = text.slice(start, start + INSTANT_LENGTH);
    if (!ISO_INSTANT.test(instant)) continue;
    last = instant;
    found.add(instant);
  }
  return [...found].toSorted((one, other) => Date.parse(other) - Date.parse(one));
}
