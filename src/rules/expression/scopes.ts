import type { Catalogue } from '#src/operation/catalogue.ts';
import type { Declared } from '#src/operation/declared.ts';
import { answerOf, mergeShapes, withFields } from '../shape/merge-shapes.ts';
import { shapeOf, type Field, type RecordShape, type Shape } from '../shape/shape.ts';
import type { StepNames } from '../step.ts';
import type { Variables } from './language/environment.ts';

/** Where an expression stands: what is fixed at load, what looks at one item, what is asked at a firing, and a step. */
export type ScopeKind = 'fixed' | 'item' | 'firing' | 'step';

const ANYTHING: Shape = { kind: 'anything' };
const TEXT: Shape = { kind: 'text' };
const WHOLE: Shape = { kind: 'whole' };
const INSTANT: Shape = { kind: 'instant' };

const WATCH_NAMES = ['item', 'previous', 'change', 'episode', 'items', 'changes'];

/** The names that an expression in this place can use. */
export function variablesOf(kind: ScopeKind, { watch, steps }: StepNames, catalogue: Catalogue): Variables {
  if (kind === 'fixed') return new Map();
  const watched = watch === undefined ? undefined : itemShape(catalogue.get(watch));
  if (kind === 'item') return new Map([['item', there(watched ?? ANYTHING)]]);
  const stepFields = Object.entries(steps).map(([id, verb]) => [id, maybe(resultShape(catalogue.get(verb)))] as const);
  return new Map([
    ...(watched ? watchVariables(watched) : []),
    ...(kind === 'step' ? [['steps', there(record(Object.fromEntries(stepFields)))] as const] : []),
    ['rule', there(record({ id: there(TEXT), about: maybe(TEXT) }))],
    ['now', there(INSTANT)],
  ]);
}

/** What one element of a list is. */
export function itemShape(declared: Declared | undefined): Shape {
  if (declared?.kind !== 'list') return ANYTHING;
  const shape = shapeOf(declared.item);
  return shape.kind === 'either' ? mergeShapes(shape) : shape;
}

/** What a step gives. */
function resultShape(declared: Declared | undefined): Shape {
  if (!declared) return ANYTHING;
  return declared.kind === 'list' ? answerOf(shapeOf(declared.item)) : shapeOf(declared.returns);
}

function watchVariables(watched: Shape): readonly (readonly [string, Field])[] {
  if (watched.kind !== 'record') return WATCH_NAMES.map((name) => [name, there(ANYTHING)]);
  const item = withFields(watched, { rank: there(WHOLE) });
  const change = record({ kind: there(TEXT), item: there(item), previous: maybe(item), rank: there(WHOLE) });
  const changes: Shape = { kind: 'list', of: change };
  return [
    ['item', there(item)],
    ['previous', maybe(item)],
    ['change', maybe(change)],
    ['episode', there(episodeShape(watched))],
    ['items', there({ kind: 'list', of: item })],
    ['changes', there(record({ entered: there(changes), left: there(changes) }))],
  ];
}

function episodeShape({ fields }: RecordShape): RecordShape {
  const peaks = [...fields].filter(([, { shape }]) => shape.kind === 'whole' || shape.kind === 'number');
  return record({
    id: there(TEXT),
    startedAt: there(INSTANT),
    lengthMs: there(WHOLE),
    polls: there(WHOLE),
    peak: there({ kind: 'record', fields: new Map(peaks) }),
  });
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
