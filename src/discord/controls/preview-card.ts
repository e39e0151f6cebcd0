import { scenarioTitle } from '#src/admin/language/scenarios.ts';
import type { APIEmbed } from 'discord.js';
import { asksPeople, ignoredKeys } from '#src/engine/simulation/assumptions.ts';
import { sampleOf } from '#src/engine/simulation/preview/message-lines.ts';
import { valueText } from '#src/engine/simulation/preview/value-text.ts';
import type {
  PreviewView,
  MessageTarget,
  MessagePreview,
  ScenarioView,
  StepView,
  TextLength,
} from '#src/engine/simulation/preview/preview-view.ts';
import { isJsonList, isJsonObject, type Json, type JsonObject } from '#src/clients/operation/json.ts';
import { shorten } from '#src/clients/operation/text/shorten.ts';
import type { Reader } from '#src/discord/caller.ts';
import { acceptedAddress } from '#src/clients/operation/accepted-address.ts';
import { COLORS, linkTo } from '#src/discord/cards/card.ts';
import type { Reply } from '#src/discord/reply.ts';
import { escaped, escapedLines } from '#src/discord/text/untrusted-text.ts';
import { stepName } from './lines.ts';
import { numeral, timeSpan } from '#src/discord/text/format.ts';

/** All embeds of a message may have 6000 characters, and the text of one embed 4096. */
const ROOM = 4_400;
const LONGEST_SCENARIO = 3_800;
/** The first of ten embeds describes the poll. */
const MOST_SCENES = 9;

/** The preview of a rule: one embed for each scenario, with its messages. */
export function previewCard(view: PreviewView, reader: Reader): Reply {
  const { rule, read, scenarios } = view;
  const { previewing } = reader.texts.controls;
  const lines = [
    ...(read ? readLines(read, reader) : []),
    ...sampleLines(view, reader),
    ...(scenarios.length > 0 ? assumptionLines(rule, reader) : []),
    ...excludedLines(read?.excluded ?? [], reader),
    ...(scenarios.length === 0 && read?.failure === undefined ? [previewing.nothing] : []),
  ];
  const shown = fitting(scenarios.map((scenario) => scenarioEmbed(scenario, reader)));
  const isCut = shown.length < scenarios.length || shown.some(({ description }) => description?.endsWith(MORE));
  const head: APIEmbed = {
    title: previewing.title(escaped(rule.id, 200)),
    description: [...lines, ...(isCut ? [`-# ${previewing.cut}`] : [])].join('\n'),
    footer: { text: previewing.nothingSent },
  };
  return { content: '', embeds: [head, ...shown] };
}

/** The first embeds that fit into a message. */
function fitting(embeds: readonly APIEmbed[]): readonly APIEmbed[] {
  let room = ROOM;
  const end = embeds.findIndex(({ title = '', description = '' }) => (room -= title.length + description.length) < 0);
  return embeds.slice(0, Math.min(end < 0 ? embeds.length : Math.max(end, 1), MOST_SCENES));
}

function readLines(
  { failure, fault, partlyFailed, count, counted, unknownUsers = [] }: NonNullable<PreviewView['read']>,
  reader: Reader,
): readonly string[] {
  const { controls, reasons } = reader.texts;
  const { previewing } = controls;
  if (failure !== undefined) return [`⚠️ ${previewing.failed(escaped(reasons.pollFailed({ failure, fault }), 300))}`];
  return [
    previewing.read(numeral(count, reader), numeral(counted, reader), counted),
    ...(partlyFailed ? [`⚠️ ${escaped(reasons.decided(partlyFailed), 400)}`] : []),
    ...unknownUsers.map(({ user, account }) => previewing.noUser(escaped(user, 100), escaped(account, 100))),
  ];
}

function sampleLines(view: PreviewView, { texts: { controls } }: Reader): readonly string[] {
  const sample = sampleOf(view);
  const { previewing } = controls;
  return sample ? [[previewing.sample[sample.of], ...(sample.ignoresIf ? [previewing.ignoresIf] : [])].join(' ')] : [];
}

