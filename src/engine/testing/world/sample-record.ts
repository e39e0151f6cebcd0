import { hasOffset } from '#src/rules/grammar/instant.ts';
import { isJsonList, isJsonObject, type Json, type JsonObject } from '#src/clients/operation/json.ts';
import type { Field, RecordShape, Shape } from '#src/rules/shape/shape.ts';
import { closestName } from '#src/clients/operation/closest-name.ts';
import { ref } from '#src/clients/operation/record.ts';

/** The origin of links in sample records. The host does not exist. */
export const SAMPLE_ORIGIN = 'https://example.invalid';

/** The source of fields that a test does not set. */
export interface Making {
  /** The key in its texts. */
  readonly seed: string;
  /** The start of the record, in ISO 8601. */
  readonly began: string;
  /** The instant of the poll. */
  readonly now: string;
}

/** Options to complete one value. */
interface MakingPart extends Making {
  readonly part?: Json | undefined;
  /** A record with the same key and start, which provides the missing fields. */
  readonly like?: JsonObject | undefined;
  readonly reportError: (message: string) => void;
}

interface FieldContext extends Making {
  /** The path, for example `owner.handle`. */
  readonly path: string;
  /** The last field in the path. */
  readonly name: string;
  /** The fields of the record around it. */
  readonly within: RecordShape['fields'];
  readonly reportError: (message: string) => void;
}

/** Completes a partial value. Reports impossible parts, for example `owner.handel: there is no such field`. */
export function completeRecord(shape: Shape, { part, like, ...making }: MakingPart): Json | undefined {
  const context: FieldContext = { ...making, path: '', name: '', within: NOTHING };
  if (!like || shape.kind !== 'record' || !isJsonObject(part)) return whole(shape, part, context);
  const made: Record<string, Json | undefined> = { ...like };
  if (READ_AT in made) made[READ_AT] = making.now;
  for (const name of Object.keys(part)) {
    const field = shape.fields.get(name);
    if (!field) reportUnknownField(name, shape.fields, context);
    else if (part[name] === null) removeField(name, field, made, context);
    else if (part[name] !== undefined) made[name] = wholeField(name, field, part[name], context, shape.fields);
  }
  return made;
}

/** Removes a field that the test sets to null: the platform does not send it. */
function removeField(name: string, { optional }: Field, made: Record<string, Json | undefined>, { path, reportError }: FieldContext): void {
  if (!optional) reportError(`${path === '' ? '' : `${path}.`}${name}: platforms always send this field, so it cannot be null`);
  delete made[name];
}

/** The instant of a read, which differs each time. */
const READ_AT = 'fetchedAt';
const NOTHING: RecordShape['fields'] = new Map();

function whole(shape: Shape, part: Json | undefined, context: FieldContext): Json | undefined {
  switch (shape.kind) {
    case 'text':
      if (part === undefined) return shape.choices?.[0] ?? madeText(context);
      if (typeof part === 'number') return String(part);
      return typeof part === 'string' ? part : wrong('text', part, context);
    case 'whole':
    case 'number':
      return part === undefined || typeof part === 'number' ? (part ?? 0) : wrong('a number', part, context);
    case 'flag':
      return part === undefined || typeof part === 'boolean' ? (part ?? false) : wrong('true or false', part, context);
    case 'instant':
      if (part === undefined) return context.name === READ_AT ? context.now : context.began;
      return isInstant(part) ? new Date(part).toISOString() : wrong('a timestamp, as 2026-11-20T18:00:00Z', part, context);
    case 'list':
      if (part === undefined) return [];
      return isJsonList(part)
        ? part.flatMap((one, i) => whole(shape.of, one, { ...context, path: `${context.path}[${i}]` }) ?? [])
        : wrong('a list', part, context);
    case 'record':
      return part === undefined || isJsonObject(part) ? wholeRecord(shape, part ?? {}, context) : wrong('a map', part, context);
    case 'either':
      return whole(alternative(shape.of, part), part, context);
    case 'anything':
      return part;
  }
}

function wholeRecord({ fields }: RecordShape, part: JsonObject, context: FieldContext): JsonObject {
  for (const name of Object.keys(part)) if (!fields.has(name)) reportUnknownField(name, fields, context);
  const seed = context.name === '' || isPerson(fields) ? context.seed : `${context.seed}'s ${context.name}`;
  const made: Record<string, Json | undefined> = {};
  for (const [name, field] of fields) {
    if (part[name] === undefined && !isUsual(name, field)) continue;
    if (part[name] === null) {
      removeField(name, field, made, context);
      continue;
    }
    const value = wholeField(name, field, part[name], { ...context, seed }, fields);
    if (value !== undefined) made[name] = value;
  }
  return made;
}

