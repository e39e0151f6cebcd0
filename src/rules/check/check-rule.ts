import type { Catalogue } from '#src/operation/declared.ts';
import { isJsonObject, type Json } from '#src/operation/json.ts';
import type { Accounts } from '../accounts.ts';
import type { Diagnostic } from '../diagnostic.ts';
import { plainValue, TooLarge } from '../document/plain-value.ts';
import { readDocument } from '../document/read-document.ts';
import { Report, type NamedFile } from '../document/report.ts';
import { conditionOf } from '../expression/condition.ts';
import { hash } from '../firing.ts';
import { RuleFile, type RuleDraft } from '../grammar/rule-file.ts';
import type { Rule } from '../rule.ts';
import { shapeOf } from '../shape/shape.ts';
import type { Step, StepNames } from '../step.ts';
import { isSet, type CheckContext, type IsOn, type RuleCheckContext } from './check-context.ts';
import { checkListSettings } from './check-changes.ts';
import { checkCondition } from './check-expression.ts';
import { checkCooldown, checkFuse, checkQuiet, checkSections, fuseOf } from './check-gates.ts';
import { checkSchedule, maxAgeOf } from './check-schedule.ts';
import { checkSteps } from './check-steps.ts';
import { checkStructure } from './check-structure.ts';
import { checkWatch, knownFacts } from './check-watch.ts';
import { editedMessagesOf, followedRules, type EditedMessage, type FollowedRule } from './cross-references.ts';
import { fixValues } from './fixed-values.ts';
import { readInstances } from './instances.ts';
import { channelPositions } from './channel-positions.ts';
import { intern, internNames } from './intern.ts';
import { isMeant } from './meant-keys.ts';
import { checkThen, placeSteps, stepNames } from './place-steps.ts';
import { checkTrailingComment } from './text-warnings.ts';

export interface CheckRuleOptions {
  /** The file name for diagnostics. */
  readonly file: string;
  readonly source: string;
  readonly catalogue: Catalogue;
  readonly accounts: Accounts;
  /** The current time, to warn of a past `at`, in milliseconds since 1970. */
  readonly nowMs?: number | undefined;
  /** Whether a rule runs in this installation. Missing accounts of a rule that is off are warnings. */
  readonly isOn?: IsOn | undefined;
}

/** A checked rule file. With an error among the diagnostics, it has no rules. */
export interface CheckedRule {
  /** One rule, or one for each instance of `each`. */
  readonly rules: readonly Rule[];
  readonly diagnostics: readonly Diagnostic[];
  readonly editedMessages: readonly EditedMessage[];
  readonly follows: readonly FollowedRule[];
  /** The local files that the rules name. */
  readonly files: readonly NamedFile[];
}

/** Checks a rule file: its rules and all diagnostics. */
export function checkRule({ file, source: text, ...options }: CheckRuleOptions): CheckedRule {
  const source = text.replace(/^\uFEFF/u, '');
  const report = new Report(file, source);
  const document = readDocument(source, report);
  const nothing = { rules: [], editedMessages: [], follows: [], files: [] };
  if (!document) return { ...nothing, diagnostics: report.diagnostics };
  try {
    const read = readRules({ file, source }, { document, report, ...options });
    return { ...(report.hasErrors ? nothing : { ...read, files: report.files }), diagnostics: report.diagnostics };
  } catch (error) {
    if (!(error instanceof TooLarge)) throw error;
    const message = 'the file is too large when its aliases are expanded';
    report.error({ path: [], offset: 0 }, 'too-large', message, 'check for an alias that contains itself');
    return { ...nothing, diagnostics: report.diagnostics };
  }
}

function readRules(
  from: { readonly file: string; readonly source: string },
  context: CheckContext,
): Pick<CheckedRule, 'rules' | 'editedMessages' | 'follows'> {
  const raw = plainValue(context.document, [], shapeOf(RuleFile));
  const rules: Rule[] = [];
  const editedMessages = new Map<string, EditedMessage>();
  const follows: FollowedRule[] = [];
  for (const { suffix, constants } of readInstances(raw, context)) {
    if (context.report.isFull) break;
    const read = readRule({ ...from, raw, suffix }, { ...context, constants });
    if (read.rule) rules.push(read.rule);
    follows.push(...read.follows);
    const repeated = rules.length > 1 ? read.editedMessages.filter(({ target }) => editedMessages.has(target)) : [];
    for (const { location } of repeated) {
      const message = 'every rule of each edits this message: only the last edit stays';
      context.report.warning(location, 'edited-by-each', message, 'use a value of each in it');
    }
    for (const one of read.editedMessages) editedMessages.set(one.target, one);
  }
  return { rules, editedMessages: [...editedMessages.values()], follows };
}

