import { isJsonList, isJsonObject, type Json } from '#src/clients/operation/json.ts';
import type { Path } from '#src/rules/document/report.ts';

/** The value at a path; undefined if there is none. */
export function valueAt(value: Json | undefined, path: Path): Json | undefined {
  let current = value;
  for (const part of path) {
    if (isJsonList(current)) current = current[Number(part)];
    else if (isJsonObject(current) && Object.hasOwn(current, part)) current = current[part];
    else return undefined;
  }
  return current;
}

/** A copy without the value at the path. Indexes of lists do not change. */
export function withoutAt(value: Json | undefined, [part, ...rest]: Path): Json | undefined {
  if (part === undefined) return undefined;
  if (isJsonList(value)) return value.map((one, index) => (index === part ? (withoutAt(one, rest) ?? null) : one));
  return mapFields(value, (key, one) => (key === part ? withoutAt(one, rest) : one));
}

/** The value with another part at a path. */
export function withValueAt(value: Json | undefined, [part, ...rest]: Path, by: Json): Json | undefined {
  if (part === undefined) return by;
  if (isJsonList(value)) return value.map((one, index) => (index === part ? (withValueAt(one, rest, by) ?? null) : one));
  return mapFields(value, (key, one) => (key === part ? withValueAt(one, rest, by) : one));
}

/** A copy of a map with changed fields, without those that become undefined. Other values stay. */
export function mapFields(value: Json | undefined, change: (key: string, value: Json | undefined) => Json | undefined): Json | undefined {
  if (!isJsonObject(value)) return value;
  const fields = Object.entries(value).map(([key, one]) => [key, change(key, one)] as const);
  return Object.fromEntries(fields.filter(([, one]) => one !== undefined));
}

/** A copy with every text changed. In a list, null stands for a text that becomes undefined. */
export function mapTexts(value: Json | undefined, path: Path, change: (text: string, path: Path) => Json | undefined): Json | undefined {
  if (typeof value === 'string') return change(value, path);
  if (isJsonList(value)) return value.map((one, index) => mapTexts(one, [...path, index], change) ?? null);
  return mapFields(value, (key, one) => mapTexts(one, [...path, key], change));
}

/** A copy with another value in the place of the text at a path. */
export function withTextReplaced(value: Json | undefined, path: Path, by: Json): Json | undefined {
  const name = path.join('\0');
  return mapTexts(value, [], (text, at) => (at.join('\0') === name ? by : text));
}

/** A text in a value, and its path. */
export interface PlacedText {
  readonly path: Path;
  readonly text: string;
}

export function textsIn(value: Json | undefined): readonly PlacedText[] {
  const texts: PlacedText[] = [];
  mapTexts(value, [], (text, path) => {
    texts.push({ path, text });
    return text;
  });
  return texts;
}
