import { isCollecting } from '#src/rules/collecting.ts';
import { parseDuration } from '#src/clients/operation/duration.ts';
import { conditionSource } from '#src/rules/expression/condition.ts';
import type { KnownFacts } from '#src/rules/expression/decided-clauses.ts';
import type { ExpressionSite } from '#src/rules/expression/expressions.ts';
import type { Path } from '#src/rules/document/report.ts';
import type { Section } from '#src/rules/firing.ts';
import type { RuleDraft, StepDraft } from '#src/rules/grammar/rule-file.ts';
import type { Schedule } from '#src/rules/rule.ts';
import type { Step, StepNames } from '#src/rules/step.ts';
import { checkAudience, checkInclude } from './check-audience.ts';
import { isSet, type CheckContext } from './check-context.ts';
import { checkCondition, checkList, type CheckedExpression } from './check-expression.ts';
import { checkDescriptions } from './check-descriptions.ts';
import { checkParameters, checkTexts } from './check-parameters.ts';
import { checkReads } from './check-reads.ts';
import { checkRepeats } from './check-repeats.ts';
import { checkRepeatedEdits, checkRepeatedSteps } from './cross-references.ts';
import { intern } from './intern.ts';
import { isWatching, originOf } from './meant-keys.ts';
import { checkForeignIds, checkProse } from './misused-values.ts';
import { checkOppositeChanges } from './check-opposite-changes.ts';
import type { PlacedStep } from './place-steps.ts';
import { checkStepSupport } from './platform-warnings.ts';
import { checkRefusedRepeats } from './refused-repeats.ts';
import { checkDeferredList, checkFailedLookups, checkStepAsResult, checkUnsentResults, lookupsWithoutOnError } from './result-warnings.ts';
import { checkWaits } from './check-waits.ts';
import { checkForeignPings, checkSilentPings, pingOfEveryone } from './ping-warnings.ts';
import { checkBareNames, checkPastInstants, checkTextLength } from './text-warnings.ts';

interface CheckedSteps {
  readonly of: Readonly<Record<Section, readonly Step[]>>;
  /** Whether an expression of a step reads the whole list. */
  readonly readsList: boolean;
}

interface StepOptions {
  readonly names: StepNames;
  /** The maxAge of the rule, for steps that create something. */
  readonly maxAgeMs: number;
  /** The time between two polls of a rule with `every` in `when`. */
  readonly pollMs: number | undefined;
  /** The facts that hold when `then` starts. */
  readonly facts: KnownFacts | undefined;
  /** The `if` of the rule. */
  readonly condition: CheckedExpression | undefined;
  /** Whether a cooldown or a limit suppresses most firings. */
  readonly isLimited: boolean;
  readonly schedule: Schedule | undefined;
  /** Whether quiet hours can suppress firings. */
  readonly isQuiet: boolean;
}

/** Discord accepts the answer to a command for 15 minutes. */
const ANSWERED_WITHIN_MS = 14 * 60_000;
/** How long a look-up for a member who waits is repeated. */
const LOOKED_UP_WITHIN_MS = 60_000;

/** Names of expressions that cover more than one item. */
const WHOLE_LIST = ['items', 'changes'];

/** Checks all steps of a rule. */
export function checkSteps(placed: readonly PlacedStep[], options: StepOptions, context: CheckContext): CheckedSteps {
  const lookups = lookupsWithoutOnError(placed);
  const checked = placed.map((step) => ({ ...checkStep(step, { ...options, lookups }, context), section: step.section }));
  const isOnce = options.facts?.kinds.every((one) => one === 'entered') === true;
  const reading = placed.map((step, index) => ({ ...step, reads: checked[index]?.expressions ?? [] }));
  checkReads(reading, { isOnce, context });
  checkOppositeChanges(reading, options, context);
  checkRepeatedEdits(placed, context);
  checkRepeatedSteps(placed, context);
  checkWaits(placed, context);
  checkRepeats(placed, options, context);
  checkRefusedRepeats(placed, options, context);
  if (options.names.watch === undefined) checkDeferredList(checked, context);
  // slice() frees the spare capacity of a grown array; rules stay in memory.
  const stepsOf = (section: Section): readonly Step[] =>
    checked.flatMap((one) => (one.section === section && one.step ? [one.step] : [])).slice();
  const names = new Set(checked.flatMap(({ expressions }) => expressions.flatMap(({ expression }) => [...expression.names])));
  return {
    of: {
      then: stepsOf('then'),
      while: stepsOf('while'),
      finally: stepsOf('finally'),
      quiet: stepsOf('quiet'),
      limit: stepsOf('limit'),
      gather: stepsOf('gather'),
    },
    readsList: WHOLE_LIST.some((name) => names.has(name)),
  };
}

