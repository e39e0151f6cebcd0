import type { Catalogue } from '#src/clients/operation/declared.ts';
import { isJsonObject, type Json, type JsonObject } from '#src/clients/operation/json.ts';
import { evaluateTemplate, templateOf, type EscapeText } from '#src/rules/expression/evaluate-template.ts';
import type { Expression, Inputs } from '#src/rules/expression/expression.ts';
import { expressionsOf, type ExpressionSite } from '#src/rules/expression/expressions.ts';
import { shapeAt, textOf, type Shape, type TextShape } from '#src/rules/shape/shape.ts';
import { isTemplate, onlyExpression } from '#src/rules/grammar/template.ts';
import type { FitText } from './fit-text.ts';
import type { FileTextKind, TextKind } from '#src/clients/operation/parameters.ts';
import { restoreAuthorText } from '#src/rules/expression/language/author-text.ts';
import { toPathPart, FOLDER_HINT, isAddress, namesFolder } from '#src/rules/grammar/file-path.ts';
import { escapeMarkdown } from '#src/clients/operation/text/escape-markdown.ts';
import { neutral } from '#src/clients/operation/text/sanitize.ts';
import { escapeChat } from '#src/clients/operation/text/escape-chat.ts';
import { escapePost } from '#src/clients/operation/text/escape-post.ts';

export interface FillOptions {
  readonly inputs: Inputs;
  readonly site: ExpressionSite;
  readonly catalogue: Catalogue;
  /** Fits texts into their limits. */
  readonly fit: FitText;
  /** Receives a name of all members that is left out, because a text of a platform has it. */
  readonly onForeignPing?: ((name: string) => void) | undefined;
}

/** The parameters, or the parameter that is empty. */
type Filled = { readonly params: JsonObject } | { readonly empty: { readonly parameter: string; readonly template: string } };

const ANYTHING: Shape = { kind: 'anything' };

/** Rebuilds a text; undefined if it is empty. */
type OnText = (text: string, shape: Shape) => Json | undefined;

/**
 * Evaluates all expressions in the parameters of a step.
 *
 * Empty values are left out. A map without a required field is empty; at the top level, the step then
 * has nothing to do.
 */
export function fillParameters(parameters: JsonObject, shape: Shape, options: FillOptions): Filled {
  const onText: OnText = (text, at) => (isTemplate(text) ? fillTemplate(text, at, options) : options.fit(text, textOf(at)));
  const { fields, lacking } = rebuildFields(parameters, shape, onText);
  if (lacking === undefined) return { params: fields };
  return { empty: { parameter: lacking, template: JSON.stringify(parameters[lacking]) } };
}

function fillTemplate(text: string, shape: Shape, options: FillOptions): Json | undefined {
  const textShape = textOf(shape);
  const value = evaluateTemplate(text, options.inputs, { ...options, escape: escapeFor(textShape) });
  const template = templateOf(text);
  const compile = (source: string) => expressionsOf(options.catalogue).compile(source, options.site);
  const only = onlyExpression(template);
  if (only) return value === undefined ? undefined : rebuild(value, shape, whole(compile(only.source), options));
  if (typeof value !== 'string') return value;
  const isOwnText = textShape?.isRole !== true || template.pieces.every((piece) => 'text' in piece || compile(piece.source).isOwnText);
  return fitInserted(value, textShape, { ...options, isOwnText });
}

/** Rebuilds texts that come from an expression. */
function whole({ isAuthorText, isOwnText }: Pick<Expression, 'isAuthorText' | 'isOwnText'>, options: FillOptions): OnText {
  return (text, shape) => {
    const textShape = textOf(shape);
    return fitInserted(escapeFor(textShape)(text, { before: '', isAuthorText }), textShape, { ...options, isOwnText });
  };
}

/** Names of all members. A platform removes one `@`, and its role of all members has an `@` in its name. */
const EVERYONE = /^@*(?:everyone|here)$/u;

/** Fits a text that is not empty. A text of a platform never names all members. */
function fitInserted(
  text: string,
  shape: TextShape | undefined,
  { isOwnText, fit, onForeignPing }: Pick<FillOptions, 'fit' | 'onForeignPing'> & { readonly isOwnText: boolean },
): string | undefined {
  const whole = text.replace(/\n$/u, '');
  const name = whole.trim();
  if (name === '') return undefined;
  if (shape?.isRole !== true || isOwnText || !EVERYONE.test(name)) return fit(whole, shape);
  onForeignPing?.(name);
  return undefined;
}

function rebuild(value: Json, shape: Shape, onText: OnText): Json | undefined {
  if (typeof value === 'string') return onText(value, shape);
  if (Array.isArray(value)) {
    const element = shapeAt(shape, [0]) ?? ANYTHING;
    const kept = value.map((one: Json) => rebuild(one, element, onText)).filter((one) => one !== undefined);
    return kept.length === 0 && value.length > 0 ? undefined : kept;
  }
  if (!isJsonObject(value)) return value;
  const { fields, lacking } = rebuildFields(value, shape, onText);
  const isEmpty = Object.keys(fields).length === 0 && Object.keys(value).length > 0;
  return isEmpty || lacking !== undefined ? undefined : fields;
}

/** The fields that are not empty, and the first required field that is. */
function rebuildFields(
  map: JsonObject,
  shape: Shape,
  onText: OnText,
): { readonly fields: JsonObject; readonly lacking: string | undefined } {
  const fields: [string, Json][] = [];
  let lacking: string | undefined;
  for (const [key, value] of Object.entries(map)) {
    const rebuilt = value === undefined ? undefined : rebuild(value, shapeAt(shape, [key]) ?? ANYTHING, onText);
    if (rebuilt !== undefined) fields.push([key, rebuilt]);
    else if (isNeeded(shape, key)) lacking ??= key;
  }
  return { fields: Object.fromEntries(fields), lacking };
}

/** Whether the write needs the field: it is required, or the write belongs to its record. */
function isNeeded(shape: Shape, key: string): boolean {
  if (shape.kind === 'either') return shape.of.some((one) => isNeeded(one, key));
  const field = shape.kind === 'record' ? shape.fields.get(key) : undefined;
  return field !== undefined && (!field.optional || field.belonging === true);
}

/** Escapes platform text for its target. */
function escapeFor(shape: TextShape | undefined): EscapeText {
  const { file, markup = 'none' } = shape ?? {};
  if (file) return (text, { before, isAuthorText }) => restoreAuthorText(isAuthorText ? text : toSafePath(neutral(text), before, file));
  return (text, { before }) => restoreAuthorText(ESCAPES[markup](neutral(text), before));
}

const ESCAPES: Readonly<Record<TextKind | 'none', (text: string, before: string) => string>> = {
  markdown: escapeMarkdown,
  post: escapePost,
  chat: escapeChat,
  none: (text) => text,
};

/** A platform text that would choose a local file. */
export class UntrustedPath extends Error {
  override readonly name = 'ForeignFile';
  override readonly message = `a text from a platform can be a file only if it begins with https://: ${FOLDER_HINT}`;
}

/** Makes a text a part of a path below the author's folder, or of an address. An address stays unchanged. */
function toSafePath(text: string, before: string, file: FileTextKind): string {
  if (file === 'pathOrAddress' && isAddress(before || text)) return isAddress(text) ? text : text.replace(/\.{2,}|[/\\]/gu, '_');
  if (!namesFolder(before)) throw new UntrustedPath();
  return toPathPart(text);
}
