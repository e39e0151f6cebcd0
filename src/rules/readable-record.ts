import { restrictionOf, type Restriction } from '#src/clients/operation/audience.ts';
import { isJsonList, isJsonObject, type Json, type JsonObject } from '#src/clients/operation/json.ts';

/** A record without the parts that a rule leaves out, or why the rule leaves out the whole record. */
type Readable = { readonly record: JsonObject } | { readonly restriction: Restriction };

/** A record as a rule sees it: `include` are the restricted audiences that count. A thread has the audience of its first post, and its replies count alone. */
export function readableRecord(record: JsonObject, include: readonly Restriction[] = []): Readable {
  const { root, replies } = record;
  const restriction = excludedBy(isJsonObject(root) ? root : record, include);
  if (restriction !== undefined) return { restriction };
  if (!isJsonObject(root) || !isJsonList(replies)) return { record };
  const shown = replies.filter((reply) => excludedBy(postOf(reply), include) === undefined);
  return { record: shown.length === replies.length ? record : { ...record, replies: shown } };
}

function excludedBy(record: JsonObject, include: readonly Restriction[]): Restriction | undefined {
  const restriction = restrictionOf(record);
  return restriction !== undefined && !include.includes(restriction) ? restriction : undefined;
}

function postOf(reply: Json): JsonObject {
  return isJsonObject(reply) && isJsonObject(reply['post']) ? reply['post'] : {};
}