function checkStep(
  placed: PlacedStep,
  { names, maxAgeMs, facts, lookups }: StepOptions & { readonly lookups: ReadonlySet<string> },
  context: CheckContext,
): { readonly step: Step | undefined; readonly expressions: readonly CheckedExpression[] } {
  const { draft, path, number, declared, accounts, asItem, section, afterMs } = placed;
  const { forEach, if: condition, do: verb } = draft;
  const kind = isCollecting(section) ? 'quiet' : 'step';
  const list = forEach === undefined ? undefined : checkList(forEach, { path: [...path, 'forEach'], site: { kind, names } }, context);
  // Without the list, the type of `it` is unknown.
  if (forEach !== undefined && !list) return { step: undefined, expressions: [] };
  const site: ExpressionSite = { kind, names, forEach: list?.expression.source };
  const known = section === 'then' && afterMs === undefined ? facts : undefined;
  const asked = condition === undefined ? undefined : checkCondition(condition, { path: [...path, 'if'], site, facts: known }, context);
  const conditions = [list, asked].filter((one) => one !== undefined);
  const parameters = { path: [...path, 'with'], site };
  if (verb === undefined || !declared) return { step: undefined, expressions: [...conditions, ...checkTexts(parameters, context)] };

  const { value, expressions, texts } = checkParameters(declared, parameters, context);
  checkStepAsResult(texts, { step: placed, names }, context);
  checkUnsentResults(texts, { step: placed, names }, context);
  // The member who used a command sees that a look-up failed.
  if (declared.kind === 'write' && !names.command)
    checkFailedLookups(texts, { step: placed, ifReads: asked?.expression.reads, lookups }, context);
  checkTextLength(texts, placed, context);
  checkAnswerTime(placed, context);
  if (list && section === 'then' && names.per === 'item') checkListOfFirings(list, placed, context);
  const isOfEach = list && !WHOLE_LIST.some((name) => list.expression.names.has(name)) && !hasOwnTarget(draft);
  const ping = isOfEach ? pingOfEveryone(placed) : undefined;
  if (ping) reportPingOfEach(ping, context);
  checkBareNames(texts, placed, context);
  checkSilentPings(texts, placed, context);
  checkForeignPings(texts, placed, context);
  checkForeignIds(texts, { step: placed, names }, context);
  checkProse(texts, { step: placed, names }, context);
  checkPastInstants(placed, context);
  checkStepSupport(value, placed, context);
  checkDescriptions(value, placed, context);
  const include = checkInclude({ include: draft.include, verb, path }, declared, context);
  const all = [...conditions, ...expressions];
  const creates = declared.kind === 'write' && declared.effect === 'creates';
  const isAnswer = declared.kind === 'write' && declared.repliesTo === 'command';
  const everyMs = section === 'while' && draft.every !== undefined ? parseDuration(draft.every) : undefined;
  const isNews = creates && (section === 'then' || isCollecting(section) || everyMs !== undefined);
  const defaultMaxAgeMs = isAnswer ? ANSWERED_WITHIN_MS : isNews ? maxAgeMs : undefined;
  const step: Step = {
    id: draft.id,
    number,
    do: verb,
    creates,
    with: isAnswer ? { command: '${{ command.id }}', ...value } : value,
    if: condition === undefined ? undefined : conditionSource(condition).source,
    forEach: list?.expression.source,
    as: accounts,
    asItem,
    reads: [...new Set(all.flatMap(({ expression }) => [...expression.reads.keys()]))],
    everyMs,
    afterMs,
    afterEnd: draft.afterEnd,
    maxAgeMs: draft.maxAge === undefined ? defaultMaxAgeMs : parseDuration(draft.maxAge),
    answerWithinMs: draft.answerWithin === undefined ? undefined : parseDuration(draft.answerWithin),
    fit: draft.fit,
    onError: draft.onError,
    strict: draft.strict,
    audience: checkAudience(placed, context),
    include: include && intern(include),
    retry: retryOf(draft) ?? (names.command && !isAnswer ? { forMs: LOOKED_UP_WITHIN_MS } : undefined),
  };
  return { step, expressions: all };
}

