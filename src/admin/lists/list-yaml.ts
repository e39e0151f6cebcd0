import { Document, visit } from 'yaml';
import type { JsonObject } from '#src/clients/operation/json.ts';

/** The YAML text of a list, as a list file has it. Reading it gives the same entries. */
export function listYaml(entries: Iterable<readonly [id: string, fields: JsonObject]>): string {
  const sorted = [...entries].toSorted(([a], [b]) => (a < b ? -1 : 1));
  const document = new Document(new Map(sorted), { aliasDuplicateObjects: false });
  visit(document, {
    Scalar(_, scalar) {
      // The library writes blank texts as blocks, which lose their first spaces.
      if (typeof scalar.value === 'string' && scalar.value.trim() === '') scalar.type = 'QUOTE_DOUBLE';
    },
  });
  return document.toString({ lineWidth: 0 });
}
