import { isJsonObject, type Json } from '#src/operation/json.ts';
import { conditionOf } from '../expression/condition.ts';
import { hash } from '../firing.ts';
import { RuleFile, type RuleDraft } from '../grammar/rule-file.ts';
import type { Rule } from '../rule.ts';
import type { Step, StepNames } from '../step.ts';
import { checkCondition } from './check-expression.ts';
import { checkCooldown, checkSections, fuseOf } from './check-gates.ts';
import { checkQuiet } from './check-quiet.ts';
import { checkSchedule, maxAgeOf } from './check-schedule.ts';
import { checkSteps } from './check-steps.ts';
import { checkWatch } from './check-watch.ts';
import { isWritten, type Desk, type RuleDesk } from './desk.ts';
import { fixValues } from './fixed-values.ts';
import { followedRules, type FollowedRule } from './followed-rules.ts';
import { givenOf } from './given.ts';
import { placeSteps, stepNames } from './place-steps.ts';
import { shared, sharedNames } from './shared.ts';
import { checkStructure } from './structure.ts';
import { warnOfComment } from './warnings/warn-of-comment.ts';
import { warnOfFuse } from './warnings/warn-of-fuse.ts';
import { warnOfList } from './warnings/warn-of-list.ts';
import { standingOf, type Standing } from './warnings/warn-of-same-target.ts';

export interface RuleSource {
  readonly file: string;
  readonly source: string;
  /** The file as plain values. */
  readonly raw: Json | undefined;
  /** The names of the values of `each` that it stands for. */
  readonly suffix: string | undefined;
}

/** What a file holds with the constants of one instance. */
export interface ReadRule {
  /** Absent where nobody knows when it would run. */
  readonly rule?: Rule;
  readonly standing: readonly Standing[];
  readonly follows: readonly FollowedRule[];
}

/** Reads the rule of one instance. */
export function readRule({ file, source, raw, suffix }: RuleSource, plain: Desk): ReadRule {
  const left = checkStructure(RuleFile, fixValues(raw, plain), { desk: plain, path: [] });
  if (!isJsonObject(left)) return { standing: [], follows: [] };
  const draft = left as RuleDraft; // checkStructure() left only what fits RuleFile
  const { id: name = '', when = {}, enabled = true } = draft;
  const desk: RuleDesk = { ...plain, isOff: !(plain.isOn?.({ enabled }) ?? enabled !== false) };
  warnOfComment(['about'], desk);

  const schedule = draft.when && checkSchedule(draft, desk);
  const watched = checkWatch(when, desk);
  const placed = placeSteps(draft, desk);
  const names = namesOf(draft, stepNames(placed), desk);
  const place = { kind: 'firing', names } as const;
  const given = givenOf(when, watched, desk);
  if (draft.if !== undefined) checkCondition(draft.if, { path: ['if'], place, given }, desk);
  checkSections(draft, desk);
  const maxAgeMs = maxAgeOf(when, schedule);
  const { of, readsList } = checkSteps(placed, { names, maxAgeMs, given }, desk);
  const cooldown = checkCooldown(draft, desk);
  const quiet = checkQuiet(draft, of.quiet, desk);
  if (watched) warnOfList({ draft, schedule, watched, isPaged: desk.catalogue.get(watched.verb)?.kind === 'list' }, desk);

  const fuse = fuseOf(draft);
  // Who looks for changes fires at few slots.
  const isSteady = when.per === 'slot' || !isWritten(desk, ['when', 'watch']);
  if (schedule && isSteady && !desk.report.hasErrors) warnOfFuse({ schedule, fuse, cooldown, isAsked: draft.if !== undefined }, desk);

  const standing = standingOf(placed, desk);
  const follows = followedRules(when, placed, desk);
  if (!schedule) return { standing, follows };
  const id = suffix === undefined ? name : `${name}/${suffix}`;
  const all = [...of.then, ...of.while, ...of.finally, ...of.quiet];
  const rule: Rule = {
    id,
    name,
    version: versionOf(source, id, { watched: watched?.accounts ?? [], steps: all }),
    about: draft.about,
    file,
    enabled,
    schedule: shared(schedule),
    missed: when.missed ?? 'once',
    maxAgeMs,
    watched,
    if: draft.if === undefined ? undefined : conditionOf(draft.if, { place, catalogue: desk.catalogue }),
    cooldown: cooldown && shared(cooldown),
    quiet,
    fuse: shared(fuse),
    mode: draft.mode ?? 'queued',
    max: draft.max ?? 10,
    then: of.then,
    while: of.while,
    finally: of.finally,
    names,
    readsList,
  };
  return { rule, standing, follows };
}

function namesOf({ when = {} }: RuleDraft, steps: Pick<StepNames, 'steps' | 'accounts' | 'lists'>, desk: Desk): StepNames {
  const isWatching = isWritten(desk, ['when', 'watch']);
  return sharedNames({
    watch: isWatching ? (when.watch ?? '') : undefined,
    per: isWatching ? (when.per ?? 'item') : undefined,
    byAccount: Array.isArray(when.account) && when.account.length > 1 ? true : undefined,
    ...steps,
    constants: desk.constants,
  });
}

/** The same as long as the rule does the same, through the same accounts. */
function versionOf(source: string, id: string, accounts: { readonly watched: readonly string[]; readonly steps: readonly Step[] }): string {
  return hash(source, id, JSON.stringify([accounts.watched, accounts.steps.map((step) => step.as)]));
}