/** Warns of a step that each firing about an item sends for the whole list again. */
function checkListOfFirings({ expression, path }: CheckedExpression, { declared }: PlacedStep, { document, report }: CheckContext): void {
  const creates = declared?.kind === 'write' && declared.effect === 'creates';
  const list = WHOLE_LIST.find((name) => expression.names.has(name));
  if (report.hasErrors || !creates || list === undefined || expression.names.has('item')) return;
  const message = `the rule fires for each item, and each firing sends this step for all elements of ${list}`;
  report.warning(document.locationOf(path), 'list-for-each-item', message, 'remove forEach, and read item instead of it');
}

/** Whether each element of `forEach` names another channel, as for one channel of each language. */
function hasOwnTarget({ with: parameters = {} }: StepDraft): boolean {
  return ['channel', 'user', 'thread'].some((name) => /\b(?:it|index)\b/u.test(JSON.stringify(parameters[name] ?? '')));
}

/** Warns of a step that pings everyone for each element of a list, for example for each tag of a stream. */
function reportPingOfEach(ping: Path, { document, report }: CheckContext): void {
  const hint = 'send one message: remove forEach, and write the elements with .map(…).join(…)';
  report.warning(document.locationOf(ping), 'repeated-ping', 'each element of forEach pings everyone', hint);
}

/** Only a question has a time for an answer. */
function checkAnswerTime({ draft, path, declared }: PlacedStep, { document, report }: CheckContext): void {
  if (draft.answerWithin === undefined || (declared?.kind === 'write' && declared.answered === 'later')) return;
  const message = `${draft.do} waits for no answer`;
  report.error(document.keyLocation(path, 'answerWithin'), 'no-answer', message, 'remove answerWithin, or write maxAge: the latest start');
}

function retryOf({ retry }: StepDraft): Step['retry'] {
  if (!retry || (retry.for === undefined && retry.attempts === undefined)) return undefined;
  return { forMs: retry.for === undefined ? undefined : parseDuration(retry.for), attempts: retry.attempts };
}

/** Checks that `while` and `finally` belong to an episode that `then` opens. */
export function checkSections({ when }: RuleDraft, context: CheckContext): void {
  const { document, report } = context;
  const changes = when?.changes ?? ['entered'];
  for (const section of ['while', 'finally'] as const) {
    if (!isSet(context, [section]) || report.hasUnreadableLines) continue;
    const location = document.keyLocation([], section);
    if (!isWatching(context)) {
      const { origin } = originOf(context);
      const message =
        origin === undefined ? `${section} needs watch: a rule without watch has no episodes` : `a rule that ${origin} has no ${section}`;
      const hint = origin === undefined ? `add watch to when, or remove ${section}` : `move its steps to then, or remove ${section}`;
      report.error(location, 'section-without-watch', message, hint);
    } else if (when?.per !== undefined && when.per !== 'item') {
      const message = `${section} needs per: item, but the rule has per: ${when.per}`;
      report.error(location, 'section-without-item', message, `remove per, or remove ${section}`);
    } else if (!changes.includes('entered') && !changes.includes(null)) {
      report.error(location, 'section-without-entered', `${section} needs the change entered`, 'add entered to changes');
    }
  }
}
