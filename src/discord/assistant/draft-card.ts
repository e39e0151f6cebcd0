import {
  ActionRowBuilder,
  AttachmentBuilder,
  ButtonBuilder,
  ButtonStyle,
  type APIEmbed,
  type MessageActionRowComponentBuilder,
} from 'discord.js';
import type { Draft, DraftedPost, DraftedRule } from '#src/assistant/drafts.ts';
import { escapeMarkdown } from '#src/operation/text/escape-markdown.ts';
import { neutral } from '#src/operation/text/neutral.ts';
import { shorten } from '#src/operation/text/shorten.ts';
import type { Words } from '../language/words.ts';
import type { PostPreview, PostTarget, SentPost } from '../posting/posting.ts';
import { escaped, oneLine } from '../text/foreign-text.ts';
import type { Sheet } from './page.ts';
import { summaryLines, type RuleSummary } from './rule-summary.ts';

/** How much of a draft stands on its card: once it is decided, what became of it needs the room. */
const LONGEST_SHOWN = { open: 1_800, approved: 600, dropped: 600 } as const;
const LONGEST_WHY = 120;
const MOST_ACCOUNTS = 10;
/** Of the 6000 characters of a card, so much beside its title and a field for each account. */
const LONGEST_DESCRIPTION = 3_000;
const LONGEST_SUMMARY = 1_600;
const GAP = '\n\n';
const COLORS = { open: 0xf0b232, approved: 0x23a55a, dropped: 0x80848e } as const;

/** What a card shows beside the draft. */
export interface DraftSurroundings {
  readonly words: Words;
  /** How a post will look, by account. */
  readonly previews: readonly PostPreview[];
  /** What became of an approved post. */
  readonly sent?: SentPost | undefined;
  /** Where an approved rule is. */
  readonly file?: string | undefined;
  /** What a rule does. */
  readonly summary?: RuleSummary | undefined;
}

/** A draft with all that somebody has to see who decides about it, and what became of it. */
export function draftCard(draft: Draft, surroundings: DraftSurroundings): Sheet {
  const { words } = surroundings;
  const { content, state, by, decidedBy } = draft;
  const { draft: said } = words.assistant;
  const [post, rule] = state === 'open' ? [said.post, said.rule] : [said.decidedPost, said.decidedRule];
  const title = content.kind === 'post' ? post : rule(content.rule);
  const most = LONGEST_SHOWN[state];
  const who = decidedBy === undefined ? by && said.by(`<@${by}>`) : decision(state, `<@${decidedBy}>`, words);
  const ending = [...outcome(draft, surroundings), ...(who === undefined ? [] : [who])];
  const left = LONGEST_DESCRIPTION - lengthOf(ending);
  const body = content.kind === 'post' ? postBody(content, most, surroundings) : ruleBody(content, { most, left }, surroundings);
  const description = [...body.lines, ...ending].filter((line) => line !== '');
  const embed: APIEmbed = {
    color: COLORS[state],
    title: oneLine(title, 256),
    description: shorten(description.join(GAP), LONGEST_DESCRIPTION),
    fields: body.fields,
  };
  return { content: '', embeds: [embed], rows: rowsFor(draft, surroundings, body.isCut) };
}

/** The whole of a draft as files. */
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

function postBody({ text, accounts }: DraftedPost, most: number, { words, previews }: DraftSurroundings): Body {
  const shown = escapeMarkdown(neutral(text));
  const isCut = shown.length > most;
  const fields = accounts.slice(0, MOST_ACCOUNTS).map((account) => {
    const preview = previews.find((each) => each.account === account);
    return { name: oneLine(account, 100), value: preview ? lengthsOf(preview, words) : '—', inline: true };
  });
  return { lines: [shorten(shown, most), ...(isCut ? [words.assistant.draft.cut] : [])], fields, isCut };
}

