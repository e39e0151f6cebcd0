import type { Declared } from '#src/operation/declared.ts';
import { mergeShapes } from '../shape/merge-shapes.ts';
import { shapeOf, type Shape } from '../shape/shape.ts';

/** What one element of a watched list is; of a read that answers once, its record, or one of the records of its list. */
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
