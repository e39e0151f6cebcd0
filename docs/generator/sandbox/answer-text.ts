import { isJsonList, isJsonObject, type Json } from '#src/clients/operation/json.ts';

const INDENT = '  ';
/** A longer list is cut. */
const MOST_ITEMS = 2;
/** A value that is not longer is one line. */
const LINE_CHARACTERS = 100;

/** An answer as JSON with comments. Of long lists, it has the first items. Of an object, it has the fields in `shows`, such as `message.id`. */
export function answerText(answer: Json, shows?: readonly string[]): string {
  return textOf(answer, '', shows);
}

function textOf(value: Json, indent: string, shows?: readonly string[]): string {
  const line = JSON.stringify(value);
  if (!shows && !hasLongList(value) && line.length + indent.length <= LINE_CHARACTERS) return spaced(value);
  const inner = indent + INDENT;
  if (isJsonList(value)) {
    const parts = value.slice(0, MOST_ITEMS).map((item) => inner + textOf(item, inner));
    const rest = value.length - parts.length;
    return `[\n${parts.join(',\n')}${rest > 0 ? `\n${inner}// … ${rest} more` : ''}\n${indent}]`;
  }
  if (!isJsonObject(value)) return line;
  const fields = Object.entries(value).flatMap(([key, part]) => (part === undefined ? [] : [[key, part] as const]));
  const shown = fields.filter(([key]) => !shows || shows.some((path) => path === key || path.startsWith(`${key}.`)));
  const entries = shown.map(([key, part]) => {
    const below = shows?.flatMap((path) => (path.startsWith(`${key}.`) ? [path.slice(key.length + 1)] : []));
    return `${inner}${JSON.stringify(key)}: ${textOf(part, inner, below?.length ? below : undefined)}`;
  });
  const rest = fields.length > shown.length ? `\n${inner}// … more fields` : '';
  return `{\n${entries.join(',\n')}${rest}\n${indent}}`;
}

function hasLongList(value: Json): boolean {
  if (isJsonList(value)) return value.length > MOST_ITEMS || value.some(hasLongList);
  return isJsonObject(value) && Object.values(value).some((part) => part !== undefined && hasLongList(part));
}

/** JSON on one line with spaces. */
function spaced(value: Json): string {
  if (isJsonList(value)) return value.length === 0 ? '[]' : `[${value.map(spaced).join(', ')}]`;
  if (!isJsonObject(value)) return JSON.stringify(value);
  const entries = Object.entries(value).flatMap(([key, part]) => (part === undefined ? [] : [`${JSON.stringify(key)}: ${spaced(part)}`]));
  return entries.length === 0 ? '{}' : `{ ${entries.join(', ')} }`;
}
