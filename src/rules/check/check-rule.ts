import type { Declared } from '#src/clients/operation/declared.ts';
import { parseDuration } from '#src/clients/operation/duration.ts';
import { isJsonObject, type Json } from '#src/clients/operation/json.ts';
import type { Diagnostic } from '#src/rules/diagnostic.ts';
import { plainValue, TooLarge } from '#src/rules/document/plain-value.ts';
import { readDocument } from '#src/rules/document/read-document.ts';
import { Report, type NamedFile } from '#src/rules/document/report.ts';
import { conditionOf } from '#src/rules/expression/condition.ts';
import { listsIn, mentionsLists, type ListShapes } from '#src/rules/expression/list-shapes.ts';
import { hash } from '#src/rules/firing.ts';
import { RuleFile, type RuleDraft } from '#src/rules/grammar/rule-file.ts';
import { PEOPLE_WATCH } from '#src/rules/grammar/when-file.ts';
import type { Rule } from '#src/rules/rule.ts';
import { shapeOf } from '#src/rules/shape/shape.ts';
import type { Step, StepNames } from '#src/rules/step.ts';
import { checkExcludedAudience, checkReaders } from './check-audience.ts';
import { isSet, type CheckContext, type RuleCheckContext } from './check-context.ts';
import { isListFile } from './check-list.ts';
import { checkListSettings } from './check-changes.ts';
import { checkTake } from './check-take.ts';
import { checkAnswers, checkCommand } from './check-command.ts';
import { checkGather, checkLimit } from './check-collections.ts';
import { checkCondition } from './check-expression.ts';
import { checkFuse, checkFuseOfLimit, fuseOf } from './check-fuse.ts';
import { checkCooldown, checkQuiet, checkQuietRuns } from './check-gates.ts';
import { checkKeep, keptTypes } from './check-keep.ts';
import { checkMaxAge } from './check-max-age.ts';
import { checkPostLoops } from './check-post-loops.ts';
import { checkSchedule, maxAgeOf } from './check-schedule.ts';
import { checkSections, checkSteps } from './check-steps.ts';
import { checkStructure } from './check-structure.ts';
import { checkWebhook } from './check-webhook.ts';
import { checkDelays } from './check-within.ts';
import { checkWatch, itemNames, knownFacts, whereTree } from './check-watch.ts';
import { decidingFields } from './deciding-fields.ts';
import { editedMessagesOf, followedRules, type EditedMessage, type FollowedRule } from './cross-references.ts';
import { fixValues } from './fixed-values.ts';
import { checkThousands } from './check-thousands.ts';
import { readInstances } from './instances.ts';
import { channelPositions } from './channel-positions.ts';
import { tracksOf } from './episode-tracks.ts';
import { intern, internNames } from './intern.ts';
import { isMeant, isWatching } from './meant-keys.ts';
import { checkThen, placeSteps, stepNames } from './place-steps.ts';
import { checkTrailingComment } from './text-warnings.ts';

export interface CheckRuleOptions extends Pick<CheckContext, 'catalogue' | 'accounts' | 'lists' | 'nowMs' | 'isOn'> {
  /** The file name for diagnostics. */
  readonly file: string;
  readonly source: string;
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
  const textVersion = hash(text);
  const report = new Report(file, source);
  const document = readDocument(source, report);
  const nothing = { rules: [], editedMessages: [], follows: [], files: [] };
  if (document && !report.hasErrors && isListFile(document)) {
    const hint = 'move a list into the folder lists beside the folder of the rules, and fanfare.yaml beside that folder';
    report.error({ path: [], offset: 0 }, 'not-a-rule', 'this file is no rule: it has no key of a rule', hint);
    return { ...nothing, diagnostics: report.diagnostics };
  }
  if (!document) return { ...nothing, diagnostics: report.diagnostics };
  try {
    const listShapes = listShapesOf(source, options.lists);
    const read = readRules({ file, source, textVersion }, { document, report, ...options, listShapes });
    return { ...(report.hasErrors ? nothing : { ...read, files: report.files }), diagnostics: report.diagnostics };
  } catch (error) {
    if (!(error instanceof TooLarge)) throw error;
    const message = 'the file is too large when its aliases are expanded';
    report.error({ path: [], offset: 0 }, 'too-large', message, 'check for an alias that contains itself');
    return { ...nothing, diagnostics: report.diagnostics };
  }
}