function wholeField(
  name: string,
  { shape }: Field,
  part: Json | undefined,
  context: FieldContext,
  within: RecordShape['fields'],
): Json | undefined {
  return whole(shape, part, { ...context, path: context.path === '' ? name : `${context.path}.${name}`, name, within });
}

function reportUnknownField(name: string, fields: RecordShape['fields'], { path, reportError }: FieldContext): void {
  const meant = closestName(name, fields.keys());
  reportError(`${path === '' ? '' : `${path}.`}${name}: unknown field${meant === undefined ? '' : `, did you mean ${meant}?`}`);
}

/** Fields that most records do not have. */
const RARE: ReadonlySet<string> = new Set(['firstVersionId', 'repostOf', 'warning']);

/** Whether an unset field has a value: a game has, an edit, an answer, a repost or a content warning has none. */
function isUsual(name: string, { shape, optional }: Field): boolean {
  if (!optional) return true;
  if (RARE.has(name)) return false;
  return shape.kind === 'record' ? shape.fields.has('id') : shape.kind !== 'instant';
}

function isPerson(fields: RecordShape['fields']): boolean {
  return fields.has('handle');
}

function madeText({ name, seed, within }: FieldContext): string {
  if (name === 'platform') return 'test';
  // The id of a stream differs from the id of its channel.
  if (name === 'id') return within.has('owner') ? `${seed}-1` : seed;
  if (name === 'handle' || name === 'displayName' || name === 'name' || name === '') return seed;
  if (/url$/iu.test(name)) return `${SAMPLE_ORIGIN}/${encodeURIComponent(seed)}`;
  return `${seed}'s ${name}`;
}

/** The first alternative with all fields of the part. */
function alternative(shapes: readonly Shape[], part: Json | undefined): Shape {
  const fits = shapes.find((shape) => {
    return shape.kind !== 'record' || !isJsonObject(part) || Object.keys(part).every((name) => shape.fields.has(name));
  });
  return fits ?? shapes[0] ?? { kind: 'anything' };
}

function wrong(what: string, part: Json, { path, reportError }: FieldContext): Json {
  reportError(`${path === '' ? 'it' : path} must be ${what}`);
  return part;
}

/** A time of day without an offset would depend on the time zone of the machine. */
function isInstant(part: Json): part is string {
  if (typeof part !== 'string' || Number.isNaN(Date.parse(part))) return false;
  return !part.includes(':') || hasOffset(part);
}

interface AnswerOptions {
  readonly answer: Json;
  /** The buttons of the question in the rule. */
  readonly choices: Json | undefined;
  readonly reportError: (message: string) => void;
}

/** The record of an unanswered question: only its id and link. */
export function sampleQuestion(record: Json | undefined): JsonObject {
  const known = Object.entries(isJsonObject(record) ? record : {}).filter(([name]) => name in ref);
  return Object.fromEntries(known);
}

/** Makes an answer from a partial one. `by` can be a name. A text without a choice chooses the first button. */
export function completeAnswer(shape: Shape, { answer, choices, reportError }: AnswerOptions): JsonObject {
  if (!isJsonObject(answer)) {
    reportError(' must be a map, as { choice: send, by: ada }');
    return {};
  }
  const known = shape.kind === 'record' ? [...shape.fields.keys()].filter((name) => !(name in ref)) : [];
  for (const name of Object.keys(answer)) {
    if (known.includes(name)) continue;
    const meant = closestName(name, known);
    reportError(`.${name}: unknown field${meant === undefined ? `; available: ${known.join(', ')}` : `, did you mean ${meant}?`}`);
  }
  const buttons = isJsonList(choices) ? choices.filter((one) => typeof one === 'string').filter((one) => !one.includes('${{')) : [];
  const { choice, by, text } = answer;
  if (choice !== undefined && buttons.length > 0 && !buttons.some((one) => one === choice)) {
    reportError(`.choice: unknown button ${JSON.stringify(choice)}; available: ${buttons.join(', ')}`);
  }
  return {
    ...answer,
    ...(choice === undefined && text !== undefined && buttons.length > 0 && { choice: buttons[0] }),
    ...(typeof by === 'string' && { by: { id: by, handle: by, displayName: by } }),
  };
}
