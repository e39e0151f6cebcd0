import { hash } from '#src/rules/firing.ts';
import { restrictionOf, type Restriction } from '#src/clients/operation/audience.ts';
import { isJsonList, isJsonObject, type Json, type JsonObject } from '#src/clients/operation/json.ts';

/** A record that not everyone can read, with what decides who may read a copy of it. */
export interface Origin {
  readonly restriction: Restriction;
  readonly platform?: string | undefined;
  readonly id?: string | undefined;
  readonly url?: string | undefined;
  /** Ids and handles of the people who know the record: its author, or both sides of a conversation. */
  readonly people?: readonly string[] | undefined;
  /** The id of the group whose members know the record. */
  readonly group?: string | undefined;
}

/** A firing that reads more restricted records gets one origin for all others, which nothing can address. */
const MOST_ORIGINS = 20;

/** The records in a value that not everyone can read. */
export function originsIn(value: Json | undefined): readonly Origin[] {
  if (isJsonList(value)) return value.flatMap(originsIn);
  if (!isJsonObject(value)) return [];
  const restriction = restrictionOf(value);
  // Everything in a restricted record is as restricted.
  if (restriction !== undefined) return [toOrigin(value, restriction)];
  const origins: Origin[] = [];
  for (const key of Object.keys(value)) {
    const part = value[key];
    if (typeof part === 'object' && part !== null) origins.push(...originsIn(part));
  }
  return origins;
}

/** Whether a value has its own audience instead of the audience of its list. */
export function hasAudience(value: Json): boolean {
  if (!isJsonObject(value)) return false;
  const { visibility, kind, item = null } = value;
  return typeof visibility === 'string' || (typeof kind === 'string' && hasAudience(item));
}

/** Whether two origins are the same record. */
export function isSameOrigin(one: Origin, other: Origin): boolean {
  return one.id !== undefined && one.id === other.id && one.platform === other.platform;
}

/** Each origin once, and at most as many as a delivery stores. */
export function mergeOrigins(origins: readonly Origin[]): readonly Origin[] {
  const merged: Origin[] = [];
  for (const origin of origins) {
    if (merged.some((other) => isSameOrigin(origin, other))) continue;
    if (merged.length === MOST_ORIGINS) return [...merged, { restriction: 'direct' }];
    merged.push(origin);
  }
  return merged;
}

/** A name that only records with the same readers share. */
export function readersKey(origins: readonly Origin[]): string {
  const keys = origins.map(({ restriction, platform, id, people = [] }) =>
    [restriction, platform ?? '', ...(people.length > 0 ? people : [id ?? ''])].join(),
  );
  return hash(...new Set(keys.toSorted()));
}

function toOrigin(record: JsonObject, restriction: Restriction): Origin {
  const { platform, id, url, author, sender, kind, participants, conversationId } = record;
  const isConversation = isJsonList(participants);
  const isGroup = isConversation && kind === 'group';
  const people = isConversation ? (isGroup ? [] : participants) : [author, sender];
  return {
    restriction,
    platform: textOf(platform),
    id: textOf(id),
    url: textOf(url),
    people: people.flatMap(namesOf),
    group: isGroup ? textOf(id) : textOf(conversationId),
  };
}

function namesOf(person: Json | undefined): readonly string[] {
  return isJsonObject(person) ? [person['id'], person['handle']].filter((name) => typeof name === 'string') : [];
}

function textOf(value: Json | undefined): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
