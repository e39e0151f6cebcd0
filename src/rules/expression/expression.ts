import type { ParseResult } from '@marcbachmann/cel-js';
import type { Json } from '#src/clients/operation/json.ts';
import { literalOf } from './constraints.ts';
import type { IdleClause } from './decided-clauses.ts';
import { operatorError, toExpressionError, recordHint } from './diagnostics/type-errors.ts';
import { ExpressionError } from './expression-error.ts';
import { runError } from './diagnostics/run-errors.ts';
import { timeFieldError } from './diagnostics/time-fields.ts';
import { misspelledField, unknownField, unknownName } from './diagnostics/unknown-names.ts';
import type { Environment } from './language/environment.ts';
import { readCalendars } from './language/calendar.ts';
import { readCharacters } from './language/characters.ts';
import { readTexts, refuseFarTimestamps } from './language/times.ts';
import { bindEntries } from './language/list-entries.ts';
import { bindLookUps, namesOfId } from './language/lookups.ts';
import { meterLoops, refuse } from './language/limits.ts';
import { operateOnUnknown } from './language/operators.ts';
import { evaluatePartsOf } from './language/parts.ts';
import { isAuthorText, isOwnText, protectAuthorText } from './language/author-text.ts';
import { readsOf } from './reads.ts';
import {
  certain,
  fieldAccess,
  isLoop,
  loopOf,
  operandsOf,
  treeOf,
  typeOf,
  walk,
  written,
  type CelType,
  type Node,
} from './language/tree.ts';

/** The stored values of the names in an expression. */
export type Inputs = Readonly<Record<string, Json | undefined>>;

/** A checked expression. */
export interface Expression {
  readonly source: string;
  readonly tree: Node;
  readonly type: CelType;
  /** The hint if its value is a record and the site wants a scalar. */
  readonly recordHint: string | undefined;
  /** The names in it. */
  readonly names: ReadonlySet<string>;
  /** The results that it reads, for example `post`, `post.own` or `post.on.bluesky`, with their offsets. */
  readonly reads: ReadonlyMap<string, number>;
  /** The constants that it reads, for example `vars.least`. */
  readonly constants: ReadonlySet<string>;
  /** Fields that are probably misspelled, although entries of the list can have them. */
  readonly doubtfulFields: readonly IdleClause[];
  /** Whether the rule's author wrote every text that it can return. */
  readonly isAuthorText: boolean;
  /** Whether people of the community wrote it: the rule's author, or who edits its lists. */
  readonly isOwnText: boolean;
  /**
   * Evaluates it. Throws an `ExpressionError` if that fails.
   *
   * With `protectAuthorText`, placeholders stand for the signs of the author until `restoreAuthorText()`.
   */
  run(inputs: Inputs, options?: RunOptions): unknown;
  /** Returns a function that evaluates single parts of its tree. That function throws an `ExpressionError` if it fails. */
  partsOf(inputs: Inputs): (part: Node) => unknown;
}

interface RunOptions {
  readonly protectAuthorText?: boolean;
}

const MOST_CHARACTERS = 4_000;

