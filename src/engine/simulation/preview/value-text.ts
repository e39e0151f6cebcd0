import { isJsonList, isJsonObject, type Json } from '#src/clients/operation/json.ts';

/** An empty value. */
const NONE = '–';

/** A parameter as people read it: `a.png (a door)` for a file, `options: Yes / No · durationMinutes: 60` for a poll. */
export function valueText(value: Json | undefined, separator = ', '): string {
  if (isJsonList(value)) return value.map((one) => valueText(one)).join(separator) || NONE;
  if (!isJsonObject(value)) return value === undefined || value === null ? NONE : String(value);
  const { path, url, altText } = value;
  const source = path ?? url;
  if (typeof source === 'string') return altText ? `${source} (${valueText(altText)})` : source;
  return (
    Object.entries(value)
      .map(([key, part]) => `${key}: ${valueText(part, ' / ')}`)
      .join(' · ') || NONE
  );
}
