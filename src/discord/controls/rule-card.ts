import type { RuleExplanation } from '#src/admin/queries/records.ts';
import { isJsonList, type Json } from '#src/clients/operation/json.ts';
import { lateModule } from '#src/errors.ts';
import { isTemplate } from '#src/rules/grammar/template.ts';
import type { APIEmbedField } from 'discord.js';
import { isChannelProblem, toPauseView, toPlannedView } from '#src/admin/queries/rule-view.ts';
import { formatMinute } from '#src/rules/messages/format.ts';
import type { Rule } from '#src/rules/rule.ts';
import type { Step } from '#src/rules/step.ts';
import type { Reader } from '#src/discord/caller.ts';
import { button, type Row, rows, SHARE, shareButton } from '#src/discord/components.ts';
import type { Reply } from '#src/discord/reply.ts';
import { instant, numeral, timeSpan } from '#src/discord/text/format.ts';
import { escaped, oneLine } from '#src/discord/text/untrusted-text.ts';
import { shortId } from './find-rule.ts';
import { causeLines, decisionLine, deliveryLine, fitted, diagnosticLine, plannedLines, scheduleLine, stateLine } from './lines.ts';

const LONGEST_FIELD = 700;
const PROBLEMS = 3;
const DELIVERIES = 3;
const DECISIONS = 4;
const RUNS = 3;
const MAX_LISTED = 20;
const MAX_TEXTS = 2;
const MAX_TEXT_LENGTH = 300;
const LONGEST_LINE = 300;

/**
 * A rule: people, channels, text and pings first, then its schedule, its polls, its steps, its limits, its problems and its last decisions.
 * `polls`: how it learns of changes.
 */
export function ruleCard(explanation: RuleExplanation, polls: readonly string[], reader: Reader): Reply {
  const { controls } = reader.texts;
  const { rule, on, diagnostics, deliveries, outcomes, lastFailure } = explanation;
  const paused = explanation.paused && toPauseView(explanation.paused, rule);
  const { card } = controls;
  const view = { on, enabled: rule.enabled, paused, plannedPauses: explanation.planned?.map(toPlannedView), diagnostics, lastFailure };
  const fields = [
    field(card.people, peopleLines(rule), reader),
    field(
      card.channels,
      listed(
        discordSteps(rule).map(({ with: { channel } }) => channel),
        '#',
      ),
      reader,
    ),
    field(card.text, textLines(rule), reader),
    field(card.pings, pingLines(rule, reader), reader),
    field(card.when, whenLines(explanation, reader), reader),
    field(card.watches, watchLines(explanation, polls, reader), reader),
    field(card.does, stepLines(rule, reader), reader),
    field(card.holds, holdLines(explanation, reader), reader),
    field(card.values, valueLines(explanation), reader),
    field(card.open, openLines(explanation, reader), reader),
    field(
      card.problems,
      diagnostics
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
      outcomes
        .slice(0, DECISIONS)
        .flatMap(({ latest: [last] }) => last ?? [])
        .toSorted((a, b) => b.atMs - a.atMs)
        .map((last) => decisionLine(last, reader)),
      reader,
    ),
  ];
  const about = rule.about === undefined ? [] : [escaped(rule.about, 300)];
  return {
    content: '',
    embeds: [
      {
        title: escaped(rule.id, 200),
        description: [stateLine(view, reader), ...plannedLines(view, reader), ...causeLines(view, reader), ...about].join('\n'),
        fields: fields.flat(),
        footer: { text: rule.file },
      },
    ],
    components: ruleButtons({ id: rule.id, isPaused: paused !== undefined, isOn: on }, reader, 'card'),
    share: shareButton(`automation:show:${shortId(rule.id)}:${SHARE}`, reader),
  };
}

const loadPolling = lateModule('the texts about polls', () =>
  Promise.all([import('#src/admin/language/polling.ts'), import('#src/admin/language/polling-texts.ts')]),
);

/** How a rule learns of changes, in the language of the reader. */
export async function pollLines({ polling }: Pick<RuleExplanation, 'polling'>, { locale }: Reader): Promise<readonly string[]> {
  if (!polling) return [];
  const [{ pollingLines }, { pollingTextsFor }] = await loadPolling();
  return pollingLines(polling, pollingTextsFor(locale));
}

/** The buttons of a rule. On a `card`, they update the card, and each keeps its place, so that a second press does not take back the first one. */
export function ruleButtons(
  { id, isPaused, isOn }: { readonly id: string; readonly isPaused: boolean; readonly isOn: boolean },
  { texts: { controls } }: Reader,
  at: 'card' | 'answer',
): Row[] {
  const name = shortId(id);
  const { pause, resume, why, preview, show } = controls.buttons;
  const isCard = at === 'card';
  return rows([
    ...(isCard || !isPaused ? [button(`automation:pause:${name}:${at}`, pause, { style: 'danger', disabled: isPaused || !isOn })] : []),
    ...(isCard || isPaused ? [button(`automation:resume:${name}:${at}`, resume, { style: 'good', disabled: !isPaused })] : []),
    button(`automation:why:${name}`, why),
    isCard ? button(`automation:preview:${name}`, preview) : button(`automation:show:${name}`, show),
  ]);
}

