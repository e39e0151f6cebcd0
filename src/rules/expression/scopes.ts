import type { Catalogue } from '#src/operation/declared.ts';
import { listResult, mergeShapes, withFields, itemShape } from '../shape/operation-shapes.ts';
import { shapeOf, type Field, type RecordShape, type Shape } from '../shape/shape.ts';
import { shapeOfValues } from '../shape/value-shape.ts';
import { ACCOUNT_FIELDS } from '../account-fields.ts';
import { CHANGE_KINDS } from '../rule.ts';
import type { StepNames } from '../step.ts';
import type { Variables } from './language/environment.ts';

/** The kind of a site: fixed at load, about one item, at a firing, in a step, in a step of `quiet`. */
export type ScopeKind = 'fixed' | 'item' | 'firing' | 'step' | 'quiet';

type Named = readonly (readonly [string, Field])[];

const ANYTHING: Shape = { kind: 'anything' };
const TEXT: Shape = { kind: 'text' };
const WHOLE: Shape = { kind: 'whole' };
const INSTANT: Shape = { kind: 'instant' };
const FLAG: Shape = { kind: 'flag' };

const OF_LIST = ['items', 'changes'];
const OF_ITEM = ['item', 'previous', 'change', 'episode'];

/** The variables of a site. */
export function variablesOf(kind: ScopeKind, names: StepNames, catalogue: Catalogue): Variables {
  const constants = constantVariables(names);
  if (kind === 'fixed') return new Map(constants);
  const read = names.watch === undefined ? undefined : readShape(names.watch, names, catalogue);
  if (kind === 'item') return new Map([['item', there(read ?? ANYTHING)], ...constants]);
  const watched = read && withAccounts(read, names);
  return new Map([
    ...(kind === 'quiet' ? [['held', there(deferredShape(watched))] as const] : watched ? watchVariables(watched, names) : []),
    ...(kind === 'firing' ? [] : [['steps', there(stepsShape(names, catalogue))] as const]),
    ['rule', there(record({ id: there(TEXT), about: maybe(TEXT) }))],
    ['now', there(INSTANT)],
    ...constants,
  ]);
}

function constantVariables({ constants }: StepNames): Named {
  return Object.entries(constants ?? {}).flatMap(([name, values]) =>
    Object.keys(values).length === 0 ? [] : [[name, there(shapeOfValues([values]))] as const],
  );
}

/** The shape of an item before items of several accounts are united. */
function readShape(verb: string, { byAccount }: StepNames, catalogue: Catalogue): Shape {
  const shape = itemShape(catalogue.get(verb));
  return byAccount && shape.kind === 'record' ? withFields(shape, { account: there(TEXT) }) : shape;
}

function withAccounts(item: Shape, { byAccount }: StepNames): Shape {
  if (!byAccount || item.kind !== 'record') return item;
  const fields = ACCOUNT_FIELDS.flatMap((name) => {
    const field = item.fields.get(name);
    return field ? [[name, field] as const] : [];
  });
  return withFields(item, { accounts: there({ kind: 'list', of: record(Object.fromEntries(fields)) }) });
}

function watchVariables(watched: Shape, { per = 'item' }: StepNames): Named {
  if (watched.kind !== 'record') return [...(per === 'item' ? OF_ITEM : []), ...OF_LIST].map((name) => [name, there(ANYTHING)]);
  const item = withFields(watched, { rank: there(WHOLE) });
  const change = record(changeFields(item));
  const changes: Field = there({ kind: 'list', of: change });
  const whole: Named = [
    ['items', there({ kind: 'list', of: item })],
    ['changes', there(record(Object.fromEntries(CHANGE_KINDS.map((kind) => [kind, changes]))))],
  ];
  if (per !== 'item') return whole;
  return [['item', there(item)], ['previous', maybe(item)], ['change', maybe(change)], ['episode', there(episodeShape(watched))], ...whole];
}

function changeFields(item: Shape): Readonly<Record<string, Field>> {
  return { kind: there(TEXT), item: there(item), previous: maybe(item), rank: there(WHOLE), from: maybe(WHOLE), to: maybe(WHOLE) };
}

/** The firings that quiet hours deferred. */
function deferredShape(watched: Shape | undefined): Shape {
  if (watched === undefined) return { kind: 'list', of: record({ open: there(FLAG) }) };
  if (watched.kind !== 'record') return ANYTHING;
  const item = withFields(watched, { rank: there(WHOLE) });
  return { kind: 'list', of: record({ ...changeFields(item), episode: there(episodeShape(watched)), open: there(FLAG) }) };
}

function episodeShape({ fields }: RecordShape): RecordShape {
  const peaks = [...fields].filter(([, { shape }]) => shape.kind === 'whole' || shape.kind === 'number');
  return record({
    id: there(TEXT),
    open: there(FLAG),
    startedAt: there(INSTANT),
    lengthMs: there(WHOLE),
    polls: there(WHOLE),
    peak: there({ kind: 'record', fields: new Map(peaks) }),
  });
}

function stepsShape(names: StepNames, catalogue: Catalogue): Shape {
  return record(Object.fromEntries(Object.entries(names.steps).map(([id, verb]) => [id, stepField(id, verb, names, catalogue)])));
}

function stepField(id: string, verb: string, { accounts, lists }: StepNames, catalogue: Catalogue): Field {
  const result = resultShape(verb, catalogue);
  if (lists?.includes(id)) return there({ kind: 'list', of: result });
  if (result.kind !== 'record') return maybe(result);
  const on = record(Object.fromEntries((accounts?.[id] ?? []).map((account) => [account, maybe(result)])));
  return maybe(withFields(result, { own: maybe(result), on: there(on) }));
}

/** The result of a step. */
function resultShape(verb: string, catalogue: Catalogue): Shape {
  const declared = catalogue.get(verb);
  if (!declared) return ANYTHING;
  const shape = declared.kind === 'list' ? listResult(shapeOf(declared.item)) : shapeOf(declared.returns);
  return shape.kind === 'either' ? mergeShapes(shape) : shape;
}

function record(fields: Readonly<Record<string, Field>>): RecordShape {
  return { kind: 'record', fields: new Map(Object.entries(fields)) };
}

function there(shape: Shape): Field {
  return { shape, optional: false };
}

function maybe(shape: Shape): Field {
  return { shape, optional: true };
}
