import type { Catalogue } from '#src/clients/operation/declared.ts';
import { isJsonObject, type Json } from '#src/clients/operation/json.ts';
import type { Path } from '#src/rules/document/report.ts';
import { keysOf, shapeOf } from '#src/rules/shape/shape.ts';
import { valueAt } from './json-path.ts';

/** The hint for an unknown key of `when` or of a step that is a parameter of its operation; undefined: it is none. */
export function misplacedHint(path: Path, value: Json | undefined, catalogue: Catalogue): string | undefined {
  const holder = valueAt(value, path.slice(0, -1));
  if (!isJsonObject(holder)) return undefined;
  const verb = holder['do'] ?? holder['watch'];
  const declared = typeof verb === 'string' ? catalogue.get(verb) : undefined;
  const name = String(path.at(-1));
  return declared && keysOf(shapeOf(declared.params)).includes(name) ? `write it in with: { ${name}: … }` : undefined;
}

/** Names that other tools have for parameters, with the names of Fanfare in the order in which they fit. */
const SYNONYMS: ReadonlyMap<string, readonly string[]> = new Map([
  ['text', ['content']],
  ['message', ['content', 'text']],
  ['body', ['content', 'text']],
  ['status', ['text']],
  ['content', ['text']],
  ['ping', ['mention']],
  ['pings', ['mention']],
  ['role', ['mention']],
  ['roles', ['mention']],
  ['image', ['files', 'media']],
  ['images', ['files', 'media']],
  ['picture', ['files', 'media']],
  ['pictures', ['files', 'media']],
  ['media', ['files']],
  ['attachments', ['files', 'media']],
  ['username', ['user']],
  ['channels', ['users']],
  ['streamers', ['users']],
  ['period', ['sort']],
]);

/** The parameter of an operation that users expect under this name; undefined without one. */
export function synonymOf(name: string, known: readonly string[]): string | undefined {
  return SYNONYMS.get(name.toLowerCase())?.find((one) => known.includes(one));
}
