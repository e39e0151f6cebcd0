import { type EitherShape, type Field, type RecordShape, type Shape, shapeOf } from './shape.ts';
import type { Declared } from '#src/clients/operation/declared.ts';

/** One shape that fits all alternatives. Records become one record with all fields, each optional. */
export function mergeShapes({ of }: EitherShape): Shape {
  const shapes = of.flatMap((shape) => (shape.kind === 'either' ? shape.of : [shape]));
  const records = shapes.flatMap((shape) => (shape.kind === 'record' ? [shape] : []));
  const lists = shapes.flatMap((shape) => (shape.kind === 'list' ? [shape] : []));
  if (records.length > 0 && records.length + lists.length === shapes.length) {
    const [list] = lists;
    return mergeRecords(list ? [...records, listResult(list.of)] : records);
  }
  const [first] = shapes;
  return first && shapes.every(({ kind }) => kind === first.kind) ? first : { kind: 'anything' };
}

/** The result of a step that reads a list. */
export function listResult(item: Shape): RecordShape {
  return { kind: 'record', fields: new Map([['items', { shape: { kind: 'list', of: item }, optional: false }]]) };
}

export function withFields({ fields }: RecordShape, more: Readonly<Record<string, Field>>): RecordShape {
  return { kind: 'record', fields: new Map([...fields, ...Object.entries(more)]) };
}

function mergeRecords(records: readonly RecordShape[]): RecordShape {
  const fields = new Map<string, Field>();
  for (const [name, { shape }] of records.flatMap((record) => [...record.fields])) {
    const known = fields.get(name)?.shape;
    fields.set(name, { shape: known ? mergeShapes({ kind: 'either', of: [known, shape] }) : shape, optional: true });
  }
  return { kind: 'record', fields };
}

/** The shape of an item of a watched operation: an element of its list, or its record. */
export function itemShape(declared: Declared | undefined): Shape {
  if (declared?.kind === 'list') return merged(shapeOf(declared.item));
  if (declared?.kind !== 'read') return { kind: 'anything' };
  const shape = shapeOf(declared.returns);
  if (shape.kind === 'list') return merged(shape.of);
  const records = shape.kind === 'either' ? shape.of.filter(({ kind }) => kind === 'record') : [];
  const [first, second] = records;
  return first && second === undefined ? first : merged(shape);
}

function merged(shape: Shape): Shape {
  return shape.kind === 'either' ? mergeShapes(shape) : shape;
}
