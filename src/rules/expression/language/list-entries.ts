import { Optional } from '@marcbachmann/cel-js';
import { valueOf } from './operators.ts';
import { certain, isNode, walk, type CelType, type Node } from './tree.ts';

/** Makes the value that stands for a missing field; undefined: the field has no known kind. */
export type EmptyOf = (field: string) => unknown;

/** An entry of a list in an expression. A missing field is empty or absent, and `has()` is false for it. */
export class EntryFields extends Map<string, unknown> {
  readonly #emptyOf: EmptyOf;

  constructor(fields: readonly (readonly [string, unknown])[], emptyOf: EmptyOf) {
    super(fields);
    this.#emptyOf = emptyOf;
  }

  override get(name: string): unknown {
    return this.has(name) ? super.get(name) : (this.#emptyOf(name) ?? Optional.none());
  }
}

/**
 * Lets `.?` and `[?]` distinguish a missing field of an entry from an empty one. The library asks for the value of the field only. Call it
 * before the check.
 */
export function bindEntries(tree: Node, isEntry: (type: string) => boolean): void {
  walk(tree, (node) => {
    const [of, field]: readonly unknown[] = Array.isArray(node.args) ? node.args : [];
    if ((node.op !== '.?' && node.op !== '[?]') || !isNode(of)) return;
    const check = node.meta.check as (checker: unknown, node: Node, context: unknown) => CelType; // what the library calls
    node.setMeta('check', (checker: unknown, _node: Node, context: unknown) => {
      const type = check(checker, node, context);
      if (!isEntry(certain(of.checkedType)?.name ?? '')) return type;
      node.setMeta('evaluate', (evaluator, _access, scope) => {
        const entry = valueOf(of.evaluate(evaluator, of, scope));
        return fieldOf(entry, isNode(field) ? field.evaluate(evaluator, field, scope) : field);
      });
      // A number of an entry may be absent already.
      return type.valueType?.kind === 'optional' ? type.valueType : type;
    });
  });
}

function fieldOf(entry: unknown, field: unknown): Optional {
  if (!(entry instanceof EntryFields) || typeof field !== 'string' || !entry.has(field)) return Optional.none();
  return Optional.of(valueOf(entry.get(field)));
}