/** The lists that expressions of a file can read. Texts that are checked without the lists may name any. */
function listShapesOf(source: string, lists: ListShapes | undefined): ListShapes | undefined {
  if (!mentionsLists(source)) return undefined;
  return lists ?? Object.fromEntries(listsIn(source).map((name) => [name, null]));
}

function readRules(
  from: Pick<RuleSource, 'file' | 'source' | 'textVersion'>,
  context: CheckContext,
): Pick<CheckedRule, 'rules' | 'editedMessages' | 'follows'> {
  const raw = plainValue(context.document, [], shapeOf(RuleFile));
  const rules: Rule[] = [];
  const editedMessages = new Map<string, EditedMessage>();
  const follows: FollowedRule[] = [];
  for (const key of ['when', 'limit', 'gather', 'fuse', 'max']) checkThousands([key], context);
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
  readonly textVersion: string;
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

/** The most uses of a command that are answered at once, and the most webhooks that wait for their delivery. */
const MOST_USES = 100;

/** Checks one instance of a rule file. */
function readRule({ file, source, textVersion, raw, suffix }: RuleSource, plain: CheckContext): ReadRule {
  const left = checkStructure(RuleFile, fixValues(raw, plain), { path: [] }, plain);
  if (!isJsonObject(left)) return { editedMessages: [], follows: [] };
  const draft = withPeopleWatch(left as RuleDraft); // checkStructure() removed all parts that do not fit RuleFile
  const { id: name = '', was, when = {}, enabled = true } = draft;
  const context: RuleCheckContext = { ...plain, isOff: !(plain.isOn?.({ enabled }) ?? enabled !== false) };
  const { catalogue, report } = context;
  checkTrailingComment(['about'], context);
  if (was === name)
    report.error(context.document.locationOf(['was']), 'was-itself', 'was is the id of this rule', 'write the previous id, or remove was');

  const command = checkCommand(draft, context);
  const webhook = checkWebhook(draft, context);
  const isEvent = isMeant(context, ['when', 'command']) || isMeant(context, ['when', 'webhook']);
  const event = command ? { command: command.name } : webhook && { webhook: webhook.name };
  const schedule = event ?? (draft.when && !isEvent ? checkSchedule(draft, context) : undefined);
  const watched = checkWatch(when, context);
  checkThen(draft, context);
  const placed = placeSteps(draft, watched, context);
  checkAnswers(placed, command, context);
  const named = namesOf(
    draft,
    { ...stepNames(placed), ...(command && { command: command.options }), ...(webhook && { webhook: webhook.fields }) },
    context,
  );
  const kept = keptTypes(draft, named, context);
  const names = kept ? internNames({ ...named, keep: kept }) : named;
  const site = { kind: 'firing', names } as const;
  const facts = knownFacts(when, watched, context);
  const condition = draft.if === undefined ? undefined : checkCondition(draft.if, { path: ['if'], site, facts }, context);
  if (watched && condition) checkExcludedAudience(condition, { watched, context });
  const keep = checkKeep(draft, names, context);
  checkSections(draft, context);
  const maxAgeMs = maxAgeOf(when, schedule);
  const pollMs = schedule && 'everyMs' in schedule ? schedule.everyMs : undefined;
  const isLimited = draft.cooldown !== undefined || draft.limit !== undefined;
  const isQuiet = draft.quiet !== undefined;
  const { of, readsList } = checkSteps(placed, { names, maxAgeMs, facts, condition, isLimited, isQuiet, schedule, pollMs }, context);
  const cooldown = checkCooldown(draft, context);
  const quiet = checkQuiet(draft, of.quiet, context);
  if (quiet && schedule) checkQuietRuns(quiet, schedule, context);
  const limit = checkLimit(draft, of.limit, context);
  const gather = checkGather(draft, of.gather, context);
  if (watched && pollMs !== undefined) checkDelays(when, watched, { everyMs: pollMs, context });
  if (watched && schedule) checkMaxAge({ draft, schedule, watched, maxAgeMs, where: whereTree(when, context) }, context);
  if (watched) checkPostLoops({ draft, watched, placed }, context);
  if (watched) checkReaders({ watched, placed }, context);
  if (watched) checkTake(when, watched, context);
  if (watched) checkListSettings({ draft, schedule, watched, isPaged: isPaged(catalogue.get(watched.verb)) }, context);

  const fuse = fuseOf(draft, { command, webhook });
  // The fuse counts the runs of gather, and the limit counts what it gathers.
  if (!gather) checkFuseOfLimit({ limit, fuse }, context);
  // A rule that waits for changes fires at few slots.
  const firesAtSlots = when.per === 'slot' || !isWatching(context);
  if (schedule && firesAtSlots && !report.hasErrors) {
    checkFuse({ schedule, fuse, cooldown, hasCondition: draft.if !== undefined }, context);
  }

  const editedMessages = editedMessagesOf(placed, context);
  const follows = followedRules(when, placed, context);
  if (!schedule) return { editedMessages, follows };
  const idOf = (one: string): string => (suffix === undefined ? one : `${one}/${suffix}`);
  const id = idOf(name);
  const all = [...of.then, ...of.while, ...of.finally, ...of.quiet, ...of.limit, ...of.gather];
  const rule: Rule = {
    id,
    name,
    was: was === undefined ? undefined : idOf(was),
    version: versionOf(source, id, { watched: watched?.accounts ?? [], steps: all }),
    textVersion,
    about: draft.about,
    file,
    enabled,
    enabledLine: isSet(context, ['enabled']) ? report.lineAt(context.document.keyLocation([], 'enabled')) : undefined,
    channels: channelPositions({ when, placed }, context),
    schedule: intern(schedule),
    command: command && intern(command),
    webhook,
    missed: when.missed ?? 'once',
    maxAgeMs,
    withinMs: pollMs === undefined || when.within === undefined ? undefined : parseDuration(when.within),
    priority: draft.priority,
    watched: watched && { ...watched, tracks: tracksOf(source, watched, catalogue), decidingFields: decidingFields(draft, watched) },
    if: draft.if === undefined ? undefined : conditionOf(draft.if, { site, catalogue }),
    keep,
    cooldown: cooldown && intern(cooldown),
    quiet,
    limit,
    gather,
    fuse: intern(fuse),
    // No member waits for another one.
    mode: command ? 'parallel' : (draft.mode ?? 'queued'),
    max: draft.max ?? (command || webhook ? MOST_USES : 10),
    then: of.then,
    while: of.while,
    finally: of.finally,
    names,
    readsList,
    // A comment or a text that names it counts too.
    ...(/\brank\b/u.test(source) && { readsRank: true }),
    readLists: context.listShapes && listsIn(source).filter((one) => context.listShapes && Object.hasOwn(context.listShapes, one)),
  };
  return { rule, editedMessages, follows };
}

/** The operation that `people` polls if the rule names none. */
function withPeopleWatch(draft: RuleDraft): RuleDraft {
  const { when } = draft;
  return when?.people === undefined || when.watch !== undefined ? draft : { ...draft, when: { ...when, watch: PEOPLE_WATCH } };
}

function namesOf(
  { when = {} }: RuleDraft,
  steps: Pick<StepNames, 'steps' | 'accounts' | 'lists' | 'command' | 'webhook'>,
  context: CheckContext,
): StepNames {
  const watches = isWatching(context);
  return internNames({
    watch: watches ? (when.watch ?? '') : undefined,
    per: watches ? (when.per ?? 'item') : undefined,
    ...itemNames(when, context.lists),
    ...steps,
    listShapes: context.listShapes,
    constants: context.constants,
  });
}

/** A version that changes with the source, the id and the accounts of a rule. */
function versionOf(source: string, id: string, accounts: { readonly watched: readonly string[]; readonly steps: readonly Step[] }): string {
  return hash(source, id, JSON.stringify([accounts.watched, accounts.steps.map((step) => step.as)]));
}

/** Whether an operation reads one page by default. */
function isPaged(declared: Declared | undefined): boolean {
  if (declared?.kind !== 'list') return false;
  const { data } = declared.params.safeParse({});
  return !(typeof data === 'object' && data !== null && 'pages' in data && data.pages === 'all');
}
