import type { Declared } from '#src/clients/operation/declared.ts';
import { parseDuration } from '#src/clients/operation/duration.ts';
import { COLLECTING_SECTIONS, isCollecting } from '#src/rules/collecting.ts';
import type { Path } from '#src/rules/document/report.ts';
import type { Section } from '#src/rules/firing.ts';
import { isTemplate } from '#src/rules/grammar/template.ts';
import type { RuleDraft, StepDraft } from '#src/rules/grammar/rule-file.ts';
import type { StepNames } from '#src/rules/step.ts';
import { isSet, type CheckContext, type RuleCheckContext } from './check-context.ts';
import { isMeant } from './meant-keys.ts';
import { operationHint } from './suggest-operation.ts';
import { accountsOfItem, chooseAccounts } from './choose-accounts.ts';
import { isItemAccount } from '#src/rules/grammar/scalars.ts';
import type { Watched } from '#src/rules/rule.ts';

/** A step with its position, operation and accounts. */
export interface PlacedStep {
  readonly section: Section;
  readonly path: Path;
  /** Its position in its list, from 1. Waits count. */
  readonly number: number;
  readonly draft: StepDraft;
  /** Undefined for an unknown operation. */
  readonly declared: Declared | undefined;
  readonly accounts: readonly string[];
  /** Whether only the account that read the item runs it. */
  readonly asItem?: boolean | undefined;
  /** The sum of the waits above it; undefined without waits. */
  readonly afterMs: number | undefined;
}

const SECTIONS = ['then', 'while', 'finally', ...COLLECTING_SECTIONS] as const satisfies readonly Section[];

/** All steps of a rule, in the order of their sections. */
export function placeSteps(draft: RuleDraft, watched: Watched | undefined, context: RuleCheckContext): readonly PlacedStep[] {
  const placed = SECTIONS.flatMap((section) => placeList(section, stepsOf(draft, section), { watched, context }));
  reportDuplicateIds(placed, context);
  return placed;
}

/** The names of steps, as expressions see them. */
export function stepNames(placed: readonly PlacedStep[]): Pick<StepNames, 'steps' | 'accounts' | 'choices' | 'lists'> {
  const named = placed.flatMap((step) => (step.draft.id === undefined ? [] : [{ ...step, id: step.draft.id }]));
  const fixed = named.filter(({ asItem }) => asItem !== true);
  const lists = named.filter(({ draft }) => draft.forEach !== undefined).map(({ id }) => id);
  const choices = named.flatMap(({ id, draft }) => {
    const fixedOnes = fixedChoices(draft);
    return fixedOnes ? [[id, fixedOnes] as const] : [];
  });
  return {
    steps: Object.fromEntries(named.map(({ id, draft }) => [id, draft.do ?? ''])),
    accounts: fixed.length === 0 ? undefined : Object.fromEntries(fixed.map(({ id, accounts }) => [id, accounts])),
    choices: choices.length === 0 ? undefined : Object.fromEntries(choices),
    lists: lists.length === 0 ? undefined : lists,
  };
}

/** The choices of a question; undefined: an expression has some of them, or the step asks nothing. */
function fixedChoices({ do: verb, with: { choices } = {} }: StepDraft): readonly string[] | undefined {
  const isFixed = (one: unknown): one is string => typeof one === 'string' && !isTemplate(one);
  return verb === 'discord.ask' && Array.isArray(choices) && choices.every(isFixed) ? choices : undefined;
}

/** Reports a rule without any step. A rule may only edit, or only act at the end of an episode. */
export function checkThen(draft: RuleDraft, context: CheckContext): void {
  const { document, report } = context;
  const isMissing = !isMeant(context, ['then']);
  const isEmpty = isMissing || draft.then?.length === 0;
  const hasSteps = (section: Section): boolean => stepsOf(draft, section).length > 0 || isMisspelled([section, 'then'], context);
  if (!isEmpty || SECTIONS.some(hasSteps)) return;
  if (!isMissing) report.error(document.locationOf(['then']), 'wrong-value', 'expected a list of at least 1, found an empty list');
  else if (!report.hasUnreadableLines) report.error(document.locationOf(['then']), 'missing-key', 'then is missing', 'add then:');
}