function assumptionLines(rule: PreviewView['rule'], { texts: { controls } }: Reader): readonly string[] {
  const { previewing } = controls;
  const ignored = ignoredKeys(rule).map((key) => `\`${key}\``);
  return [
    ...(ignored.length > 0 ? [`-# ${previewing.ignores(ignored.join(', '))}`] : []),
    ...(asksPeople(rule) ? [`-# ${previewing.answersFirst}`] : []),
  ];
}

function excludedLines(excluded: NonNullable<PreviewView['read']>['excluded'], { texts: { reasons } }: Reader): readonly string[] {
  return excluded.map(({ name, ...condition }) => `-# ${escaped(name, 80)}: ${escaped(reasons.condition(condition), 200)}`);
}

function scenarioEmbed({ kind, name, suppression, steps }: ScenarioView, reader: Reader): APIEmbed {
  const { controls, reasons } = reader.texts;
  const about = name ?? (suppression?.reason && 'name' in suppression.reason ? suppression.reason.name : undefined);
  const why = suppression && controls.previewing.silent(escaped(reasons.decided(suppression), 300));
  const blocks = [...(why === undefined ? [] : [[`🔇 ${why}`]]), ...steps.map((step) => stepLines(step, reader))];
  return {
    title: scenarioTitle(controls.previewing.scenarios[kind], about === undefined ? undefined : escaped(about, 150)),
    description: upTo(
      blocks.flatMap((lines, index) => (index === 0 ? lines : ['', ...lines])),
      LONGEST_SCENARIO,
    ),
    color: COLORS.social,
    ...pictureIn(steps.flatMap(({ messages }) => messages)),
  };
}

/** Ends a description from which lines are missing. */
const MORE = '\n…';

function upTo(lines: readonly string[], most: number): string {
  let length = 0;
  const end = lines.findIndex((line) => (length += line.length + 1) > most);
  return end < 0 ? lines.join('\n') : `${lines.slice(0, end).join('\n')}${MORE}`;
}

/** The elements of a list can fail for several reasons. */
const LONGEST_REASONS = 600;

/** A step with its channel and account, its messages, and the reason why it is skipped. */
function stepLines({ position, do: verb, account, after, notRun, reads, remarks, messages }: StepView, reader: Reader): readonly string[] {
  const { controls, reasons } = reader.texts;
  const { card, previewing } = controls;
  const [first] = messages;
  const facts = [
    `**${stepName(position, reader.texts)}**${first?.target ? ` → ${channelLabel(first.target, reader)}` : ''}`,
    card.step(`\`${verb}\``, escaped(account, 60)),
    ...(after ? [card.waits(timeSpan(after.ms, reader))] : []),
    ...(reads ? [previewing.asked] : []),
  ];
  const why = notRun && escaped(reasons.delivered(notRun) ?? '', LONGEST_REASONS);
  return [
    facts.join(' · '),
    ...(why === undefined ? [] : [notRun?.kind === 'failed' ? `⚠️ ${previewing.failedStep(why)}` : `-# ${previewing.skippedStep(why)}`]),
    // Long messages can fill the card, so the remarks are above them.
    ...remarks.map((remark) => {
      if (remark.kind === 'cut') return `⚠️ ${previewing.shortened}`;
      if (remark.kind === 'cutWarning') return `⚠️ ${previewing.shortenedWarning}`;
      if (remark.kind === 'cutCards') return `⚠️ ${previewing.cutCards}`;
      if (remark.kind === 'foreignPing') return `⚠️ ${previewing.foreignPing(escaped(remark.name, 50))}`;
      if (remark.kind === 'removesButtons') return `⚠️ ${previewing.removesButtons}`;
      if (remark.kind === 'file') return `⚠️ ${previewing.file(escaped(remark.path, 200), escaped(remark.error, 100))}`;
      if (remark.kind === 'without') {
        const missing = escaped(reasons.delivered({ omitted: [remark.omission] }) ?? '', 300);
        return `⚠️ ${remark.fails ? previewing.failedStep(missing) : missing}`;
      }
      return `⚠️ ${controls.targetProblem(escaped(remark.error, 300))}`;
    }),
    ...messages.flatMap((message) => messagePreviewLines(message, reader)),
  ];
}

