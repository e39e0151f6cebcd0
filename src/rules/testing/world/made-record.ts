import { isJsonList, isJsonObject, type Json, type JsonObject } from '#src/operation/json.ts';
import type { Field, RecordShape, Shape } from '../../shape/shape.ts';
import { closestName } from '../../wording/closest-name.ts';

/** What a record is made from where its author left something out. */
export interface Making {
  /** The word that its texts are made from. */
  readonly seed: string;
  /** When it began, where it says so: ISO 8601. */
  readonly began: string;
  /** When it was read. */
  readonly now: string;
}

interface Place extends Making {
  /** As `owner.handle`. */
  readonly path: string;
  /** The last field of the path. */
  readonly name: string;
  /** The record that has the field. */
  readonly within: RecordShape['fields'];
  readonly complain: (complaint: string) => void;
}

/** A whole value made from a part of it; what in that part cannot be right is complained of, as `owner.handel: there is no such field`. */
export function makeWhole(
  shape: Shape,
  { part, complain, ...making }: Making & { readonly part?: Json | undefined; readonly complain: (complaint: string) => void },
): Json | undefined {
  return whole(shape, part, { ...making, path: '', name: '', within: new Map(), complain });
}

function whole(shape: Shape, part: Json | undefined, place: Place): Json | undefined {
  switch (shape.kind) {
    case 'text':
      if (part === undefined) return shape.choices?.[0] ?? madeText(place);
      if (typeof part === 'number') return String(part);
      return typeof part === 'string' ? part : wrong('text', part, place);
    case 'whole':
    case 'number':
      return part === undefined || typeof part === 'number' ? (part ?? 0) : wrong('a number', part, place);
    case 'flag':
      return part === undefined || typeof part === 'boolean' ? (part ?? false) : wrong('true or false', part, place);
    case 'instant':
      if (part === undefined) return place.name === 'fetchedAt' ? place.now : place.began;
      return isInstant(part) ? new Date(part).toISOString() : wrong('an instant, as 2026-11-20T18:00:00Z', part, place);
    case 'list':
      if (part === undefined) return [];
      return isJsonList(part)
        ? part.flatMap((one, i) => whole(shape.of, one, { ...place, path: `${place.path}[${i}]` }) ?? [])
        : wrong('a list', part, place);
    case 'record':
      return part === undefined || isJsonObject(part) ? wholeRecord(shape, part ?? {}, place) : wrong('keys with values', part, place);
    case 'either':
      return whole(alternative(shape.of, part), part, place);
    case 'anything':
      return part;
  }
}

function wholeRecord({ fields }: RecordShape, part: JsonObject, place: Place): JsonObject {
  const at = (name: string): string => (place.path === '' ? name : `${place.path}.${name}`);
  for (const name of Object.keys(part)) {
    if (fields.has(name)) continue;
    const meant = closestName(name, fields.keys());
    place.complain(`${at(name)}: there is no such field${meant === undefined ? '' : `, did you mean ${meant}?`}`);
  }
  const seed = place.name === '' || isPerson(fields) ? place.seed : `${place.seed}'s ${place.name}`;
  const made = [...fields].flatMap(([name, field]): readonly [string, Json][] => {
    if (part[name] === undefined && !isUsual(field)) return [];
    const value = whole(field.shape, part[name], { ...place, path: at(name), name, seed, within: fields });
    return value === undefined ? [] : [[name, value]];
  });
  return Object.fromEntries(made);
}

/** Whether a field is there where nothing is said of it: an edit or an answer is not, a game is. */
function isUsual({ shape, optional }: Field): boolean {
  if (!optional) return true;
  return shape.kind === 'record' ? shape.fields.has('id') : shape.kind !== 'instant';
}

function isPerson(fields: RecordShape['fields']): boolean {
  return fields.has('handle');
}

function madeText({ name, seed, within }: Place): string {
  if (name === 'platform') return 'test';
  // A channel has many broadcasts: the stream is not its channel.
  if (name === 'id') return within.has('owner') ? `${seed}-1` : seed;
  if (name === 'handle' || name === 'displayName' || name === 'name' || name === '') return seed;
  if (/url$/iu.test(name)) return `https://example.invalid/${encodeURIComponent(seed)}`;
  return `${seed}'s ${name}`;
}

/** The first of them that has all fields that were given. */
function alternative(shapes: readonly Shape[], part: Json | undefined): Shape {
  const fits = shapes.find((shape) => {
    return shape.kind !== 'record' || !isJsonObject(part) || Object.keys(part).every((name) => shape.fields.has(name));
  });
  return fits ?? shapes[0] ?? { kind: 'anything' };
}

function wrong(what: string, part: Json, { path, complain }: Place): Json {
  complain(`${path === '' ? 'it' : path} must be ${what}`);
  return part;
}

function isInstant(part: Json): part is string {
  return typeof part === 'string' && !Number.isNaN(Date.parse(part));
}
