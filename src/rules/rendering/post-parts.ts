import type { Declared } from '#src/clients/operation/declared.ts';
import { isJsonList, isJsonObject, type Json, type JsonObject } from '#src/clients/operation/json.ts';
import { isDescribed, type PostDefaults } from '#src/clients/operation/post-defaults.ts';
import { textWithout, WARNING_GAP } from '#src/clients/operation/text/content-warning.ts';
import { limitBeside, type TextLimit } from '#src/clients/operation/text/limit.ts';
import type { Shape } from '#src/rules/shape/shape.ts';
import { fillParameters, type FillOptions } from './fill-parameters.ts';
import { fitting, limitOf, type FitText } from './fit-text.ts';
import type { EditedRecord } from './inputs.ts';

/** The defaults of the account that apply to a step. An edit keeps the warning that the post has. */
export function defaultsFor(declared: Declared, defaults: PostDefaults = {}): PostDefaults {
  if (declared.kind !== 'write' || declared.publishes !== 'post') return {};
  return declared.effect === 'creates' ? defaults : { requireDescription: defaults.requireDescription };
}

/**
 * The content warning of a step; undefined if it has none. A warning takes at most half of the post. If its expressions are empty, the default
 * of the account applies.
 */
export function filledWarning(
  text: Json | undefined,
  shape: Shape,
  {
    textLimit,
    usual,
    onCutWarning,
    ...options
  }: Omit<FillOptions, 'fit'> & {
    readonly textLimit: TextLimit | undefined;
    readonly usual: string | undefined;
    /** Receives why the warning is cut. */
    readonly onCutWarning?: ((detail: string) => void) | undefined;
  },
): string | undefined {
  const written = text ?? usual;
  if (written === undefined) return undefined;
  const { lengthOf, lengthOfWarning = lengthOf, most = 0 } = textLimit ?? {};
  const ofWarning = textLimit && lengthOfWarning && { ...textLimit, most: Math.floor(most / 2), lengthOf: lengthOfWarning };
  const shortened = fitting({ textLimit: ofWarning });
  const fit: FitText = (whole, shape) => {
    const short = shortened(whole, shape);
    const limit = limitOf(shape, ofWarning);
    if (limit && short !== whole)
      onCutWarning?.(`the content warning has ${limit.lengthOf(whole)} characters, and the limit is ${limit.most}`);
    return short;
  };
  const filled = fillParameters({ warning: written }, shape, { ...options, fit });
  const warning = 'params' in filled ? filled.params['warning'] : undefined;
  if (typeof warning === 'string' && warning.trim() !== '') return warning.trim();
  return written === '' || written === usual ? undefined : filledWarning(usual, shape, { textLimit, usual, onCutWarning, ...options });
}

/** The content warning that an edit keeps if it names none; undefined: the edited post has none, or is unknown. */
export function keptWarning(edited: EditedRecord | undefined, limit: TextLimit | undefined): string | undefined {
  const warning = isJsonObject(edited?.result) ? edited.result['warning'] : undefined;
  return limit?.keepsWarning && typeof warning === 'string' ? warning : undefined;
}

export function limitBehind(warning: string | undefined, limit: TextLimit | undefined): TextLimit | undefined {
  if (warning === undefined || !limit) return limit;
  const { lengthOf, lengthOfWarning = lengthOf } = limit;
  return limitBeside(limit, { what: 'the content warning', length: lengthOfWarning(`${warning}${WARNING_GAP}`) });
}

/** Fits the text of a post without the warning that it begins with. */
export function fittingBehind(warning: string | undefined, fit: FitText): FitText {
  if (warning === undefined) return fit;
  return (text, shape) => {
    const rest = shape?.markup === 'post' ? textWithout(warning, text) : text;
    // Platforms show a text that is the warning once.
    return rest === '' ? text : fit(rest, shape);
  };
}

/** The first file of a rendered post without a description; undefined if all have one. Descriptions of earlier uploads are unknown. */
export function undescribedFile({ files }: JsonObject): string | undefined {
  if (!isJsonList(files)) return undefined;
  const index = files.findIndex((file) => !isDescribed(file));
  return index === -1 ? undefined : `files[${index}]`;
}
