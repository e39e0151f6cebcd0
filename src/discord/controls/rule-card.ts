import type { PauseView, RuleExplanation } from '#src/queries/records.ts';
import type { APIEmbedField } from 'discord.js';
import { isChannelProblem } from '#src/queries/rule-view.ts';
import type { Rule } from '#src/rules/rule.ts';
import type { Step } from '#src/rules/step.ts';
import type { Reader } from '../caller.ts';
import { button, type Row, rows } from '../components.ts';
import type { Reply } from '../reply.ts';
import { instant, clockTime, numeral, timeSpan } from '../text/format.ts';
import { escaped } from '../text/untrusted-text.ts';
import { shortId } from './find-rule.ts';
import { causeLines, decisionLine, deliveryLine, fitted, diagnosticLine, scheduleLine, stateLine } from './lines.ts';

const LONGEST_FIELD = 700;
const PROBLEMS = 3;
const DELIVERIES = 3;
const DECISIONS = 4;
const RUNS = 3;

/** A rule with its schedule, its steps, its limits, its problems and its last decisions. */
export function ruleCard(explanation: RuleExplanation, reader: Reader): Reply {
  const { controls } = reader.texts;
  const { rule, on, problems, deliveries, outcomes, lastFailure } = explanation;
  const paused = pauseOf(explanation);
  const { card } = controls;
  const view = { on, enabled: rule.enabled, paused, problems, lastFailure };
  const fields = [
    field(card.when, whenLines(explanation, reader), reader),
    field(card.watches, watchLines(explanation, reader), reader),
    field(card.does, stepLines(rule, reader), reader),
    field(card.holds, holdLines(explanation, reader), reader),
    field(card.open, openLines(explanation, reader), reader),
    field(
      card.problems,
      problems
        .filter((one) => !isChannelProblem(one))
        .slice(0, PROBLEMS)
        .map(diagnosticLine),
      reader,
    ),
    field(
      card.deliveries,
      deliveries.slice(0, DELIVERIES).map((one) => deliveryLine(one, reader)),
      reader,
    ),
    field(
      card.last,
      outcomes.slice(0, DECISIONS).flatMap(({ latest: [last] }) => (last ? [decisionLine(last, reader)] : [])),
      reader,
    ),
  ];
  const about = rule.about === undefined ? [] : [escaped(rule.about, 300)];
  return {
    content: '',
    embeds: [
      {
        title: escaped(rule.id, 200),
        description: [stateLine(view, reader), ...causeLines(view, reader), ...about].join('\n'),
        fields: fields.flat(),
        footer: { text: rule.file },
      },
    ],
    components: ruleButtons({ id: rule.id, isPaused: paused !== undefined, isOn: on }, reader, 'card'),
  };
}

/** The buttons of a rule. On a `card`, they update the card. */
export function ruleButtons(
  { id, isPaused, isOn }: { readonly id: string; readonly isPaused: boolean; readonly isOn: boolean },
  { texts: { controls } }: Reader,
  at: 'card' | 'answer',
): Row[] {
  const name = shortId(id);
  const { pause, resume, why, preview, show } = controls.buttons;
  return rows([
    isPaused
      ? button(`rules:resume:${name}:${at}`, resume, { style: 'good' })
      : button(`rules:pause:${name}:${at}`, pause, { style: 'danger', disabled: !isOn }),
    button(`rules:why:${name}`, why),
    at === 'card' ? button(`rules:preview:${name}`, preview) : button(`rules:show:${name}`, show),
  ]);
}

function pauseOf({ paused }: RuleExplanation): PauseView | undefined {
  if (!paused) return undefined;
  const { person, blownMs = 0 } = paused;
  return person ? { at: new Date(person.atMs), by: person.by } : { at: new Date(blownMs) };
}

function field(name: string, lines: readonly string[], reader: Reader): readonly APIEmbedField[] {
  return lines.length === 0 ? [] : [{ name, value: fitted(lines, LONGEST_FIELD, reader) }];
}

function whenLines({ rule, on, nextRuns }: RuleExplanation, reader: Reader): readonly string[] {
  const { card, rule: texts } = reader.texts.controls;
  const runs = nextRuns.slice(0, RUNS).map((at) => instant(at));
  const next = runs.length > 0 ? card.nextRuns(runs.join(', ')) : texts.never;
  return [scheduleLine(rule.schedule, reader), ...(on ? [next] : [])];
}

function watchLines({ rule, cost }: RuleExplanation, reader: Reader): readonly string[] {
  const { card } = reader.texts.controls;
  const { watched } = rule;
  if (!watched) return [card.nothingWatched];
  const { requestsPerMinute, sharedWith, accounts } = cost;
  const shared = sharedWith.length > 0 ? `, ${card.shared(sharedWith.length)}` : '';
  return [
    card.watched(`\`${watched.verb}\``, names(watched.accounts)),
    card.requests(numeral(requestsPerMinute, reader), requestsPerMinute) + shared,
    ...accounts.map(({ account, perMinute, allowed }) =>
      card.account(escaped(account, 60), numeral(perMinute, reader), allowed === undefined ? undefined : numeral(allowed, reader)),
    ),
  ];
}

function stepLines(rule: Rule, reader: Reader): readonly string[] {
  const { quiet } = rule;
  const { sections } = reader.texts.controls.card;
  const lists: readonly (readonly [string, readonly Step[]])[] = [
    [sections.happens, rule.then],
    [sections.lasts, rule.while],
    [sections.ends, rule.finally],
    [sections.collected, quiet && typeof quiet.then !== 'string' ? quiet.then : []],
  ];
  return lists.flatMap(([name, steps]) => (steps.length === 0 ? [] : [`*${name}*`, ...steps.map((step) => stepLine(step, reader))]));
}

function stepLine({ do: verb, as, afterMs, id }: Step, reader: Reader): string {
  const { card } = reader.texts.controls;
  const wait = afterMs === undefined ? '' : ` ${card.waits(timeSpan(afterMs, reader))}`;
  return `- ${id === undefined ? '' : `**${escaped(id, 60)}** `}${card.step(`\`${verb}\``, names(as))}${wait}`;
}

function holdLines({ rule: { quiet, cooldown, fuse }, quietUntil }: RuleExplanation, reader: Reader): readonly string[] {
  const { card } = reader.texts.controls;
  const hours = quiet && card.quiet(clockTime(quiet.fromMinute), clockTime(quiet.toMinute), quiet.timezone);
  const span = cooldown && timeSpan(cooldown.forMs, reader);
  return [
    ...(hours === undefined ? [] : [quietUntil ? `**${hours}**, ${card.quietNow(instant(quietUntil))}` : hours]),
    ...(span === undefined ? [] : [cooldown?.per === 'rule' ? card.cooldownRule(span) : card.cooldownItem(span)]),
    card.fuse(numeral(fuse.firings, reader), timeSpan(fuse.perMs, reader)),
  ];
}

function openLines({ rule, episodes: { open, newest } }: RuleExplanation, reader: Reader): readonly string[] {
  const { card } = reader.texts.controls;
  if (!rule.watched) return [];
  if (open === 0) return [card.nobody];
  return [card.follows(numeral(open, reader)), ...newest.map(({ name, since }) => `- ${card.follow(escaped(name, 100), instant(since))}`)];
}

function names(accounts: readonly string[]): string {
  return accounts.map((account) => escaped(account, 60)).join(', ');
}
