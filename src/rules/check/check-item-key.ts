import { conditionSource } from '#src/rules/expression/condition.ts';
import type { ExpressionSite } from '#src/rules/expression/expressions.ts';
import { keyReader } from '#src/rules/expression/item-key.ts';
import type { WhenDraft } from '#src/rules/grammar/rule-file.ts';
import { itemShape } from '#src/rules/shape/operation-shapes.ts';
import { sampleRecord, type SampleStyle } from '#src/rules/shape/value-shape.ts';
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
  if (shape.kind !== 'record') return;
  const [full, sparse] = [sampleRecord(shape, FULL), sampleRecord(shape, SPARSE)];
  const read = keyReader(source, { site, catalogue });
  // An expression that also fails for a full item needs values that only the platform knows.
  if (read.key(full) === undefined || read.key(sparse) !== undefined) return;
  const failure = read.keyFailure?.(sparse);
  const cause = failure === undefined ? 'is empty' : `fails (${failure})`;
  const other = shape.fields.has('id') ? 'item.id' : 'another field';
  const hint = failure === undefined ? `write either(${source}, ${other})` : `write a key that every item has, for example ${other}`;
  report.warning(document.locationOf(['when', 'key']), 'missing-key', `key ${cause} for some items, which are then left out`, hint);
}

const LONG_TEXT = `https://example.com/a/b/${'c'.repeat(500)}`;

/** Items with all fields and long texts. */
const FULL: SampleStyle = { textOf: () => LONG_TEXT, hasElements: true, fieldsOf: ({ fields }) => [...fields] };

/** Items without optional fields and with short texts. */
const SPARSE: SampleStyle = {
  textOf: (name) => (isReference(name) ? LONG_TEXT : 'x'),
  hasElements: false,
  fieldsOf: ({ fields }) => [...fields].filter(([name, { optional }]) => !optional || isReference(name)),
};

/** Ids and addresses are seldom missing and never short. */
function isReference(name: string): boolean {
  return /(?:id|url)$/iu.test(name);
}
