import { basename } from 'node:path';
import { CHANNEL_CODE, type Diagnostic } from '#src/rules/diagnostic.ts';
import type { Rule } from '#src/rules/rule.ts';
import type { Pause, Pauses, PlannedPause } from '#src/engine/scheduler/rule-states.ts';
import type { Scheduler } from '#src/engine/scheduler/scheduler.ts';
import { firingOf } from '#src/rules/decision.ts';
import type { DecisionLog } from '#src/rules/decision-log.ts';
import type { DeliveryLog, Undelivered } from '#src/engine/delivery/delivery-log.ts';
import type { DecisionView, PauseView, PlannedPauseView, RulesVersion, RuleView, ShownDelivery, UndeliveredView } from './records.ts';
import { shownDeliveries, type DeliveryNames } from './deliveries.ts';
import { settled, type SettledDecision } from './settled-decisions.ts';
import type { Unsent } from '#src/engine/delivery/firing-outcome.ts';
import type { RuleVersion } from '#src/engine/rule-sets/rule-versions.ts';
import type { RuleSet } from '#src/rules/rule-set.ts';
import { scheduleText } from '#src/rules/messages/schedule-text.ts';

/** The loaded rules and their diagnostics. */
export interface LoadedRules {
  readonly now: Pick<RuleSet, 'rules' | 'diagnostics'>;
  readonly isOn: (rule: Rule) => boolean;
  /** The published version; absent if the rules come from a folder. */
  readonly version?: RuleVersion | undefined;
}

export interface RuleViewOptions {
  readonly pauses: Pauses;
  /** Of all rules; absent if not requested. */
  readonly undelivered?: readonly Undelivered[] | undefined;
  readonly registry: LoadedRules;
  readonly scheduler: Pick<Scheduler, 'plansOf'>;
  readonly decisions: Pick<DecisionLog, 'latestOf'>;
  readonly deliveryLog: Pick<DeliveryLog, 'outcomesOf' | 'failuresOf'>;
  readonly episodes: DeliveryNames['episodes'];
  readonly nowMs: number;
  /** Missing permissions of the bot in the channels of the rule. */
  readonly channelProblems?: ((rule: Rule) => readonly Diagnostic[]) | undefined;
}

/** The period in which failed deliveries are shown. */
export const FAILED_SHOWN_MS = 24 * 3_600_000;

/** Rules as the page and the commands show them, in the same order. The number of queries does not depend on the number of rules. */
export async function ruleViews(
  rules: readonly Rule[],
  { pauses, undelivered, registry, scheduler, decisions, deliveryLog, episodes, channelProblems, nowMs }: RuleViewOptions,
): Promise<readonly RuleView[]> {
  const last = await decisions.latestOf(rules.map(({ id }) => id));
  const outcomes = await deliveryLog.outcomesOf([...last.values()].flatMap((one) => firingOf(one) ?? []));
  const byRule = undelivered && Map.groupBy(undelivered, ({ rule }) => rule);
  const mayFail = byRule ? rules.filter(({ id }) => byRule.get(id)?.some(({ state }) => state === 'failed')) : rules;
  const failures = await lastFailures(mayFail, { deliveryLog, episodes, nowMs });
  const byFile = problemsByFile(registry.now.diagnostics);
  const plans = await scheduler.plansOf(rules.filter(registry.isOn).map(({ id }) => id));
  return rules.map((rule) => {
    const decision = last.get(rule.id);
    const firing = decision && firingOf(decision);
    const pause = pauses.paused.get(rule.id);
    const on = registry.isOn(rule);
    const nextMs = plans.get(rule.id)?.nextMs;
    return {
      id: rule.id,
      about: rule.about,
      file: rule.file,
      enabled: rule.enabled,
      on,
      paused: pause && toPauseView(pause, rule),
      plannedPauses: pauses.planned.get(rule.id)?.map(toPlannedView),
      schedule: scheduleText(rule.schedule),
      timing: rule.schedule,
      nextRunAt: nextMs === undefined ? undefined : new Date(nextMs),
      lastDecision: decision && settled(decision, outcomes.get(firing ?? '')),
      lastUndelivered: firing === undefined ? undefined : (outcomes.get(firing)?.undelivered ?? 0),
      undelivered: byRule && undeliveredView(byRule.get(rule.id) ?? []),
      lastFailure: failures.get(rule.id),
      diagnostics: [...(byFile.get(rule.file) ?? []), ...(on ? (channelProblems?.(rule) ?? []) : [])],
    };
  });
}

