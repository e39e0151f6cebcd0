import { AttachmentBuilder, type APIEmbed } from 'discord.js';
import type { Draft, DraftedPost, DraftedRule } from '#src/clients/assistant/drafts.ts';
import { firstUnits } from '#src/clients/operation/text/characters.ts';
import { escapeMarkdown } from '#src/clients/operation/text/escape-markdown.ts';
import { neutral } from '#src/clients/operation/text/sanitize.ts';
import { shorten } from '#src/clients/operation/text/shorten.ts';
import type { RuleSummary } from '#src/admin/queries/rule-summary.ts';
import { scheduleLine } from '#src/discord/controls/lines.ts';
import { button, rows, type Row } from '#src/discord/components.ts';
import type { Texts } from '#src/discord/language/texts.ts';
import type { PostPreview, PostTarget, SentPost } from '#src/engine/posting/posting.ts';
import { begunThread } from '#src/discord/posting/sent-posts.ts';
import { escaped, oneLine } from '#src/discord/text/untrusted-text.ts';
import type { AnswerMessage } from './answer-target.ts';

const LONGEST_LINE = 150;
const MOST_REMARKS = 3;

function summaryLines(summary: RuleSummary, texts: Texts): readonly string[] {
  const { draft } = texts.assistant;
  const { about, schedule, watches, first, during, after, remarks } = summary;
  const line = (text: string): string => escaped(text, LONGEST_LINE);
  const steps = (label: string, all: readonly string[]): readonly string[] =>
    all.length > 0 ? [`**${label}:** ${line(all.join(', '))}`] : [];
  return [
    ...(about === undefined ? [] : [line(about)]),
    `**${draft.schedule}:** ${scheduleLine(schedule, { texts, locale: texts.lookups.tag })}`,
    ...(watches === undefined ? [] : [`**${draft.watches}:** ${line(watches)}`]),
    ...steps(watches === undefined ? draft.does : draft.first, first),
    ...steps(draft.during, during),
    ...steps(draft.after, after),
    ...remarks.slice(0, MOST_REMARKS).map((remark) => `⚠️ ${line(remark)}`),
  ];
}

/** How much of a draft its card shows. A decided draft needs room for the result. */
const LONGEST_SHOWN = { open: 1_800, approved: 600, dropped: 600 } as const;
const LONGEST_WHY = 120;
const MOST_ACCOUNTS = 10;
/** A card may have 6000 characters, which include the title and one field per account. */
const LONGEST_DESCRIPTION = 3_000;
const LONGEST_SUMMARY = 1_600;
const GAP = '\n\n';
const COLORS = { open: 0xf0b232, approved: 0x23a55a, dropped: 0x80848e } as const;

/** The data that a card shows beside the draft. */
interface DraftContext {
  readonly texts: Texts;
  /** The previews of a post, one per account. */
  readonly previews: readonly PostPreview[];
  /** The state of an approved post. */
  readonly sent?: SentPost | undefined;
  readonly summary?: RuleSummary | undefined;
}

/** The card of a draft: its content, its preview, and its result once it is decided. */
export function draftCard(draft: Draft, context: DraftContext): AnswerMessage {
  const { texts } = context;
  const { content, state, by, decidedBy } = draft;
  const { draft: labels } = texts.assistant;
  const [post, rule] = state === 'open' ? [labels.post, labels.rule] : [labels.decidedPost, labels.decidedRule];
  const title = content.kind === 'post' ? post : rule(content.rule);
  const most = LONGEST_SHOWN[state];
  const decisionLine = decidedBy === undefined ? by && labels.by(`<@${by}>`) : decision(state, `<@${decidedBy}>`, texts);
  const ending = [...outcome(draft, context), ...(decisionLine === undefined ? [] : [decisionLine])];
  const left = LONGEST_DESCRIPTION - lengthOf(ending);
  const body = content.kind === 'post' ? postBody(content, most, context) : ruleBody(content, { most, left }, context);
  const description = [...body.lines, ...ending].filter((line) => line !== '');
  const embed: APIEmbed = {
    color: COLORS[state],
    title: oneLine(title, 256),
    description: shorten(description.join(GAP), LONGEST_DESCRIPTION),
    fields: body.fields,
  };
  return { content: '', embeds: [embed], rows: rowsFor(draft, context, body.isCut) };
}

/** The complete draft as files. */
export function draftFiles({ content }: Draft): readonly AttachmentBuilder[] {
  const file = (name: string, text: string): AttachmentBuilder => new AttachmentBuilder(Buffer.from(text), { name });
  if (content.kind === 'post') return [file('post.txt', content.text)];
  const tests = content.tests === undefined ? [] : [file(`${content.rule}.test.yaml`, content.tests)];
  return [file(`${content.rule}.yaml`, content.source), ...tests];
}

