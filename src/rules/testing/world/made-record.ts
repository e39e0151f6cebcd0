import { isJsonList, isJsonObject, type Json, type JsonObject } from '#src/operation/json.ts';
import type { Field, RecordShape, Shape } from '../../shape/shape.ts';
import { closestName } from '../../wording/closest-name.ts';

/** Where all addresses of made-up records lead: no such host exists. */
export const MADE_UP_ORIGIN = 'https://example.invalid';

/** What a record is made from where its author left something out. */
export interface Making {
  /** The word that its texts are made from. */
  readonly seed: string;
  /** When it began, where it says so: ISO 8601. */
  readonly began: string;
  /** When it was read. */
  readonly now: string;
}

/** What makes whole values of one part after the other. */
export interface MakingPart extends Making {
  readonly part?: Json | undefined;
  /** What was made before from the same word, of the same beginning: it is taken where the part says nothing. */
  readonly like?: JsonObject | undefined;
  readonly complain: (complaint: string) => void;
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
export function makeWhole(shape: Shape, { part, like, ...making }: MakingPart): Json | undefined {
  const place: Place = { ...making, path: '', name: '', within: NOTHING };
  if (!like || shape.kind !== 'record' || !isJsonObject(part)) return whole(shape, part, place);
  const made: Record<string, Json | undefined> = { ...like };
  if (READ_AT in made) made[READ_AT] = making.now;
  for (const name of Object.keys(part)) {
    const field = shape.fields.get(name);
    if (!field) complainOfStranger(name, shape.fields, place);
    else if (part[name] !== undefined) made[name] = wholeField(name, field, part[name], place, shape.fields);
  }
  return made;
}

/** The instant at which a record was read: it differs each time. */
const READ_AT = 'fetchedAt';
const NOTHING: RecordShape['fields'] = new Map();

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
      if (part === undefined) return place.name === READ_AT ? place.now : place.began;
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
  for (const name of Object.keys(part)) if (!fields.has(name)) complainOfStranger(name, fields, place);
  const seed = place.name === '' || isPerson(fields) ? place.seed : `${place.seed}'s ${place.name}`;
  const made: Record<string, Json> = {};
  for (const [name, field] of fields) {
    if (part[name] === undefined && !isUsual(field)) continue;
    const value = wholeField(name, field, part[name], { ...place, seed }, fields);
    if (value !== undefined) made[name] = value;
  }
  return made;
}

function wholeField(name: string, { shape }: Field, part: Json | undefined, place: Place, within: RecordShape['fields']): Json | undefined {
  return whole(shape, part, { ...place, path: place.path === '' ? name : `${place.path}.${name}`, name, within });
}

function complainOfStranger(name: string, fields: RecordShape['fields'], { path, complain }: Place): void {
  const meant = closestName(name, fields.keys());
  complain(`${path === '' ? '' : `${path}.`}${name}: there is no such field${meant === undefined ? '' : `, did you mean ${meant}?`}`);
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
  if (/url$/iu.test(name)) return `${MADE_UP_ORIGIN}/${encodeURIComponent(seed)}`;
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
