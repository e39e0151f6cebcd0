import { isJsonObject, type Json, type JsonObject } from '#src/clients/operation/json.ts';
import type { Shape } from '#src/rules/shape/shape.ts';

/**
 * The fields that a write sets in its record, on which later steps depend: who can read it, and what an edit keeps. `edited`: the record
 * before an edit. A text that is the warning replaces it.
 */
export function writtenPart(shape: Shape, params: JsonObject, edited?: Json): JsonObject | undefined {
  if (shape.kind !== 'record') return undefined;
  const before: JsonObject = isJsonObject(edited) ? edited : {};
  const { text } = params;
  const warning = params['warning'] ?? before['warning'];
  const isText = typeof text === 'string' && text.trim() === warning;
  const part = {
    id: before['id'],
    url: before['url'],
    visibility: params['visibility'] ?? before['visibility'],
    text: shape.fields.has('visibility') && typeof text === 'string' ? text : undefined,
    warning: isText ? undefined : warning,
    replyTo: typeof params['replyTo'] === 'string' ? { postId: params['replyTo'] } : before['replyTo'],
  };
  const known = Object.entries(part).filter(([name, value]) => value !== undefined && shape.fields.has(name));
  return known.length === 0 ? undefined : Object.fromEntries(known);
}