interface Body {
  readonly lines: readonly string[];
  readonly fields: NonNullable<APIEmbed['fields']>;
  readonly isCut: boolean;
}

function postBody({ text, accounts }: DraftedPost, most: number, { texts, previews }: DraftContext): Body {
  const shown = escapeMarkdown(neutral(text));
  const isCut = shown.length > most;
  const fields = accounts.slice(0, MOST_ACCOUNTS).map((account) => {
    const preview = previews.find((each) => each.account === account);
    return { name: oneLine(account, 100), value: preview ? lengthsOf(preview, texts) : '—', inline: true };
  });
  return { lines: [shorten(shown, most), ...(isCut ? [texts.assistant.draft.cut] : [])], fields, isCut };
}

function lengthsOf({ posts, most, length, problem }: PostPreview, { assistant: { draft } }: Texts): string {
  const limit = most === undefined ? undefined : String(most);
  if (problem) {
    const why = problem.kind === 'refused' ? escaped(problem.why, LONGEST_WHY) : problem.kind === 'empty' ? draft.empty : draft.tooLong;
    return `⚠️ ${why} (${draft.length(String(length), limit)})`;
  }
  const lengths = draft.length(posts.map((post) => post.length).join(' + '), limit);
  return posts.length > 1 ? `${draft.thread(posts.length)}: ${lengths}` : lengths;
}

/** `most` limits the shown part of the rule, `left` the whole description. */
interface Room {
  readonly most: number;
  readonly left: number;
}

function ruleBody({ source, tests }: DraftedRule, { most, left }: Room, { texts, summary }: DraftContext): Body {
  const { draft } = texts.assistant;
  const summaryPart = summary ? [shorten(summaryLines(summary, texts).join('\n'), LONGEST_SUMMARY)] : [];
  const notes = tests === undefined ? [] : [draft.tests];
  // A fence in the rule must not end the block that it is shown in.
  const whole = neutral(source).replaceAll('```', '`\u200B``').trimEnd();
  const room = Math.min(most, left - lengthOf([...summaryPart, block(''), draft.cut, ...notes]));
  const isCut = whole.length > room;
  const shown = isCut ? firstUnits(whole, room).trimEnd() : whole;
  return { lines: [...summaryPart, block(shown), ...(isCut ? [draft.cut] : []), ...notes], fields: [], isCut };
}

function block(yaml: string): string {
  return `\`\`\`yaml\n${yaml}\n\`\`\``;
}

/** The length of paragraphs with the gaps between them. */
function lengthOf(paragraphs: readonly string[]): number {
  return paragraphs.reduce((length, paragraph) => length + paragraph.length + GAP.length, 0);
}

function decision(state: Draft['state'], person: string, { assistant: { draft } }: Texts): string {
  return state === 'dropped' ? draft.dropped(person) : draft.approved(person);
}

function outcome({ content, state }: Draft, { texts, sent }: DraftContext): readonly string[] {
  const { draft } = texts.assistant;
  if (state !== 'approved') return [];
  if (content.kind === 'rule') return [draft.runs(oneLine(`${content.rule}.yaml`, 200))];
  return sent
    ? sent.targets.slice(0, MOST_ACCOUNTS).map((target) => [targetLine(target, texts), ...begunThread(target, texts)].join('\n'))
    : [draft.sending];
}

function targetLine({ account, state, url, problem: failure = {} }: PostTarget, { assistant: { draft }, reasons }: Texts): string {
  const name = `**${escaped(account, 60)}**`;
  if (state === 'sent') return draft.sent(name, url === undefined ? '✓' : `<${url}>`);
  if (!['failed', 'unknown', 'skipped'].includes(state)) return draft.waits(name);
  return draft.notSent(name, escaped(reasons.delivered(failure) ?? '', LONGEST_WHY));
}

function rowsFor({ id, state, content }: Draft, { texts, sent }: DraftContext, isCut: boolean): Row[] {
  const { draft } = texts.assistant;
  const isMoving = state === 'approved' && content.kind === 'post' && !(sent && isSettled(sent));
  return rows([
    ...(state === 'open'
      ? [button(`ask:approve:${id}`, draft.approve, { style: 'good' }), button(`ask:drop:${id}`, draft.drop, { style: 'danger' })]
      : []),
    ...(isMoving ? [button(`ask:refresh:${id}`, draft.refresh)] : []),
    ...(isCut || content.kind === 'rule' ? [button(`ask:file:${id}`, draft.asFile)] : []),
  ]);
}

/** Whether the state of a post is final. */
export function isSettled({ targets }: SentPost): boolean {
  return targets.every(({ state }) => ['sent', 'failed', 'unknown', 'skipped'].includes(state));
}
