import { isJsonList, isJsonObject, type Json } from '#src/operation/json.ts';
import type { ServerKind } from './kinds.ts';

/** What came with version 4.4 and later. */
const YOUNG = new Set(['quote', 'quotes_count', 'quote_approval', 'quote_approval_policy', 'quoted_status_id']);
const INSTANT = /^(\d{4}-\d\d-\d\d)T(\d\d:\d\d:\d\d)\.\d+Z$/;

/**
 * An answer as a kind of server gives it: an older one knows nothing of quotes; one by others has null where a list is
 * empty, and instants without `T` and zone.
 */
export function spoken(body: Json, kind: ServerKind): Json {
  if (kind === '4.6') return body;
  if (isJsonList(body)) return body.map((item) => spoken(item, kind));
  if (!isJsonObject(body)) return body;
  const entries = Object.entries(body).filter(([name]) => !YOUNG.has(name));
  return Object.fromEntries(entries.map(([name, value]) => [name, value === undefined ? undefined : valueOf(name, value, kind)]));
}

function valueOf(name: string, value: Json, kind: ServerKind): Json {
  if (kind === 'bare' && isJsonList(value) && value.length === 0) return null;
  if (kind === 'bare' && typeof value === 'string' && name.endsWith('_at')) return value.replace(INSTANT, '$1 $2');
  return spoken(value, kind);
}
