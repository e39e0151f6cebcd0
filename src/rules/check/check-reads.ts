import { parseDuration } from '#src/clients/operation/duration.ts';
import { isCollecting } from '#src/rules/collecting.ts';
import { episodeStepOf } from '#src/rules/expression/reads.ts';
import type { Location, Path } from '#src/rules/document/report.ts';
import { shapeAt, shapeOf, textOf } from '#src/rules/shape/shape.ts';
import type { Section } from '#src/rules/firing.ts';
import type { CheckContext } from './check-context.ts';
import type { CheckedExpression } from './check-expression.ts';
import { clientOf } from './choose-accounts.ts';
import type { PlacedStep } from './place-steps.ts';

/** A step with its expressions. */
interface ReadingStep extends PlacedStep {
  readonly reads: readonly CheckedExpression[];
}

/** Reports reads of results that do not exist yet, or that none of the step's accounts made. */
export function checkReads(
  steps: readonly ReadingStep[],
  { isOnce, context }: { readonly isOnce: boolean; readonly context: CheckContext },
): void {
  const { document, report } = context;
  const byId = new Map(steps.flatMap((step) => (step.draft.id === undefined ? [] : [[step.draft.id, step] as const])));
  const done = new Set<ReadingStep>();
  for (const step of steps) {
    for (const { expression, path, at } of step.reads) {
      for (const [read, offset] of expression.reads) {
        const [name = '', kind] = read.split('.');
        const earlier = episodeStepOf(name);
        const id = earlier ?? name;
        const source = byId.get(id);
        if (!source) continue;
        const location = document.textLocation(path, at + offset);
        const result = { id, step, source, location };
        if (earlier !== undefined && !checkEarlierResult(result, { isOnce, context })) continue;
        if (earlier === undefined && source === step) report.error(location, 'reads-itself', 'a step cannot read its own result');
        else if (earlier === undefined && !isVisible(source, step, done)) {
          const { message, hint } = describeInvisible(source, step);
          report.error(location, 'reads-later-step', message, hint);
        } else if (earlier === undefined && !isSentWith(source, step)) {
          const message = `the step ${id} runs only each ${source.draft.every ?? ''}, so it has no result at other polls`;
          report.error(location, 'reads-repeated-step', message, `add every: ${source.draft.every ?? ''} to this step`);
        } else if (kind === 'own') checkSameAccountResult(result, context);
        else if (kind === undefined && !isProse(path, step)) checkFirstResult(result, context);
      }
    }
    done.add(step);
  }
}

/** Reports a result that no earlier firing of the episode can have; false: it was reported. */
function checkEarlierResult(
  { id, step, source, location }: ResultRead,
  { isOnce, context: { report } }: { readonly isOnce: boolean; readonly context: CheckContext },
): boolean {
  if (source.section !== 'then') {
    const message = `episode.steps has the results of then, and the step ${id} is in ${source.section}`;
    const hint = source.section === step.section ? `write steps.${id} in a later step of ${source.section}` : hintForOther(source, step);
    report.error(location, 'not-of-then', message, hint);
    return false;
  }
  if (source.draft.forEach !== undefined) {
    report.error(location, 'earlier-list', `episode.steps has no results of steps with forEach, as ${id}`, 'read a step without forEach');
    return false;
  }
  if (step.section === 'then' && isOnce) {
    const message = `episode.steps.${id} is always empty: then runs once in an episode`;
    report.warning(location, 'no-earlier-firing', message, `write steps.${id}, or add another change to changes`);
  }
  return true;
}

/** Whether the results of a step above are visible to another step. */
function isVisible(source: ReadingStep, { section }: ReadingStep, done: ReadonlySet<ReadingStep>): boolean {
  return done.has(source) && (source.section === section || (source.section === 'then' && !isCollecting(section)));
}

/** The sections of an episode, in the order in which they run. */
const IN_ORDER: readonly Section[] = ['then', 'while', 'finally'];

/** Why a step cannot read the result of another one, and what to write. */
function describeInvisible(source: ReadingStep, step: ReadingStep): { readonly message: string; readonly hint: string } {
  const id = source.draft.id ?? '';
  const [place, stepPlace] = [source, step].map(({ section }) => IN_ORDER.indexOf(section));
  if (source.section === step.section || (stepPlace !== -1 && Number(place) > Number(stepPlace))) {
    const hint = 'a step can read the steps above it; while and finally can also read the steps of then';
    return { message: `the step ${id} runs later than this one`, hint };
  }
  return { message: `the step ${id} is in ${source.section}, and ${step.section} cannot read it`, hint: hintForOther(source, step) };
}

/** A step that an episode or another firing sent is found in the history. */
function hintForOther({ draft: { id = '' }, declared }: ReadingStep, { section }: ReadingStep): string {
  if (declared?.kind !== 'write') return `repeat the look-up in ${section}`;
  return `look up what it sent, in a step with do: history.getDeliveries and with: { rule: "\${{ rule.id }}", step: ${id} }`;
}

/** Whether a step of `while` runs at each poll at which another one runs. */
function isSentWith({ draft: { every } }: ReadingStep, { draft }: ReadingStep): boolean {
  const [sourceMs, stepMs] = [every, draft.every].map((text) => (text === undefined ? undefined : parseDuration(text)));
  return sourceMs === undefined || (stepMs !== undefined && stepMs % sourceMs === 0);
}

interface ResultRead {
  readonly id: string;
  readonly step: ReadingStep;
  readonly source: ReadingStep;
  readonly location: Location;
}

/** Reports `steps.<id>.own` for accounts that do not run the step `<id>`. */
function checkSameAccountResult({ id, step, source, location }: ResultRead, { report }: CheckContext): void {
  const missing = step.accounts.filter((account) => !source.accounts.includes(account));
  if (missing.length === 0 || source.accounts.length === 0) return;
  const message = `steps.${id}.own is empty for ${missing.join(', ')}: the step ${id} runs on ${source.accounts.join(', ')}`;
  if (missing.length < step.accounts.length) report.warning(location, 'empty-own', message);
  else report.error(location, 'empty-own', message, `write steps.${id} for its first account, or steps.${id}.on.<account>`);
}

/** Warns of a parameter that gives the record of one account to all accounts: no platform knows the posts of another. */
function checkFirstResult({ id, step, source, location }: ResultRead, { report }: CheckContext): void {
  const [first] = source.accounts;
  const others = step.accounts.filter((account) => account !== first);
  const isSameClient = clientOf(step.draft.do ?? '') === clientOf(source.draft.do ?? '');
  if (first === undefined || source.asItem === true || source.accounts.length < 2 || others.length === 0 || !isSameClient) return;
  const message = `steps.${id} is the result of ${first}, but ${others.join(', ')} would also use it`;
  report.warning(location, 'first-result-for-all', message, `write steps.${id}.own, as steps.${id}.own.id`);
}

/** Whether a parameter is text for readers, who can follow the link of another platform's post. */
function isProse(path: Path, { declared, path: stepPath }: ReadingStep): boolean {
  const [key, ...within] = path.slice(stepPath.length);
  const shape = key === 'with' && declared ? shapeAt(shapeOf(declared.params), within) : undefined;
  return key !== 'with' || (shape !== undefined && textOf(shape)?.markup !== undefined);
}
