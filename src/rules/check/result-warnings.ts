import { fieldAccess } from '#src/rules/expression/language/tree.ts';
import { dependsOn, stepOf } from '#src/rules/expression/reads.ts';
import type { Section } from '#src/rules/firing.ts';
import { literalText, parseTemplate } from '#src/rules/grammar/template.ts';
import { textOf } from '#src/rules/shape/shape.ts';
import type { StepNames } from '#src/rules/step.ts';
import type { CheckContext } from './check-context.ts';
import type { CheckedExpression, ParameterText } from './check-expression.ts';
import type { PlacedStep } from './place-steps.ts';

/** Parameters with the id of a record that an earlier step may have made. Channels have names too. */
const IDS: ReadonlySet<string> = new Set(['message', 'thread', 'event', 'post', 'replyTo', 'quote', 'identifier']);

/** Parameters of Discord that take the id of a message. */
const MESSAGES: ReadonlySet<string | number> = new Set(['message', 'replyTo']);
/** A text that can be the id of a step, so that it is not the id of a message. */
const STEP_NAME = /^[A-Za-z]\w{0,63}$/u;

/** Warns of the id of a step where the id of its result belongs, for example `message: card`. */
export function checkStepAsResult(
  texts: readonly ParameterText[],
  { step: { path, draft }, names }: StepSite,
  { document, report }: CheckContext,
): void {
  for (const { path: at, text } of texts) {
    const [parameter = ''] = at;
    const id = text.trim();
    if (at.length !== 1 || !IDS.has(String(parameter))) continue;
    if (!Object.hasOwn(names.steps, id)) {
      if (draft.do?.startsWith('discord.') !== true || !MESSAGES.has(parameter) || !STEP_NAME.test(id)) continue;
      const hint = `add id: ${id} to the step that sends the message, and write "\${{ steps.${id}.id }}"`;
      report.warning(document.locationOf([...path, 'with', ...at]), 'no-message', `${id} is not a message: the step fails`, hint);
      continue;
    }
    const isOwn = (names.accounts?.[id]?.length ?? 0) > 1;
    const location = document.locationOf([...path, 'with', ...at]);
    report.warning(
      location,
      'step-as-result',
      `${id} is taken as text, not as the step ${id}`,
      `write "\${{ steps.${id}.${isOwn ? 'own.id' : 'id'} }}"`,
    );
  }
}

interface StepSite {
  readonly step: PlacedStep;
  readonly names: StepNames;
}

const LETTER = /[\p{L}\p{N}]/u;

/**
 * Warns of a text that mentions the result of a write, in a step whose other texts read only results: if that write is not sent,
 * the step still sends its literal text.
 */
export function checkUnsentResults(
  texts: readonly ParameterText[],
  { step: { draft, path }, names }: StepSite,
  { document, report, catalogue }: CheckContext,
): void {
  if (draft.if !== undefined) return;
  const messages = texts.filter(({ shape }) => shape?.kind === 'text' && shape.markup !== undefined);
  if (!messages.every(readsOnlySteps)) return;
  for (const { text, expressions: [first] = [], path: at } of messages) {
    const literal = literalText(parseTemplate(text), ' ').trim();
    if (!first || !LETTER.test(literal)) continue;
    const { expression } = first;
    const [step = ''] = [...expression.reads.keys()].map(stepOf);
    // A step that reads a failed lookup is skipped anyway.
    if (catalogue.get(names.steps[step] ?? '')?.kind !== 'write') continue;
    const message = `if the step ${step} is not sent, this step sends only "${literal}"`;
    const hint = `to skip this step in that case, add if: ${expression.source} != ""`;
    report.warning(document.textLocation([...path, 'with', ...at], first.at), 'unsent-result', message, hint);
  }
}

function readsOnlySteps({ expressions = [] }: ParameterText): boolean {
  return expressions.every(({ expression: { names, tree } }) => names.size === 1 && names.has('steps') && fieldAccess(tree));
}

/** The ids of lookups without `onError`. If one fails, the steps that read its result are skipped. */
export function lookupsWithoutOnError(placed: readonly PlacedStep[]): ReadonlySet<string> {
  const lookups = placed.filter(({ declared, draft }) => declared && declared.kind !== 'write' && draft.onError === undefined);
  return new Set(lookups.flatMap(({ draft }) => draft.id ?? []));
}

interface FailedLookupOptions {
  readonly step: PlacedStep;
  /** The results that `if` reads: it handles their absence. */
  readonly ifReads: ReadonlyMap<string, number> | undefined;
  readonly lookups: ReadonlySet<string>;
}

/** Warns of a step that is skipped if a lookup fails. */
export function checkFailedLookups(
  texts: readonly ParameterText[],
  { step: { path }, ifReads = new Map(), lookups }: FailedLookupOptions,
  { document, report }: CheckContext,
): void {
  const handled = new Set([...ifReads.keys()].map(stepOf));
  const messages = texts.filter(({ shape }) => shape && textOf(shape)?.markup !== undefined);
  // A step of results alone has nothing to send without them.
  if (messages.every(showsOnlyResults)) return;
  for (const { expressions = [], path: at } of messages) {
    for (const { expression, at: offset } of expressions) {
      for (const read of expression.reads.keys()) {
        const id = stepOf(read);
        if (handled.has(id) || !lookups.has(id) || dependsOn(expression.tree, new Set([read])) === undefined) continue;
        handled.add(id);
        report.warning(
          document.textLocation([...path, 'with', ...at], offset),
          'failed-lookup',
          `if the look-up ${id} fails, this step is not sent`,
          `to send it without the result, add onError: continue to the step ${id}; else add an if that reads the result`,
        );
      }
    }
  }
}

function showsOnlyResults({ text, expressions = [] }: ParameterText): boolean {
  const hasOtherText = LETTER.test(literalText(parseTemplate(text), ' '));
  return (
    !hasOtherText && expressions.every(({ expression: { names, reads } }) => reads.size > 0 && !names.has('item') && !names.has('items'))
  );
}

/** Warns of `held` in a rule that watches nothing: deferred slots are no changes. */
export function checkDeferredList(
  steps: readonly { readonly section: Section; readonly expressions: readonly CheckedExpression[] }[],
  { document, report }: CheckContext,
): void {
  for (const { expression, path, at } of steps.flatMap(({ section, expressions }) => (section === 'quiet' ? expressions : []))) {
    if (!expression.names.has('held')) continue;
    const hint = 'write then: hold or then: drop, or remove held';
    report.warning(document.textLocation(path, at), 'held-without-watch', 'held is always empty without watch', hint);
  }
}