/** The last failure of each rule whose step has not succeeded since. */
export async function lastFailures(
  rules: readonly Rule[],
  { deliveryLog, episodes, nowMs }: Pick<RuleViewOptions, 'episodes' | 'nowMs'> & { readonly deliveryLog: Pick<DeliveryLog, 'failuresOf'> },
): Promise<ReadonlyMap<string, ShownDelivery>> {
  if (rules.length === 0) return new Map();
  const ids = rules.map(({ id }) => id);
  const failures = await deliveryLog.failuresOf(ids, nowMs - FAILED_SHOWN_MS);
  const shown = await shownDeliveries([...failures.values()], { rules, episodes });
  return new Map(shown.map((delivery) => [delivery.rule, delivery]));
}

/** Whether a running rule cannot send everything: a channel is not usable, or its last delivery failed. */
export function isFailing({ on, diagnostics, lastFailure }: Pick<RuleView, 'on' | 'diagnostics' | 'lastFailure'>): boolean {
  return on && (lastFailure !== undefined || diagnostics.some(isChannelProblem));
}

/** Whether a diagnostic is about a Discord channel or role, and not about the text of the file. */
export function isChannelProblem({ code }: Pick<Diagnostic, 'code'>): boolean {
  return code === CHANNEL_CODE;
}

export function problemsByFile(diagnostics: readonly Diagnostic[]): ReadonlyMap<string, readonly Diagnostic[]> {
  return Map.groupBy(diagnostics, ({ file }) => file);
}

/** The files with errors that have no loaded rule. */
export function brokenViews({ now: { rules, diagnostics: problems } }: Pick<LoadedRules, 'now'>): readonly RuleView[] {
  const out = Map.groupBy(problems, ({ file }) => file);
  for (const { file } of rules) out.delete(file);
  return [...out].map(fileOut);
}

/** The broken file that has a rule, by its name: the id in a file with errors is not known. */
export function brokenFileOf(rule: string, broken: readonly RuleView[]): RuleView | undefined {
  const [name = ''] = /^.*(?=\/)/u.exec(rule) ?? [];
  return broken.find(({ id, file }) => {
    const path = `/${file.replace(/\.ya?ml$/u, '')}`;
    return id === rule || path.endsWith(`/${rule}`) || (name !== '' && path.endsWith(`/${name}`));
  });
}

function fileOut([file, diagnostics]: readonly [string, readonly Diagnostic[]]): RuleView {
  return { id: basename(file), file, enabled: true, on: false, diagnostics };
}

/** The published version of the rules of this process. */
export function rulesVersion({ version }: Pick<LoadedRules, 'version'>): RulesVersion | undefined {
  if (!version) return undefined;
  const { number, publishedAt, by, note, repeats } = version;
  return { number, publishedAt, by, note, repeats };
}

/** The numbers of failed and unknown deliveries. */
export function undeliveredView(all: readonly Undelivered[]): UndeliveredView {
  const sum = (wanted: Undelivered['state']): number => all.reduce((total, { state, count }) => total + (state === wanted ? count : 0), 0);
  return { failed: sum('failed'), unknown: sum('unknown') };
}

/** A decision as the page and the API show it. */
export function toDecisionView({ atMs, unsent, ...decision }: SettledDecision): DecisionView {
  return { ...decision, at: new Date(atMs), ...(unsent && { unsent: toUnsentView(unsent) }) };
}

function toUnsentView({ state, count, error, message, reason }: Unsent): NonNullable<DecisionView['unsent']> {
  return { state, count, message: error?.message ?? message, reason, fault: error?.fault };
}

/** The pause of a rule. A pause by an operator takes precedence over an automatic one. */
export function toPauseView({ person, blownMs = 0 }: Pause, { fuse: { firings, perMs } }: Pick<Rule, 'fuse'>): PauseView {
  if (!person) return { at: new Date(blownMs), fuse: { firings, perMs } };
  return { at: new Date(person.atMs), by: person.by, until: toDate(person.untilMs), plannedAt: toDate(person.plannedMs) };
}

export function toPlannedView({ by, atMs, fromMs, untilMs }: PlannedPause): PlannedPauseView {
  return { by, at: new Date(atMs), from: new Date(fromMs), until: toDate(untilMs) };
}

function toDate(ms: number | undefined): Date | undefined {
  return ms === undefined ? undefined : new Date(ms);
}
