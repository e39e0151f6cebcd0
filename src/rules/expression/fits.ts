import type { Shape } from '../shape/shape.ts';
import { certain, type CelType } from './language/tree.ts';

const SPOKEN: ReadonlySet<string> = new Set(['string', 'int', 'double', 'bool', 'google.protobuf.Timestamp', 'google.protobuf.Duration']);

/** Whether a value of the type can stand in the middle of text. */
export function isSpoken(type: CelType): boolean {
  const present = certain(type);
  return present?.kind === 'dyn' || SPOKEN.has(present?.name ?? '');
}

/** Whether a value of the type can be what the shape asks for. */
export function fits(type: CelType, shape: Shape): boolean {
  const present = certain(type) ?? type;
  if (present.kind === 'dyn' || present.kind === 'param') return true;
  switch (shape.kind) {
    case 'anything':
      return true;
    case 'either':
      return shape.of.some((one) => fits(present, one));
    case 'text':
      return present.name === 'string';
    case 'flag':
      return present.name === 'bool';
    case 'whole':
      return present.name === 'int';
    case 'number':
      return present.name === 'int' || present.name === 'double';
    case 'instant':
      return present.name === 'google.protobuf.Timestamp';
    case 'list':
      return present.kind === 'list' && present.valueType !== undefined && fits(present.valueType, shape.of);
    case 'record':
      return present.kind === 'map' || present.kind === 'message';
  }
}

/** What the shape asks for, in the words of a rule's author. */
export function shapeWords(shape: Shape): string {
  switch (shape.kind) {
    case 'text':
      return 'text';
    case 'flag':
      return 'true or false';
    case 'whole':
      return 'a whole number';
    case 'number':
      return 'a number';
    case 'instant':
      return 'an instant';
    case 'list':
      return 'a list';
    case 'record':
      return 'a map';
    case 'either':
      return shape.of.map(shapeWords).join(' or ');
    case 'anything':
      return 'something';
  }
}