/** A field of lines. Discord refuses a card with an empty field, and the text of a message can be blank. */
function field(name: string, lines: readonly string[], reader: Reader): readonly APIEmbedField[] {
  const shown = lines.filter((line) => line !== '');
  return shown.length === 0 ? [] : [{ name, value: fitted(shown, LONGEST_FIELD, reader) }];
}

function whenLines({ rule, on, nextRuns }: RuleExplanation, reader: Reader): readonly string[] {
  const { card, rule: texts } = reader.texts.controls;
  const runs = nextRuns.slice(0, RUNS).map((at) => instant(at));
  const next = runs.length > 0 ? card.nextRuns(runs.join(', ')) : texts.never;
  return [scheduleLine(rule.schedule, reader), ...(on ? [next] : [])];
}

function watchLines({ rule, cost }: RuleExplanation, polls: readonly string[], reader: Reader): readonly string[] {
  const { card } = reader.texts.controls;
  const { watched } = rule;
  if (!watched) return [card.nothingWatched];
  const shared = cost.sharedWith.length > 0 ? [card.shared(cost.sharedWith.length)] : [];
  return [card.watched(`\`${watched.verb}\``, names(watched.accounts)), ...shared, ...polls.map((line) => escaped(line, LONGEST_LINE))];
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

function stepLine({ do: verb, as, afterMs, everyMs, id }: Step, reader: Reader): string {
  const { card } = reader.texts.controls;
  const often = everyMs === undefined ? '' : ` ${card.repeats(timeSpan(everyMs, reader))}`;
  const wait = afterMs === undefined ? '' : ` ${card.waits(timeSpan(afterMs, reader))}`;
  return `- ${id === undefined ? '' : `**${escaped(id, 60)}** `}${card.step(`\`${verb}\``, names(as))}${often}${wait}`;
}

function holdLines({ rule: { quiet, cooldown, limit, gather, fuse }, quietUntil }: RuleExplanation, reader: Reader): readonly string[] {
  const { card } = reader.texts.controls;
  const hours = quiet && card.quiet(formatMinute(quiet.fromMinute), formatMinute(quiet.toMinute), quiet.timezone);
  const span = cooldown && timeSpan(cooldown.forMs, reader);
  return [
    ...(hours === undefined ? [] : [quietUntil ? `**${hours}**, ${card.quietNow(instant(quietUntil))}` : hours]),
    ...(span === undefined ? [] : [cooldown?.per === 'rule' ? card.cooldownRule(span) : card.cooldownItem(span)]),
    ...(limit ? [card.limit(limit.firings, timeSpan(limit.perMs, reader))] : []),
    ...(gather ? [card.gather(gather.count)] : []),
    card.fuse(fuse.firings, timeSpan(fuse.perMs, reader)),
  ];
}

/** The stored values; texts come from platforms. */
function valueLines({ values = {} }: RuleExplanation): readonly string[] {
  return Object.entries(values).map(([name, value]) => `${name}: ${escaped(JSON.stringify(value), 200)}`);
}

function openLines({ rule, episodes: { open, newest } }: RuleExplanation, reader: Reader): readonly string[] {
  const { card } = reader.texts.controls;
  if (!rule.watched) return [];
  if (open === 0) return [card.nobody];
  return [card.follows(numeral(open, reader)), ...newest.map(({ name, since }) => `- ${card.follow(escaped(name, 100), instant(since))}`)];
}

/** The people whom the rule watches, as its file names them. */
function peopleLines({ watched }: Rule): readonly string[] {
  if (!watched) return [];
  if (watched.people) return [`\`${watched.people.list}\``];
  const { users, user } = watched.with;
  return listed([users ?? user], '');
}

/** The first announcements of the rule. */
function discordSteps({ then }: Rule): readonly Step[] {
  return then.filter(({ do: verb, creates }) => creates && verb.startsWith('discord.'));
}

function textLines(rule: Rule): readonly string[] {
  const texts = rule.then.flatMap(({ with: { content, text } }) => content ?? text ?? []);
  return texts.slice(0, MAX_TEXTS).flatMap((one) => (typeof one === 'string' ? [escaped(one, MAX_TEXT_LENGTH)] : []));
}

function pingLines(rule: Rule, { texts: { controls } }: Reader): readonly string[] {
  const steps = discordSteps(rule);
  if (steps.length === 0) return [];
  const named = listed(
    steps.map(({ with: { mention } }) => mention),
    '@',
  );
  return named.length > 0 ? named : [controls.card.noPings];
}

/** The names in parameters, each once in one line. Expressions are shown without their values. */
function listed(values: readonly (Json | undefined)[], sign: '#' | '@' | ''): readonly string[] {
  const all = values
    .flatMap((value): readonly Json[] => (isJsonList(value) ? value : [value ?? null]))
    .filter((value) => typeof value === 'string');
  const shown = [...new Set(all)].map((name) =>
    isTemplate(name) ? `\`${oneLine(name, 80).replaceAll('`', "'")}\`` : sign + escaped(name.replace(/^[#@]/u, ''), 60),
  );
  const more = shown.length > MAX_LISTED ? ', …' : '';
  return shown.length === 0 ? [] : [shown.slice(0, MAX_LISTED).join(', ') + more];
}

function names(accounts: readonly string[]): string {
  return accounts.map((account) => escaped(account, 60)).join(', ');
}
