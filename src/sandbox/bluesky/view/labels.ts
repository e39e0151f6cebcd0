import type { JsonObject } from '#src/operation/json.ts';
import type { NamedRecord } from '../repo/derived.ts';
import { objectsAt, textAt } from '../repo/references.ts';

/** What the author of a record says of it, as labels. */
export function selfLabels(
  { uri, cid, record }: NamedRecord,
  { did, atMs }: { readonly did: string; readonly atMs: number },
): readonly JsonObject[] {
  const cts = new Date(atMs).toISOString();
  return objectsAt(record, 'labels', 'values').flatMap((label) => {
    const val = textAt(label, 'val');
    return val === undefined ? [] : [{ src: did, uri, cid, val, cts }];
  });
}
