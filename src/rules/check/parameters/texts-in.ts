import type { Json } from '#src/operation/json.ts';
import type { Path } from '../../document/report.ts';

/** A text, and where it stands among the parameters. */
export interface PlacedText {
  readonly path: Path;
  readonly text: string;
}

/** All texts in a value. */
export function textsIn(value: Json | undefined, path: Path = []): readonly PlacedText[] {
  if (typeof value === 'string') return [{ path, text: value }];
  if (typeof value !== 'object' || value === null) return [];
  const isList = Array.isArray(value);
  return Object.entries(value).flatMap(([key, one]) => textsIn(one, [...path, isList ? Number(key) : key]));
}
