import type { JsonObject, Json } from '#src/clients/operation/json.ts';
import { conditionSource } from '#src/rules/expression/condition.ts';
import type { ExpressionSite } from '#src/rules/expression/expressions.ts';
import { keyReader } from '#src/rules/expression/item-key.ts';
import type { WhenDraft } from '#src/rules/grammar/rule-file.ts';
import { itemShape } from '#src/rules/shape/operation-shapes.ts';
import type { Shape } from '#src/rules/shape/shape.ts';
import type { CheckContext } from './check-context.ts';

/** The fields of items in an expression. */
const ITEM_FIELDS = /\bitem(?:\.\w+)+/gu;

/** Warns of a key that some items lack: it is empty, or its expression fails, if an item has no optional fields and short texts. */
export function checkMissingKey({ watch, key, where = '' }: WhenDraft, site: ExpressionSite, context: CheckContext): void {
  const { document, report, catalogue } = context;
  if (key === undefined || watch === undefined || report.hasErrorIn(['when', 'key'])) return;
  const { source } = conditionSource(key);
  // A `where` about the same field can exclude these items.
  if (source.match(ITEM_FIELDS)?.some((field) => where.includes(field))) return;
  const shape = itemShape(catalogue.get(watch));
  const [full, sparse] = [itemOf(shape, 'full'), itemOf(shape, 'sparse')];
  const read = keyReader(source, { site, catalogue });
  // An expression that also fails for a full item needs values that only the platform knows.
  if (!full || !sparse || read.key(full) === undefined || read.key(sparse) !== undefined) return;
  const failure = read.keyFailure?.(sparse);
  const cause = failure === undefined ? 'is empty' : `fails (${failure})`;
  const hasId = shape.kind === 'record' && shape.fields.has('id');
  const other = hasId ? 'item.id' : 'another field';
  const hint = failure === undefined ? `write either(${source}, ${other})` : `write a key that every item has, for example ${other}`;
  report.warning(document.locationOf(['when', 'key']), 'missing-key', `key ${cause} for some items, which are then left out`, hint);
}

type Completeness = 'full' | 'sparse';

function itemOf(shape: Shape, completeness: Completeness): JsonObject | undefined {
  if (shape.kind !== 'record') return undefined;
  const fields = [...shape.fields].filter(([name, { optional }]) => completeness === 'full' || !optional || isReference(name));
  return Object.fromEntries(fields.map(([name, field]) => [name, valueOf(field.shape, name, completeness)]));
}

function valueOf(shape: Shape, name: string, completeness: Completeness): Json {
  switch (shape.kind) {
    case 'text':
      return shape.choices?.[0] ?? (completeness === 'full' || isReference(name) ? LONG_TEXT : 'x');
    case 'whole':
    case 'number':
      return 1;
    case 'flag':
      return true;
    case 'instant':
      return '2026-01-01T00:00:00Z';
    case 'list':
      return completeness === 'full' ? [valueOf(shape.of, name, completeness)] : [];
    case 'record':
      return itemOf(shape, completeness) ?? {};
    case 'either':
      return shape.of[0] ? valueOf(shape.of[0], name, completeness) : {};
    case 'anything':
      return {};
  }
}

const LONG_TEXT = `https://example.com/a/b/${'c'.repeat(500)}`;

/** Ids and addresses are seldom missing and never short. */
function isReference(name: string): boolean {
  return /(?:id|url)$/iu.test(name);
}