function lengthsOf({ posts, most, length, problem }: PostPreview, { assistant: { draft } }: Words): string {
  const limit = most === undefined ? undefined : String(most);
  if (problem) {
    const why = problem.kind === 'refused' ? escaped(problem.why, LONGEST_WHY) : problem.kind === 'empty' ? draft.empty : draft.tooLong;
    return `⚠️ ${why} (${draft.length(String(length), limit)})`;
  }
  const lengths = draft.length(posts.map((post) => post.length).join(' + '), limit);
  return posts.length > 1 ? `${draft.thread(posts.length)}: ${lengths}` : lengths;
}

/** How much of a rule may be shown, and how much room there is for all that is said of it. */
interface Room {
  readonly most: number;
  readonly left: number;
}

function ruleBody({ source, tests }: DraftedRule, { most, left }: Room, { words, summary }: DraftSurroundings): Body {
  const { draft } = words.assistant;
  const says = summary ? [shorten(summaryLines(summary, words).join('\n'), LONGEST_SUMMARY)] : [];
  const notes = tests === undefined ? [] : [draft.tests];
  // A fence in the rule must not end the block that it is shown in.
  const whole = neutral(source).replaceAll('```', '`\u200B``').trimEnd();
  const room = Math.min(most, left - lengthOf([...says, block(''), draft.cut, ...notes]));
  const isCut = whole.length > room;
  const shown = isCut
    ? whole
        .slice(0, room)
        .replace(/[\uD800-\uDBFF]$/u, '')
        .trimEnd()
    : whole;
  return { lines: [...says, block(shown), ...(isCut ? [draft.cut] : []), ...notes], fields: [], isCut };
}

function block(yaml: string): string {
  return `\`\`\`yaml\n${yaml}\n\`\`\``;
}

/** How long paragraphs are, each with the gap behind it. */
function lengthOf(paragraphs: readonly string[]): number {
  return paragraphs.reduce((length, paragraph) => length + paragraph.length + GAP.length, 0);
}

function decision(state: Draft['state'], person: string, { assistant: { draft } }: Words): string {
  return state === 'dropped' ? draft.dropped(person) : draft.approved(person);
}

function outcome({ content, state }: Draft, { words, sent, file }: DraftSurroundings): readonly string[] {
  const { draft } = words.assistant;
  if (state !== 'approved') return [];
  if (content.kind === 'rule') return [draft.runs(oneLine(file ?? `${content.rule}.yaml`, 200))];
  return sent ? sent.targets.slice(0, MOST_ACCOUNTS).map((target) => targetLine(target, words)) : [draft.sending];
}

function targetLine({ account, state, url, trouble = {} }: PostTarget, { assistant: { draft }, reasons }: Words): string {
  const name = `**${escaped(account, 60)}**`;
  if (state === 'sent') return draft.sent(name, url === undefined ? '✓' : `<${url}>`);
  if (!['failed', 'unknown', 'skipped'].includes(state)) return draft.waits(name);
  return draft.notSent(name, escaped(reasons.delivered(trouble) ?? '', LONGEST_WHY));
}

function rowsFor({ id, state, content }: Draft, { words, sent }: DraftSurroundings, isCut: boolean): Sheet['rows'] {
  const { draft } = words.assistant;
  const button = (act: string, label: string, style: ButtonStyle): ButtonBuilder =>
    new ButtonBuilder().setCustomId(`ask:${act}:${id}`).setLabel(label).setStyle(style);
  const isMoving = state === 'approved' && content.kind === 'post' && !(sent && isSettled(sent));
  const buttons = [
    ...(state === 'open' ? [button('approve', draft.approve, ButtonStyle.Success), button('drop', draft.drop, ButtonStyle.Danger)] : []),
    ...(isMoving ? [button('refresh', draft.refresh, ButtonStyle.Secondary)] : []),
    ...(isCut || content.kind === 'rule' ? [button('file', draft.asFile, ButtonStyle.Secondary)] : []),
  ];
  return buttons.length === 0 ? [] : [new ActionRowBuilder<MessageActionRowComponentBuilder>().addComponents(buttons)];
}

/** Whether nothing more happens to a post. */
export function isSettled({ targets }: SentPost): boolean {
  return targets.every(({ state }) => ['sent', 'failed', 'unknown', 'skipped'].includes(state));
}
