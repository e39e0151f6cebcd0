import type { Json, JsonObject } from '#src/clients/operation/json.ts';

/** The placeholders of the field `message`. */
const PLACEHOLDERS: readonly string[] = ['name', 'title', 'game', 'url'];
export const COLOR = /^#[0-9a-f]{6}$/iu;
/** Without quotes, YAML and JSON have numbers for the ids of Discord. Numbers that are not exact are refused in all lists. */
const TEXTS: readonly string[] = ['channel', 'ping', 'member', 'liveRole', 'message', 'name', 'only'];
const FLAGS: readonly string[] = ['paused', 'deleteAfter'];

/** What is wrong with a field of a followed streamer. */
export interface FollowedMistake {
  readonly kind: 'wrongColor' | 'unknownPlaceholder' | 'noText' | 'noFlag';
  readonly field: string;
  /** The unknown placeholder, without braces. */
  readonly found: string;
}

/** The fields of an entry of the list `followed` with which its rule could not announce a stream. Null removes a field. */
export function followedMistakes(fields: JsonObject): readonly FollowedMistake[] {
  return Object.entries(fields).flatMap(([field, value]): readonly FollowedMistake[] => {
    const kind = value === undefined || value === null ? undefined : kindOf(field, value);
    if (kind !== undefined) return [{ kind, field, found: '' }];
    const found = field === 'message' && typeof value === 'string' ? unknownPlaceholder(value) : undefined;
    return found === undefined ? [] : [{ kind: 'unknownPlaceholder', field, found }];
  });
}

function kindOf(field: string, value: Json): FollowedMistake['kind'] | undefined {
  if (field === 'color') return isColor(value) ? undefined : 'wrongColor';
  if (FLAGS.includes(field)) return typeof value === 'boolean' ? undefined : 'noFlag';
  if (TEXTS.includes(field)) return typeof value === 'string' || typeof value === 'number' ? undefined : 'noText';
  return undefined;
}

function isColor(color: Json): boolean {
  if (typeof color === 'number') return Number.isInteger(color) && color >= 0 && color <= 0xffffff;
  return typeof color === 'string' && COLOR.test(color);
}

function unknownPlaceholder(message: string): string | undefined {
  return [...message.matchAll(/\{(\w*)\}/gu)].map(([, name = '']) => name).find((name) => !PLACEHOLDERS.includes(name));
}

/** The message of a mistake, and what to do. */
export function formatFollowedMistake({ kind, field, found }: FollowedMistake): { readonly message: string; readonly hint: string } {
  switch (kind) {
    case 'wrongColor':
      return { message: `${field} is not a color`, hint: 'write six hexadecimal digits in quotes, for example "#9146ff"' };
    case 'unknownPlaceholder':
      return { message: `${field} has the unknown placeholder {${found}}`, hint: 'use {name}, {title}, {game} and {url}' };
    case 'noFlag':
      return { message: `${field} is neither true nor false`, hint: 'write true or false, without quotes' };
    default:
      return { message: `${field} is not a text`, hint: 'write one text in quotes' };
  }
}

/** The fields, with numbers as text where the rule and Discord expect text. */
export function withTexts(fields: JsonObject): JsonObject {
  const numbers = Object.entries(fields).flatMap(([field, value]) =>
    TEXTS.includes(field) && typeof value === 'number' ? [[field, String(value)] as const] : [],
  );
  return numbers.length === 0 ? fields : { ...fields, ...Object.fromEntries(numbers) };
}