interface RuleSource {
  readonly file: string;
  readonly source: string;
  /** The file as plain values. */
  readonly raw: Json | undefined;
  /** The ids of the instance's values of `each`. */
  readonly suffix: string | undefined;
}

interface ReadRule {
  /** Undefined without a usable schedule. */
  readonly rule?: Rule;
  readonly editedMessages: readonly EditedMessage[];
  readonly follows: readonly FollowedRule[];
}

/** Checks one instance of a rule file. */
function readRule({ file, source, raw, suffix }: RuleSource, plain: CheckContext): ReadRule {
  const left = checkStructure(RuleFile, fixValues(raw, plain), { path: [] }, plain);
  if (!isJsonObject(left)) return { editedMessages: [], follows: [] };
  const draft = left as RuleDraft; // checkStructure() removed all parts that do not fit RuleFile
  const { id: name = '', was, when = {}, enabled = true } = draft;
  const context: RuleCheckContext = { ...plain, isOff: !(plain.isOn?.({ enabled }) ?? enabled !== false) };
  const { catalogue, report } = context;
  checkTrailingComment(['about'], context);
  if (was === name)
    report.error(context.document.locationOf(['was']), 'was-itself', 'was is the id of this rule', 'write the previous id, or remove was');

  const schedule = draft.when && checkSchedule(draft, context);
  const watched = checkWatch(when, context);
  checkThen(draft, context);
  const placed = placeSteps(draft, context);
  const names = namesOf(draft, stepNames(placed), context);
  const site = { kind: 'firing', names } as const;
  const facts = knownFacts(when, watched, context);
  if (draft.if !== undefined) checkCondition(draft.if, { path: ['if'], site, facts }, context);
  checkSections(draft, context);
  const maxAgeMs = maxAgeOf(when, schedule);
  const { of, readsList } = checkSteps(placed, { names, maxAgeMs, facts }, context);
  const cooldown = checkCooldown(draft, context);
  const quiet = checkQuiet(draft, of.quiet, context);
  if (watched) checkListSettings({ draft, schedule, watched, isPaged: catalogue.get(watched.verb)?.kind === 'list' }, context);

  const fuse = fuseOf(draft);
  // A rule that waits for changes fires at few slots.
  const firesAtSlots = when.per === 'slot' || !isMeant(context, ['when', 'watch']);
  if (schedule && firesAtSlots && !report.hasErrors) {
    checkFuse({ schedule, fuse, cooldown, hasCondition: draft.if !== undefined }, context);
  }

  const editedMessages = editedMessagesOf(placed, context);
  const follows = followedRules(when, placed, context);
  if (!schedule) return { editedMessages, follows };
  const idOf = (one: string): string => (suffix === undefined ? one : `${one}/${suffix}`);
  const id = idOf(name);
  const all = [...of.then, ...of.while, ...of.finally, ...of.quiet];
  const rule: Rule = {
    id,
    name,
    was: was === undefined ? undefined : idOf(was),
    version: versionOf(source, id, { watched: watched?.accounts ?? [], steps: all }),
    about: draft.about,
    file,
    enabled,
    enabledLine: isSet(context, ['enabled']) ? report.lineAt(context.document.keyLocation([], 'enabled')) : undefined,
    channels: channelPositions({ when, placed }, context),
    schedule: intern(schedule),
    missed: when.missed ?? 'once',
    maxAgeMs,
    watched,
    if: draft.if === undefined ? undefined : conditionOf(draft.if, { site, catalogue }),
    cooldown: cooldown && intern(cooldown),
    quiet,
    fuse: intern(fuse),
    mode: draft.mode ?? 'queued',
    max: draft.max ?? 10,
    then: of.then,
    while: of.while,
    finally: of.finally,
    names,
    readsList,
  };
  return { rule, editedMessages, follows };
}

function namesOf({ when = {} }: RuleDraft, steps: Pick<StepNames, 'steps' | 'accounts' | 'lists'>, context: CheckContext): StepNames {
  const isWatching = isMeant(context, ['when', 'watch']);
  return internNames({
    watch: isWatching ? (when.watch ?? '') : undefined,
    per: isWatching ? (when.per ?? 'item') : undefined,
    byAccount: Array.isArray(when.account) && when.account.length > 1 ? true : undefined,
    ...steps,
    constants: context.constants,
  });
}

/** A version that changes with the source, the id and the accounts of a rule. */
function versionOf(source: string, id: string, accounts: { readonly watched: readonly string[]; readonly steps: readonly Step[] }): string {
  return hash(source, id, JSON.stringify([accounts.watched, accounts.steps.map((step) => step.as)]));
}
