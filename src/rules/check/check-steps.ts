import type { Declared } from '#src/operation/declared.ts';
import type { Path } from '../document/report.ts';
import { conditionSource } from '../expression/condition.ts';
import type { Section } from '../firing.ts';
import type { RuleDraft, StepDraft } from '../grammar/rule-file.ts';
import type { Step, StepNames } from '../step.ts';
import { closestName } from '../wording/closest-name.ts';
import { checkCondition, type Checked } from './check-expression.ts';
import { chooseAccounts } from './choose-accounts.ts';
import type { Desk } from './desk.ts';
import { checkParameters } from './parameters/check-parameters.ts';

const SECTIONS = ['then', 'while', 'finally'] as const satisfies readonly Section[];

/** Names that an expression sees more of than one item with. */
const WHOLE_LIST = ['items', 'changes'];

export interface CheckedSteps {
  readonly steps: readonly Step[];
  readonly readsList: boolean;
}

interface Listed {
  readonly section: Section;
  readonly names: StepNames;
  /** The steps that are done by then. */
  readonly earlier: ReadonlySet<string>;
}

/** The verbs behind all ids of steps; an id that stands twice is reported. */
export function stepVerbs(draft: RuleDraft, { document, report }: Desk): Readonly<Record<string, string>> {
  const verbs = new Map<string, string>();
  for (const section of SECTIONS) {
    for (const [index, step] of (draft[section] ?? []).entries()) {
      if (step?.id === undefined) continue;
      if (verbs.has(step.id))
        report.error(document.spot([section, index, 'id']), `another step has the id ${step.id}`, 'results are read by it: choose another');
      else verbs.set(step.id, step.do ?? '');
    }
  }
  return Object.fromEntries(verbs);
}

/** The steps of one section, which follow those of `then` where it is another. */
export function checkSteps(draft: RuleDraft, { section, names }: Omit<Listed, 'earlier'>, desk: Desk): CheckedSteps {
  const earlier = new Set(section === 'then' ? [] : idsOf(draft.then));
  const checked: CheckedSteps[] = [];
  for (const [index, step] of (draft[section] ?? []).entries()) {
    if (step !== null) checked.push(checkStep(step, [section, index], { section, names, earlier }, desk));
    if (step?.id !== undefined) earlier.add(step.id);
  }
  return { steps: checked.flatMap(({ steps }) => steps), readsList: checked.some(({ readsList }) => readsList) };
}

function idsOf(steps: RuleDraft['then']): readonly string[] {
  return (steps ?? []).flatMap((step) => step?.id ?? []);
}

function checkStep(step: StepDraft, path: Path, listed: Listed, desk: Desk): CheckedSteps {
  const place = { kind: 'step', names: listed.names } as const;
  const condition = step.if === undefined ? undefined : checkCondition(step.if, { path: [...path, 'if'], place }, desk);
  const declared = step.do === undefined ? undefined : findOperation(step.do, { path, section: listed.section }, desk);
  if (step.do === undefined || !declared) return { steps: [], readsList: false };

  const { value, expressions } = checkParameters(declared, { path: [...path, 'with'], place }, desk);
  const all = condition ? [condition, ...expressions] : expressions;
  for (const checked of all) reportUnready(checked, { id: step.id, earlier: listed.earlier }, desk);
  const named = step.as === undefined ? undefined : [step.as].flat().filter((name) => name !== null);
  return {
    steps: [
      {
        id: step.id,
        do: step.do,
        creates: declared.kind === 'write' && declared.effect === 'creates',
        with: value,
        if: step.if === undefined ? undefined : conditionSource(step.if).source,
        as: chooseAccounts({ verb: step.do, path: [...path, 'as'], named }, desk),
        reads: [...new Set(all.flatMap(({ expression }) => [...expression.steps.keys()]))],
      },
    ],
    readsList: all.some(({ expression }) => WHOLE_LIST.some((name) => expression.names.has(name))),
  };
}

function findOperation(
  verb: string,
  { path, section }: { readonly path: Path; readonly section: Section },
  { document, report, catalogue }: Desk,
): Declared | undefined {
  const declared = catalogue.get(verb);
  const spot = document.spot([...path, 'do']);
  if (!declared) {
    const meant = closestName(verb, catalogue.keys());
    report.error(spot, `there is no operation ${verb}`, meant && `did you mean ${meant}?`);
  } else if (section === 'while' && declared.kind === 'write' && declared.effect === 'creates') {
    report.error(spot, `${verb} would make something new at every poll`, 'a step in while sets something, as discord.edit does');
  }
  return declared;
}

/** Says where a step reads what is not there yet. */
function reportUnready(
  { expression, path, at }: Checked,
  { id, earlier }: { readonly id: string | undefined; readonly earlier: ReadonlySet<string> },
  { document, report }: Desk,
): void {
  for (const [read, offset] of expression.steps) {
    if (earlier.has(read)) continue;
    const spot = document.textSpot(path, at + offset);
    if (read === id) report.error(spot, 'a step cannot read its own result');
    else
      report.error(spot, `the step ${read} is not done by then`, 'a step reads those above it; while and finally read those of then, too');
  }
}