/** Whether an unknown key is probably this one, so that its error is enough. */
function isMisspelled(path: Path, context: CheckContext): boolean {
  return context.document.nodeAt(path) === undefined && isMeant(context, path);
}

function stepsOf(draft: RuleDraft, section: Section): readonly (StepDraft | null)[] {
  const steps = isCollecting(section) ? draft[section]?.then : draft[section];
  return steps === undefined || typeof steps === 'string' ? [] : steps;
}

interface PlaceOptions {
  /** Undefined if the rule watches nothing, or its list has errors. */
  readonly watched: Watched | undefined;
  readonly context: RuleCheckContext;
}

function placeList(section: Section, steps: readonly (StepDraft | null)[], { watched, context }: PlaceOptions): readonly PlacedStep[] {
  const { document, report } = context;
  const above: Path = isCollecting(section) ? [section, 'then'] : [section];
  const placed: PlacedStep[] = [];
  let afterMs: number | undefined;
  for (const [index, draft] of steps.entries()) {
    const path = [...above, index];
    if (draft === null) continue;
    if (!isSet(context, [...path, 'wait'])) {
      placed.push({ section, path, number: index + 1, draft, afterMs, ...findOperation(draft, { section, path }, { watched, context }) });
      continue;
    }
    afterMs = (afterMs ?? 0) + (parseDuration(draft.wait ?? '') ?? 0);
    const [other] = Object.keys(draft).filter((key) => key !== 'wait');
    if (other !== undefined) {
      const message = `a step with wait cannot have ${other}`;
      report.error(document.keyLocation(path, other), 'wait-with-keys', message, 'put wait in a separate step, which starts with - ');
    } else if (index === steps.length - 1 && !report.hasUnreadableLines) {
      report.warning(document.locationOf(path), 'last-wait', 'no step follows this wait', 'remove it, or add a step below it');
    }
  }
  return placed;
}

function findOperation(
  { do: verb, as, every }: StepDraft,
  { section, path }: Pick<PlacedStep, 'section' | 'path'>,
  { watched, context }: PlaceOptions,
): Pick<PlacedStep, 'declared' | 'accounts' | 'asItem'> {
  const { document, report, catalogue } = context;
  const location = document.locationOf([...path, 'do']);
  const declared = verb === undefined ? undefined : catalogue.get(verb);
  if (verb === undefined) {
    const isNamed = ['do', 'wait'].some((key) => isMeant(context, [...path, key]));
    if (!isNamed && !report.hasUnreadableLines) {
      report.error(location, 'missing-do', 'do is missing', 'add do: with an operation, or wait: with a duration');
    }
    return { declared, accounts: [] };
  }
  if (!declared) {
    const isReply = /^discord\.(?:reply|respond)$/u.test(verb) && isMeant(context, ['when', 'command']);
    const hint = isReply ? 'did you mean discord.answer?' : operationHint(verb, catalogue.keys());
    report.error(location, 'unknown-operation', `unknown operation ${verb}`, hint);
    return { declared, accounts: [] };
  }
  const isRepeated = every !== undefined || isMeant(context, [...path, 'every']);
  if (section === 'while' && !isRepeated && declared.kind === 'write' && declared.effect === 'creates') {
    const message = `${verb} would create something at every poll`;
    const hint = 'add every, for example every: 4h, or use an operation that changes something that exists, for example discord.edit';
    report.error(location, 'creates-in-while', message, hint);
  }
  if (isItemAccount(as)) {
    const accounts = accountsOfItem({ verb, declared, section, path: [...path, 'as'] }, watched, context);
    return { declared, accounts, asItem: true };
  }
  const named = as === undefined ? undefined : [as].flat().filter((name) => name !== null);
  return { declared, accounts: chooseAccounts({ verb, path: [...path, 'as'], named }, context) };
}

function reportDuplicateIds(placed: readonly PlacedStep[], { document, report }: CheckContext): void {
  const seen = new Set<string>();
  for (const { draft, path } of placed) {
    const { id } = draft;
    if (id === undefined) continue;
    if (seen.has(id)) {
      const location = document.locationOf([...path, 'id']);
      report.error(location, 'duplicate-step', `another step has the id ${id}`, 'choose another id');
    }
    seen.add(id);
  }
}
