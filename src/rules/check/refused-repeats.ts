import { parseDuration } from '#src/clients/operation/duration.ts';
import { isTemplate } from '#src/rules/grammar/template.ts';
import { formatDuration } from '#src/rules/messages/format.ts';
import { cronSlots, type CronSchedule } from '#src/rules/clocks/cron-slots.ts';
import type { Schedule } from '#src/rules/rule.ts';
import type { StepNames } from '#src/rules/step.ts';
import type { CheckContext } from './check-context.ts';
import type { CheckedExpression } from './check-expression.ts';
import { DEFAULT_NOW_MS } from './check-schedule.ts';
import { clientOf } from './choose-accounts.ts';
import { fixedText } from './fixed-values.ts';
import type { PlacedStep } from './place-steps.ts';

interface RepeatOptions {
  readonly names: StepNames;
  /** The time between two polls of a rule with `every` in `when`. */
  readonly pollMs: number | undefined;
  /** The `if` of the rule. */
  readonly condition: CheckedExpression | undefined;
  /** Whether a cooldown or a limit suppresses most firings. */
  readonly isLimited: boolean;
  readonly schedule: Schedule | undefined;
  /** Whether quiet hours can suppress firings. */
  readonly isQuiet: boolean;
}

/** The parameters with which platforms accept a text that they have already. */
const MAKES_OTHER = ['files', 'poll', 'quote', 'replyTo', 'community'];

/** Warns of a post with the same text each time, through an account whose platform certainly refuses the second one. */
export function checkRefusedRepeats(placed: readonly PlacedStep[], options: RepeatOptions, context: CheckContext): void {
  const { document, report } = context;
  for (const step of placed) {
    const refusing = hasConstantText(step, context) ? refusingAccount(step, context) : undefined;
    const repeated = refusing && repeatedBy(step, options, context);
    if (!refusing || repeated === undefined) continue;
    const { account, forMs } = refusing;
    const isOfList = repeated === 'forEach';
    if (!isOfList && repeated >= forMs) continue;
    const often = step.section === 'then' && options.schedule && 'cron' in options.schedule ? 'again after' : 'every';
    const message = isOfList
      ? `each element of forEach posts the same text, and ${account} refuses all posts after the first one`
      : `this text is posted ${often} ${formatDuration(repeated)}, and ${account} refuses a text that it had in the last ${formatDuration(forMs)}`;
    const hint = isOfList
      ? 'insert a value of the element into the text, for example ${{ it }}'
      : "insert a value that changes into the text, for example ${{ date(now, 'Europe/Paris') }}";
    report.warning(document.locationOf([...step.path, 'with', 'text']), 'refused-repeat', message, hint);
  }
}

/** Whether a post has the same text at each firing and for each element. A condition can select one of them. */
function hasConstantText({ draft, declared }: PlacedStep, context: CheckContext): boolean {
  const { text, ...others } = draft.with ?? {};
  const isPost = declared?.kind === 'write' && declared.effect === 'creates' && declared.publishes === 'post';
  if (!isPost || typeof text !== 'string' || draft.if !== undefined) return false;
  return fixedText(text, context) !== undefined && !isTemplate(JSON.stringify(others)) && MAKES_OTHER.every((name) => !(name in others));
}

/** The account of a step whose platform refuses a text the longest. */
function refusingAccount(
  { draft, accounts }: PlacedStep,
  context: CheckContext,
): { readonly account: string; readonly forMs: number } | undefined {
  const limits = context.accounts[clientOf(draft.do ?? '')]?.textLimits ?? {};
  const refusing = accounts.flatMap((account) => {
    const forMs = Object.hasOwn(limits, account) ? limits[account]?.refusesRepeatsForMs : undefined;
    return forMs === undefined ? [] : [{ account, forMs }];
  });
  return refusing.toSorted((a, b) => b.forMs - a.forMs)[0];
}

/** What repeats a step: its list, or the time between two posts, in milliseconds. Undefined if nothing certainly does. */
function repeatedBy(
  { section, draft }: PlacedStep,
  { names, pollMs, condition, isLimited, isQuiet, schedule }: RepeatOptions,
  { nowMs = DEFAULT_NOW_MS }: CheckContext,
): 'forEach' | number | undefined {
  if (draft.forEach !== undefined) return 'forEach';
  if (section === 'while' && draft.every !== undefined) return Math.max(parseDuration(draft.every) ?? Infinity, pollMs ?? 0);
  const isAtEachSlot = section === 'then' && names.watch === undefined && !condition && !isLimited;
  if (!isAtEachSlot) return undefined;
  // Quiet hours leave some slots of `every` within the time, and can leave out all but one of `cron`.
  return schedule && 'cron' in schedule && !isQuiet ? shortestGap(schedule, nowMs) : pollMs;
}

/** More slots are not compared. A day with several slots has them within this number. */
const MOST_SLOTS = 30;

/** The shortest time between two runs of `cron`. In UTC, no change of the clocks shortens it. */
function shortestGap(schedule: CronSchedule, nowMs: number): number | undefined {
  const slots = cronSlots({ ...schedule, timezone: 'UTC' });
  let shortestMs: number | undefined;
  let atMs = slots.next(nowMs);
  for (let count = 0; count < MOST_SLOTS && atMs !== undefined; count++) {
    const nextMs = slots.next(atMs);
    if (nextMs !== undefined) shortestMs = Math.min(shortestMs ?? Infinity, nextMs - atMs);
    atMs = nextMs;
  }
  return shortestMs;
}
