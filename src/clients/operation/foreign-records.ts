import { ValidationError } from '#src/errors.ts';
import { isObject } from './parameters.ts';

/** Throws for a record of another platform among the arguments of a call: its id could be the id of something else on `platform`. */
export function refuseForeignRecords(platform: string, callArgs: readonly unknown[]): void {
  for (const [path, value] of callArgs.flatMap((value) => [['', value] as const, ...fieldsIn(value, '', 2)])) {
    const other = platformOf(value);
    if (other === undefined || other === platform) continue;
    const where = path === '' ? '' : `${path}: `;
    throw new ValidationError(
      `${where}this record is of ${other}, and the call is to ${platform}. Pass a record or an id of ${platform}.`,
      { path },
    );
  }
}

/** The values in lists and options, with their paths. The fields of a record are no arguments. */
function fieldsIn(value: unknown, path: string, depth: number): readonly (readonly [path: string, value: unknown])[] {
  const isPlain = Array.isArray(value) || (isObject(value) && Object.getPrototypeOf(value) === Object.prototype);
  if (depth === 0 || !isPlain || platformOf(value) !== undefined) return [];
  return Object.entries(value).flatMap(([key, field]) => {
    const at = path === '' ? key : `${path}.${key}`;
    return [[at, field] as const, ...fieldsIn(field, at, depth - 1)];
  });
}

/** The platform of a record; undefined for other values. */
function platformOf(value: unknown): string | undefined {
  const isRecord = isObject(value) && 'platform' in value && 'id' in value;
  return isRecord && typeof value.platform === 'string' ? value.platform : undefined;
}
