import type { Declared } from '#src/operation/declared.ts';
import type { Path } from '../document/report.ts';
import type { Section } from '../firing.ts';
import { parseDuration } from '#src/operation/duration.ts';
import type { RuleDraft, StepDraft } from '../grammar/rule-file.ts';
import type { StepNames } from '../step.ts';
import { closestName } from '../wording/closest-name.ts';
import { chooseAccounts } from './choose-accounts.ts';
import { isWritten, type Desk, type RuleDesk } from './desk.ts';

/** A step where it stands, with what does it and who. */
export interface PlacedStep {
  readonly section: Section;
  readonly path: Path;
  /** Its place in its list, from 1: waits have one, too. */
  readonly number: number;
  readonly draft: StepDraft;
  /** Absent: there is no such operation. */
  readonly declared: Declared | undefined;
  readonly accounts: readonly string[];
  /** The sum of the waits above it; absent: there is none. */
  readonly afterMs: number | undefined;
}

const SECTIONS = ['then', 'while', 'finally', 'quiet'] as const satisfies readonly Section[];

/** All steps of a rule, in the order of their sections. */
export function placeSteps(draft: RuleDraft, desk: RuleDesk): readonly PlacedStep[] {
  const placed = SECTIONS.flatMap((section) => placeList(section, stepsOf(draft, section), desk));
  reportTwice(placed, desk);
  return placed;
}

/** What expressions of steps can say of steps. */
export function stepNames(placed: readonly PlacedStep[]): Pick<StepNames, 'steps' | 'accounts' | 'lists'> {
  const named = placed.flatMap((step) => (step.draft.id === undefined ? [] : [{ ...step, id: step.draft.id }]));
  const lists = named.filter(({ draft }) => draft.forEach !== undefined).map(({ id }) => id);
  return {
    steps: Object.fromEntries(named.map(({ id, draft }) => [id, draft.do ?? ''])),
    accounts: named.length === 0 ? undefined : Object.fromEntries(named.map(({ id, accounts }) => [id, accounts])),
    lists: lists.length === 0 ? undefined : lists,
  };
}

function stepsOf(draft: RuleDraft, section: Section): readonly (StepDraft | null)[] {
  if (section !== 'quiet') return draft[section] ?? [];
  const steps = draft.quiet?.then;
  return steps === undefined || typeof steps === 'string' ? [] : steps;
}

function placeList(section: Section, steps: readonly (StepDraft | null)[], desk: RuleDesk): readonly PlacedStep[] {
  const { document, report } = desk;
  const above: Path = section === 'quiet' ? ['quiet', 'then'] : [section];
  const placed: PlacedStep[] = [];
  let afterMs: number | undefined;
  for (const [index, draft] of steps.entries()) {
    const path = [...above, index];
    if (draft === null) continue;
    if (!isWritten(desk, [...path, 'wait'])) {
      placed.push({ section, path, number: index + 1, draft, afterMs, ...findOperation(draft, { section, path }, desk) });
      continue;
    }
    afterMs = (afterMs ?? 0) + (parseDuration(draft.wait ?? '') ?? 0);
    const [other] = Object.keys(draft).filter((key) => key !== 'wait');
    if (other !== undefined)
      report.error(
        document.keySpot(path, other),
        `a wait is a step of its own: ${other} cannot stand beside it`,
        'begin the next step with - ',
      );
    else if (index === steps.length - 1 && !report.hasGaps) report.warning(document.spot(path), 'nothing comes after this wait');
  }
  return placed;
}

function findOperation(
  { do: verb, as }: StepDraft,
  { section, path }: Pick<PlacedStep, 'section' | 'path'>,
  desk: RuleDesk,
): Pick<PlacedStep, 'declared' | 'accounts'> {
  const { document, report, catalogue } = desk;
  const spot = document.spot([...path, 'do']);
  const declared = verb === undefined ? undefined : catalogue.get(verb);
  if (verb === undefined) {
    if (!isWritten(desk, [...path, 'do']) && !report.hasGaps)
      report.error(spot, 'do is missing', 'a step is do: and an operation, or wait: and a time');
    return { declared, accounts: [] };
  }
  if (!declared) {
    const meant = closestName(verb, catalogue.keys());
    report.error(spot, `there is no operation ${verb}`, meant && `did you mean ${meant}?`);
    return { declared, accounts: [] };
  }
  if (section === 'while' && declared.kind === 'write' && declared.effect === 'creates') {
    report.error(spot, `${verb} would make something new at every poll`, 'a step in while sets something, as discord.edit does');
  }
  const named = as === undefined ? undefined : [as].flat().filter((name) => name !== null);
  return { declared, accounts: chooseAccounts({ verb, path: [...path, 'as'], named }, desk) };
}

function reportTwice(placed: readonly PlacedStep[], { document, report }: Desk): void {
  const seen = new Set<string>();
  for (const { draft, path } of placed) {
    const { id } = draft;
    if (id === undefined) continue;
    if (seen.has(id))
      report.error(document.spot([...path, 'id']), `another step has the id ${id}`, 'results are read by it: choose another');
    seen.add(id);
  }
}
