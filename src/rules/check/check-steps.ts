import { conditionSource } from '../expression/condition.ts';
import type { Place } from '../expression/expressions.ts';
import type { Given } from '../expression/never-true.ts';
import type { Section } from '../firing.ts';
import { parseDuration } from '#src/operation/duration.ts';
import type { StepDraft } from '../grammar/rule-file.ts';
import type { Step, StepNames } from '../step.ts';
import { checkCondition, checkList, type Checked } from './check-expression.ts';
import type { Desk } from './desk.ts';
import { checkParameters, checkTexts } from './parameters/check-parameters.ts';
import type { PlacedStep } from './place-steps.ts';
import { checkReads } from './check-reads.ts';
import { warnOfAbsence } from './warnings/warn-of-absence.ts';
import { unhandledLookUps, warnOfFailure, type LookUps } from './warnings/warn-of-failure.ts';
import { warnOfHeld } from './warnings/warn-of-held.ts';
import { warnOfLength } from './warnings/warn-of-length.ts';
import { warnOfNames } from './warnings/warn-of-names.ts';
import { warnOfSameTarget } from './warnings/warn-of-same-target.ts';
import { warnOfUnsupported } from './warnings/warn-of-unsupported.ts';

export interface CheckedSteps {
  readonly of: Readonly<Record<Section, readonly Step[]>>;
  /** Whether an expression of any looks at the whole list. */
  readonly readsList: boolean;
}

interface StepOptions {
  readonly names: StepNames;
  /** Of the rule, for what makes something new. */
  readonly maxAgeMs: number;
  /** What holds where `then` begins. */
  readonly given: Given | undefined;
}

/** Names that an expression sees more of than one item with. */
const WHOLE_LIST = ['items', 'changes'];

/** Checks all steps of a rule, one after the other: each reads what those before it made. */
export function checkSteps(placed: readonly PlacedStep[], options: StepOptions, desk: Desk): CheckedSteps {
  const lookUps = unhandledLookUps(placed);
  const checked = placed.map((step) => ({ ...checkStep(step, { ...options, lookUps }, desk), section: step.section }));
  checkReads(
    placed.map((step, index) => ({ ...step, reads: checked[index]?.expressions ?? [] })),
    desk,
  );
  warnOfSameTarget(placed, desk);
  if (options.names.watch === undefined) warnOfHeld(checked, desk);
  // A copy has no room to grow, of which a list that was put together has much.
  const stepsOf = (section: Section): readonly Step[] =>
    checked.flatMap((one) => (one.section === section && one.step ? [one.step] : [])).slice();
  return {
    of: { then: stepsOf('then'), while: stepsOf('while'), finally: stepsOf('finally'), quiet: stepsOf('quiet') },
    readsList: checked.some(({ expressions }) =>
      expressions.some(({ expression }) => WHOLE_LIST.some((name) => expression.names.has(name))),
    ),
  };
}

function checkStep(
  placed: PlacedStep,
  { names, maxAgeMs, given, lookUps }: StepOptions & { readonly lookUps: LookUps },
  desk: Desk,
): { readonly step: Step | undefined; readonly expressions: readonly Checked[] } {
  const { draft, path, number, declared, accounts, section, afterMs } = placed;
  const kind = section === 'quiet' ? 'quiet' : 'step';
  const list =
    draft.forEach === undefined ? undefined : checkList(draft.forEach, { path: [...path, 'forEach'], place: { kind, names } }, desk);
  // Of a list that is wrong nobody knows what its elements are.
  if (draft.forEach !== undefined && !list) return { step: undefined, expressions: [] };
  const place: Place = { kind, names, forEach: list?.expression.source };
  const asking = { path: [...path, 'if'], place, given: section === 'then' && afterMs === undefined ? given : undefined };
  const condition = draft.if === undefined ? undefined : checkCondition(draft.if, asking, desk);
  const asked = [list, condition].filter((one) => one !== undefined);
  if (draft.do === undefined || !declared) {
    return { step: undefined, expressions: [...asked, ...checkTexts({ path: [...path, 'with'], place }, desk)] };
  }
  const { value, expressions, texts } = checkParameters(declared, { path: [...path, 'with'], place }, desk);
  warnOfAbsence(texts, { step: placed, names }, desk);
  if (declared.kind === 'write') warnOfFailure(texts, { step: placed, ifReads: condition?.expression.reads, lookUps }, desk);
  warnOfLength(texts, placed, desk);
  warnOfNames(texts, placed, desk);
  warnOfUnsupported(value, placed, desk);
  const all = [...asked, ...expressions];
  const creates = declared.kind === 'write' && declared.effect === 'creates';
  const step: Step = {
    id: draft.id,
    number,
    do: draft.do,
    creates,
    with: value,
    if: draft.if === undefined ? undefined : conditionSource(draft.if).source,
    forEach: list?.expression.source,
    as: accounts,
    reads: [...new Set(all.flatMap(({ expression }) => [...expression.reads.keys()]))],
    afterMs,
    maxAgeMs: draft.maxAge === undefined ? (creates && isOpening(section) ? maxAgeMs : undefined) : parseDuration(draft.maxAge),
    fit: draft.fit,
    onError: draft.onError,
    strict: draft.strict,
    retry: retryOf(draft),
  };
  return { step, expressions: all };
}

/** Whether what a section makes is news that grow old. */
function isOpening(section: Section): boolean {
  return section === 'then' || section === 'quiet';
}

function retryOf({ retry }: StepDraft): Step['retry'] {
  if (!retry || (retry.for === undefined && retry.attempts === undefined)) return undefined;
  return { forMs: retry.for === undefined ? undefined : parseDuration(retry.for), attempts: retry.attempts };
}
