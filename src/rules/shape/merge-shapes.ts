import type { EitherShape, Field, RecordShape, Shape } from './shape.ts';

/** One shape that every one of several fits: records become one with all their fields, each of which may be missing. */
export function mergeShapes({ of }: EitherShape): Shape {
  const shapes = of.flatMap((shape) => (shape.kind === 'either' ? shape.of : [shape]));
  const records = shapes.flatMap((shape) => (shape.kind === 'record' ? [shape] : []));
  const lists = shapes.flatMap((shape) => (shape.kind === 'list' ? [shape] : []));
  if (records.length > 0 && records.length + lists.length === shapes.length) {
    const [list] = lists;
    return mergeRecords(list ? [...records, answerOf(list.of)] : records);
  }
  const [first] = shapes;
  return first && shapes.every(({ kind }) => kind === first.kind) ? first : { kind: 'anything' };
}

/** What a step that reads a list gives. */
export function answerOf(item: Shape): RecordShape {
  return { kind: 'record', fields: new Map([['items', { shape: { kind: 'list', of: item }, optional: false }]]) };
}

/** The record with fields beside its own. */
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
