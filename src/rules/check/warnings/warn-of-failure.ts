import { dependsOn } from '../../expression/depends-on.ts';
import { stepOf } from '../../expression/reads.ts';
import { ownText, parseTemplate } from '../../grammar/template.ts';
import { textOf } from '../../shape/shape.ts';
import type { Desk } from '../desk.ts';
import type { ParameterText } from '../parameters/check-parameters.ts';
import type { PlacedStep } from '../place-steps.ts';

/** The ids of the look-ups without `onError`: a step that reads the result of one is not done if it fails. */
export type LookUps = ReadonlySet<string>;

export function unhandledLookUps(placed: readonly PlacedStep[]): LookUps {
  const lookUps = placed.filter(({ declared, draft }) => declared && declared.kind !== 'write' && draft.onError === undefined);
  return new Set(lookUps.flatMap(({ draft }) => draft.id ?? []));
}

interface Reader {
  readonly step: PlacedStep;
  /** What its `if` reads. */
  readonly ifReads: ReadonlyMap<string, number> | undefined;
  readonly lookUps: LookUps;
}

/** Warns of text that is not sent if a look-up fails. */
export function warnOfFailure(
  texts: readonly ParameterText[],
  { step: { path }, ifReads = new Map(), lookUps }: Reader,
  { document, report }: Desk,
): void {
  const handled = new Set([...ifReads.keys()].map(stepOf));
  const said = texts.filter(({ shape }) => shape && textOf(shape)?.markup !== undefined);
  // A step that says nothing but results has nothing to say without them.
  if (said.every(isOnlyResults)) return;
  for (const { expressions = [], path: at } of said) {
    for (const { expression, at: offset } of expressions) {
      for (const read of expression.reads.keys()) {
        const id = stepOf(read);
        if (handled.has(id) || !lookUps.has(id) || dependsOn(expression.tree, new Set([read])) === undefined) continue;
        handled.add(id);
        report.warning(
          document.textSpot([...path, 'with', ...at], offset),
          `if the look-up ${id} fails, this step is not sent`,
          `to send it without the result, write onError: continue at the step ${id}; to ask for the result first, add an if that reads it`,
        );
      }
    }
  }
}

function isOnlyResults({ text, expressions = [] }: ParameterText): boolean {
  const hasWords = /[\p{L}\p{N}]/u.test(ownText(parseTemplate(text), ' '));
  return !hasWords && expressions.every(({ expression: { names, reads } }) => reads.size > 0 && !names.has('item') && !names.has('items'));
}