/** Compiles and checks an expression. Throws an `ExpressionError`. */
export function compileExpression(source: string, environment: Environment): Expression {
  if (source.trim() === '') throw new ExpressionError('the expression is empty', { at: 0 });
  if (source.length > MOST_CHARACTERS) {
    throw new ExpressionError(`an expression has at most ${MOST_CHARACTERS} characters`, { at: MOST_CHARACTERS });
  }
  const { parsed, tree } = parse(source, environment);
  const names = new Set<string>();
  const lookUps = new Set<string>();
  const doubtfulFields: IdleClause[] = [];
  const elements = new Set<string>();
  walk(tree, (node) => {
    const { alternate } = node.meta;
    if (alternate && isLoop(alternate)) elements.add(loopOf(alternate).iterVarName);
    const access = fieldAccess(node);
    if (access) {
      assertField(access, { node, environment });
      doubtfulFields.push(...misspelledField(access, { at: node.pos, known: environment.known }));
    }
    if (!access && (node.op === '[]' || node.op === '[?]')) assertListed(node, environment);
    if (node.op === 'in') assertComparable(node, elements, environment);
    if (node.op === 'id') names.add(namesOfId(String(node.args))[0] ?? '');
    if (node.op === 'id' && environment.lookUps.has(String(node.args))) lookUps.add(String(node.args));
  });
  const { reads, constants } = readsOf(tree);
  const meter = meterLoops(tree);
  const readers = [...names].flatMap((name) => {
    const reader = environment.readers.get(name);
    return reader ? [{ name, reader }] : [];
  });
  operateOnUnknown(tree);
  readCalendars(tree);
  readCharacters(tree);
  readTexts(tree);
  refuseFarTimestamps(tree);
  let isProtecting = false;
  protectAuthorText(tree, () => isProtecting);
  // The other functions replace evaluations too, so this comes last.
  const evaluation = evaluatePartsOf(tree);

  return {
    source,
    tree,
    type: typeOf(tree),
    recordHint: recordHint(typeOf(tree), environment.known),
    names,
    doubtfulFields,
    reads,
    constants,
    isAuthorText: isAuthorText(tree),
    isOwnText: isOwnText(tree),
    run(inputs, { protectAuthorText: isProtected = false } = {}) {
      isProtecting = isProtected;
      return evaluate(() => read(inputs));
    },
    partsOf(inputs) {
      let context: Record<string, unknown> | undefined;
      return (part) => {
        isProtecting = false;
        evaluation.part = part;
        try {
          return evaluate(() => (context ??= read(inputs)));
        } finally {
          evaluation.part = tree;
        }
      };
    },
  };

  function read(inputs: Inputs): Record<string, unknown> {
    const context: Record<string, unknown> = {};
    for (const { name, reader } of readers) context[name] = reader.read(inputs[name]);
    for (const name of lookUps) {
      const found = environment.lookUps.get(name);
      context[name] = found?.read(inputs[found.root]);
    }
    return context;
  }

  function evaluate(context: () => Record<string, unknown>): unknown {
    meter.reset();
    try {
      const value: unknown = parsed(context());
      meter.assertWithin();
      return value;
    } catch (error) {
      throw runError(error);
    }
  }
}

function parse(source: string, { cel, known, lookUp }: Environment): { readonly parsed: ParseResult; readonly tree: Node } {
  try {
    const parsed = cel.parse(source);
    const tree = treeOf(parsed);
    refuse(tree);
    bindLookUps(tree, lookUp);
    bindEntries(tree, (type) => known.isEntry(type));
    const checked = parsed.check();
    if (checked.error) throw checked.error;
    return { parsed, tree };
  } catch (error) {
    throw toExpressionError(error, { source, known });
  }
}

/** Checks fields that the library does not check: of `.?` and `[?]`, of times, and of names of types, for example `list.x`. */
function assertField(
  { of, field }: { readonly of: Node; readonly field: string },
  { node, environment }: { readonly node: Node; readonly environment: Environment },
): void {
  const type = certain(of.checkedType)?.name ?? '';
  if (type === 'type') throw unknownName(written(of), { at: of.start, known: environment.known });
  const error = timeFieldError(type, field, node.pos);
  if (error) throw error;
  const fields = environment.known.fieldsOf(type);
  if (fields && !fields.includes(field)) throw unknownField({ of, field }, { at: node.pos, known: environment.known });
}

/** Each read of a record, and of a list that people edit, makes other objects. Only an element of another list can be in a part of the list. */
function assertComparable(node: Node, elements: ReadonlySet<string>, { known, readers }: Environment): void {
  const [record] = operandsOf(node);
  const type = certain(record?.checkedType)?.name ?? '';
  if (!record || !(known.fieldsOf(type) || known.isEntry(type))) return;
  const isVariable = record.op === 'id' && readers.has(String(record.args)) && !elements.has(String(record.args));
  if (isVariable || fieldAccess(record) || known.isEntry(type)) throw operatorError(node, known);
}

function assertListed(node: Node, { known }: Environment): void {
  const [of, index] = operandsOf(node);
  const type = certain(of?.checkedType);
  if (of && known.fieldsOf(type?.name ?? '') && !known.isEntry(type?.name ?? '')) {
    throw new ExpressionError('the name of a field must be fixed text', {
      at: node.start,
      hint: 'write .name, with the name of the field',
    });
  }
  const position = type?.kind === 'list' && index ? literalOf(index) : undefined;
  if (of && index && typeof position === 'number' && position < 0) {
    const hint = position === -1 ? `write ${written(of)}${node.op.slice(0, -1)}${written(of)}.size() - 1] for the last element` : undefined;
    throw new ExpressionError('the elements of a list count from 0', { at: index.start, hint });
  }
}