/** The first picture of the messages. */
function pictureIn(messages: readonly MessagePreview[]): Pick<APIEmbed, 'image' | 'thumbnail'> {
  for (const embed of messages.flatMap(({ embeds }) => embeds)) {
    for (const size of ['image', 'thumbnail'] as const) {
      const url = embed[size];
      const address = typeof url === 'string' ? acceptedAddress(url) : undefined;
      if (address !== undefined) return { [size]: { url: address } };
    }
  }
  return {};
}

const LONGEST_TEXT = 900;
const LONGEST_PART = 300;
const MOST_FIELDS = 6;
const MOST_OTHERS = 5;
/** The share of the limit from which the length is shown. */
const NEARLY_FULL = 0.8;

/** The channel of a message, for example `#live`. */
function channelLabel(target: MessageTarget, { texts: { controls } }: Reader): string {
  if (target.kind === 'message') return controls.previewing.toMessage;
  return `#${escaped(target.channel, 100)}${target.name === undefined ? '' : ` (${escaped(target.name, 60)})`}`;
}

/** A message as a quotation, with remarks about its length and its mentions. */
function messagePreviewLines(
  { text, isMarkdown, embeds, buttons, others, lengths, pings = [], onlyText = [] }: MessagePreview,
  reader: Reader,
): readonly string[] {
  const { previewing } = reader.texts.controls;
  const quote = text === undefined || text === '' ? [] : shown(text, isMarkdown, LONGEST_TEXT).split('\n');
  const rest = others.slice(0, MOST_OTHERS).map(([key, value]) => `${escaped(key, 60)}: ${escaped(valueText(value), LONGEST_PART)}`);
  const labels = buttons.length > 0 ? [buttons.map((label) => `\`${escaped(label, 80).replaceAll('`', '')}\``).join(' ')] : [];
  const facts = [
    ...lengths.flatMap((length) => lengthText(length, reader)),
    ...(pings.length > 0 ? [previewing.pings(escaped(pings.join(', '), 200))] : []),
    ...(onlyText.length > 0 ? [previewing.onlyText(escaped(onlyText.join(', '), 200))] : []),
  ];
  return [
    ...[...quote, ...embeds.flatMap((embed) => embedLines(embed, reader)), ...labels, ...rest].map((line) => `> ${line}`),
    ...(facts.length > 0 ? [`-# ${facts.join(' · ')}`] : []),
  ];
}

/** Markdown of a rule stays unchanged: the renderer escaped its untrusted parts. */
function shown(text: string, isMarkdown: boolean, most: number): string {
  return isMarkdown ? shorten(text, most) : escapedLines(text, most);
}

function embedLines({ author, title, url, description, fields, footer, image, thumbnail }: JsonObject, reader: Reader): readonly string[] {
  const text = (value: Json | undefined, most = LONGEST_PART): string => (typeof value === 'string' ? shown(value, true, most) : '');
  const address = (value: Json | undefined): string | undefined => (typeof value === 'string' ? value : undefined);
  const rows = isJsonList(fields) ? fields.filter(isJsonObject).slice(0, MOST_FIELDS) : [];
  const pictures = [image, thumbnail].flatMap((one) => address(one) ?? []);
  const { picture } = reader.texts.controls.previewing;
  const name = isJsonObject(author) && typeof author['name'] === 'string' ? [escaped(author['name'], LONGEST_PART)] : [];
  return [
    ...name,
    ...(title === undefined ? [] : [`**${linkTo(address(url), text(title))}**`]),
    ...(description === undefined ? [] : text(description, LONGEST_TEXT).split('\n')),
    ...rows.map(({ name, value }) => `**${text(name)}** ${text(value).replaceAll('\n', ' ')}`),
    ...(footer === undefined ? [] : [text(footer)]),
    ...(pictures.length === 0 ? [] : [pictures.map((one) => linkTo(one, `🖼️ ${picture}`)).join(' ')]),
  ];
}

/** The length of a post, or of another text that is nearly full. */
function lengthText({ path, length, most }: TextLength, reader: Reader): readonly string[] {
  const { previewing } = reader.texts.controls;
  if (most === undefined || (path !== 'text' && length < most * NEARLY_FULL)) return [];
  const [long, longest] = [numeral(length, reader), numeral(most, reader)];
  return [path === 'text' || path === 'content' ? previewing.length(long, longest) : previewing.lengthOf(escaped(path, 60), long, longest)];
}
