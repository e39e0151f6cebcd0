import type { Catalogue } from '#src/operation/catalogue.ts';
import { isJsonObject, type Json } from '#src/operation/json.ts';
import type { Accounts } from '../accounts.ts';
import { plainValue, TooLarge } from '../document/plain-value.ts';
import { readDocument } from '../document/read-document.ts';
import { Report } from '../document/report.ts';
import { conditionOf } from '../expression/condition.ts';
import { parseDuration } from '../grammar/duration.ts';
import { RuleFile, type RuleDraft } from '../grammar/rule-file.ts';
import type { Problem } from '../problem.ts';
import type { Rule } from '../rule.ts';
import { shapeOf } from '../shape/shape.ts';
import type { StepNames } from '../step.ts';
import { checkCondition } from './check-expression.ts';
import { checkSchedule, maxAgeOf } from './check-schedule.ts';
import { checkSteps, stepVerbs } from './check-steps.ts';
import { checkWatch } from './check-watch.ts';
import { isWritten, type Desk } from './desk.ts';
import { checkStructure } from './structure.ts';
import { warn, warnOfComment } from './warnings.ts';

export interface CheckRuleOptions {
  /** The name of the file, as problems show it. */
  readonly file: string;
  readonly source: string;
  readonly catalogue: Catalogue;
  readonly accounts: Accounts;
}

/** A file that was checked: a rule that can run, unless there is an error among its problems. */
export interface CheckedRule {
  readonly rule?: Rule | undefined;
  readonly problems: readonly Problem[];
}

/** The rule in a file, with everything that is wrong with it. */
export function checkRule({ file, source: given, catalogue, accounts }: CheckRuleOptions): CheckedRule {
  const source = given.replace(/^\uFEFF/u, '');
  const report = new Report(file, source);
  const document = readDocument(source, report);
  if (!document) return { problems: report.problems };
  try {
    const rule = readRule(file, { document, report, catalogue, accounts });
    return { rule: report.hasErrors ? undefined : rule, problems: report.problems };
  } catch (error) {
    if (!(error instanceof TooLarge)) throw error;
    report.error({ path: [], offset: 0 }, 'the file is larger inside than any rule is', 'does an alias stand for something that holds it?');
    return { problems: report.problems };
  }
}

function readRule(file: string, desk: Desk): Rule | undefined {
  const { catalogue } = desk;
  const draft = readDraft(desk);
  if (!draft) return undefined;
  const { id = '', when = {} } = draft;
  warnOfComment(['about'], desk);

  const schedule = isWritten(desk, ['when']) ? checkSchedule(when, desk) : undefined;
  const watched = checkWatch(when, desk);
  const names: StepNames = { watch: isWritten(desk, ['when', 'watch']) ? (when.watch ?? '') : undefined, steps: stepVerbs(draft, desk) };
  const place = { kind: 'firing', names: { ...names, steps: {} } } as const;
  if (draft.if !== undefined) checkCondition(draft.if, { path: ['if'], place }, desk);
  checkSections(draft, desk);
  const [opening, lasting, closing] = [
    checkSteps(draft, { section: 'then', names }, desk),
    checkSteps(draft, { section: 'while', names }, desk),
    checkSteps(draft, { section: 'finally', names }, desk),
  ];
  const cooldown = checkCooldown(draft, desk);
  warn({ draft, schedule, watched }, desk);

  if (!schedule) return undefined;
  return {
    id,
    about: draft.about,
    file,
    enabled: draft.enabled ?? true,
    schedule,
    missed: when.missed ?? 'once',
    maxAgeMs: maxAgeOf(when, schedule),
    watched,
    if: draft.if === undefined ? undefined : conditionOf(draft.if, { place, catalogue }),
    cooldown,
    then: opening.steps,
    while: lasting.steps,
    finally: closing.steps,
    names,
    readsList: [opening, lasting, closing].some(({ readsList }) => readsList),
  };
}

function readDraft(desk: Desk): RuleDraft | undefined {
  const value = plainValue(desk.document, [], shapeOf(RuleFile));
  const left: Json | undefined = checkStructure(RuleFile, value, { desk, path: [] });
  return isJsonObject(left) ? (left as RuleDraft) : undefined; // checkStructure() left only what fits RuleFile
}

/** `while` and `finally` go with an episode that `then` opened. */
function checkSections(draft: RuleDraft, desk: Desk): void {
  const { document, report } = desk;
  for (const section of ['while', 'finally'] as const) {
    if (!isWritten(desk, [section]) || report.hasGaps) continue;
    const spot = document.keySpot([], section);
    const changes = draft.when?.changes ?? ['entered'];
    if (!isWritten(desk, ['when', 'watch'])) report.error(spot, `${section} needs watch: nothing lasts where nothing is watched`);
    else if (!changes.includes('entered') && !changes.includes(null))
      report.error(spot, `${section} goes with what entered`, 'add entered to changes');
  }
}

function checkCooldown({ cooldown }: RuleDraft, desk: Desk): Rule['cooldown'] {
  const isWatching = isWritten(desk, ['when', 'watch']);
  const given = typeof cooldown === 'string' ? { for: cooldown, per: undefined } : cooldown;
  if (given?.per === 'item' && !isWatching && !desk.report.hasGaps) {
    desk.report.error(desk.document.spot(['cooldown', 'per']), 'per: item needs watch: without it there are no items', 'write per: rule');
  }
  if (given?.for === undefined) return undefined;
  return { forMs: parseDuration(given.for) ?? 0, per: given.per ?? (isWatching ? 'item' : 'rule') };
}
