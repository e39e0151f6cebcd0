import type { APIEmbed } from 'discord.js';
import { escapeMarkdown } from '#src/clients/operation/text/escape-markdown.ts';
import { runsOf } from '#src/clients/operation/text/links.ts';
import { neutral } from '#src/clients/operation/text/sanitize.ts';
import { shorten } from '#src/clients/operation/text/shorten.ts';
import { UserError } from '#src/errors.ts';
import type { NewPost, PostDraft, Posting, PostPreview } from '#src/engine/posting/posting.ts';
import { button, rows, selectMenu, type Row } from '#src/discord/components.ts';
import type { Texts } from '#src/discord/language/texts.ts';
import { dateTimeWithDistance } from '#src/discord/text/format.ts';
import { escaped, oneLine } from '#src/discord/text/untrusted-text.ts';

/** All embeds of a message together may have 6000 characters, and the text of one embed 4096. */
const MAX_OF_ALL = 5800;
const MAX_OF_ONE = 4000;
const MAX_NAMES_LENGTH = 80;
const MAX_FACTS_LENGTH = 200;
const MAX_EMBEDS = 9;
const MAX_CHOICES = 25;
const COLOR_OK = 0x57_f2_87;
const COLOR_PROBLEM = 0xed_42_45;

/** A message about posts, which pings no one. */
export interface PostingMessage {
  readonly content: string;
  readonly embeds: APIEmbed[];
  readonly components: Row[];
  readonly allowedMentions: { readonly parse: [] };
}

type PreviewedPost = Pick<PostDraft, 'picture' | 'offered'>;

/** Accounts with the same preview. */
interface AccountGroup {
  readonly accounts: readonly string[];
  readonly preview: PostPreview;
}

/** The preview of a post for each of its accounts, with buttons to send, edit and drop the draft. */
export async function previewMessage(draft: PostDraft, posting: Posting, texts: Texts): Promise<PostingMessage> {
  const groups = groupsOf(posting.preview(draft));
  return {
    content: await headline(draft, posting, texts),
    embeds: embedsOf(groups, draft, texts),
    components: controlsOf(draft, groups, posting, texts),
    allowedMentions: { parse: [] },
  };
}

/** The preview of a waiting post for each of its accounts that is connected. Throws a {@link UserError} if it cannot be sent to one of them. */
export function previewEmbeds(post: NewPost, posting: Posting, texts: Texts): APIEmbed[] {
  const known = posting.accounts().map(({ name }) => name);
  const previews = posting.preview({ ...post, accounts: post.accounts.filter((name) => known.includes(name)) });
  for (const { account, problem, most } of previews)
    if (problem) throw new UserError(`**${escaped(account, 100)}**: ${problemText(problem, most, texts)}`);
  return embedsOf(groupsOf(previews), post, texts);
}

async function headline(
  { when, server, zone }: PostDraft,
  posting: Posting,
  { posting: { preview, zone: zoneText } }: Texts,
): Promise<string> {
  if (when === 'now') return preview.now;
  if (when !== 'queue') return `${preview.at(dateTimeWithDistance(when.at))}\n-# ${zoneText(zone)}`;
  const next = await posting.nextQueueTime({ server, zone });
  return next ? preview.queue(dateTimeWithDistance(next)) : preview.noQueue;
}

function groupsOf(previews: readonly PostPreview[]): readonly AccountGroup[] {
  const same = Map.groupBy(previews, ({ account: _account, ...preview }) => JSON.stringify(preview));
  return [...same.values()].flatMap(([preview, ...others]) =>
    preview ? [{ preview, accounts: [preview, ...others].map(({ account }) => account) }] : [],
  );
}

function embedsOf(groups: readonly AccountGroup[], post: PreviewedPost, texts: Texts): APIEmbed[] {
  const room = Math.min(MAX_OF_ONE, Math.floor(MAX_OF_ALL / Math.min(groups.length, MAX_EMBEDS)) - MAX_NAMES_LENGTH - MAX_FACTS_LENGTH);
  return groups.slice(0, MAX_EMBEDS).map((group) => embedOf(group, post, room, texts));
}

/** `room` is the number of characters for the text and the remarks. */
function embedOf({ accounts, preview }: AccountGroup, { picture, offered }: PreviewedPost, room: number, texts: Texts): APIEmbed {
  const { posts, problem, most, warning, isWarningCut = false } = preview;
  const alt = picture?.altText ?? offered?.altText;
  const labels = texts.posting.preview;
  const text = posts
    .map((post, index) => (posts.length > 1 ? `**${labels.part(index + 1, posts.length)}**\n` : '') + escapeMarkdown(neutral(post.text)))
    .join('\n\n');
  const remarks = [
    ...(problem ? [`**${problemText(problem, most, texts)}**`] : []),
    ...(warning === undefined ? [] : [`-# ${labels.warning(escaped(warning, 100))}`]),
    ...(isWarningCut ? [`⚠️ ${texts.controls.previewing.shortenedWarning}`] : []),
    ...(picture ? [`-# ${alt === undefined ? labels.noAlt : labels.alt(escaped(alt, 100))}`] : []),
  ];
  const left = room - remarks.join('\n\n').length - 2;
  const isCut = text.length > left;
  const shown = isCut ? shorten(text, Math.max(0, left - labels.cut.length - 5)) : text;
  const notes = [...(isCut ? [`-# ${labels.cut}`] : []), ...remarks];
  return {
    color: problem ? COLOR_PROBLEM : COLOR_OK,
    author: { name: oneLine(accounts.join(' · '), MAX_NAMES_LENGTH) },
    description: [shown, ...notes].filter((part) => part !== '').join('\n\n'),
    ...(picture && offered && { image: { url: offered.url } }),
    footer: { text: shorten(factsOf(preview, texts).join(' · '), MAX_FACTS_LENGTH) },
  };
}

function factsOf({ posts, length, most, mentions: { called, uncalled } }: PostPreview, texts: Texts): readonly string[] {
  const labels = texts.posting.preview;
  const lengthText = (value: number): string => (most === undefined ? labels.long(value) : labels.of(value, most));
  const links = runsOf(posts.map(({ text }) => text).join(' ')).filter(({ link }) => link).length;
  const namesOf = (names: readonly string[]): string => names.map((name) => oneLine(name, 60)).join(', ');
  const isCut = posts.length === 1 && most !== undefined && length > most;
  return [
    posts.length > 0 ? posts.map((post) => lengthText(post.length)).join(' + ') : lengthText(length),
    ...(isCut ? [labels.shortened(length)] : []),
    ...(links > 0 ? [labels.links(links)] : []),
    ...(called.length > 0 ? [labels.calls(namesOf(called))] : []),
    ...(uncalled.length > 0 ? [labels.callsNobody(namesOf(uncalled))] : []),
  ];
}

function problemText(problem: NonNullable<PostPreview['problem']>, most = 0, { posting: { preview } }: Texts): string {
  if (problem.kind === 'refused') return preview.refused(escaped(problem.why, 150));
  return problem.kind === 'empty' ? preview.empty : preview.tooLong(most);
}

function controlsOf({ id, accounts, when, tooLong }: PostDraft, groups: readonly AccountGroup[], posting: Posting, texts: Texts): Row[] {
  const { buttons } = texts.posting;
  const send = when === 'now' ? buttons.send : when === 'queue' ? buttons.queue : buttons.schedule;
  const isLong = groups.some(({ preview: { length, most } }) => most !== undefined && length > most);
  const hasProblem = groups.some(({ preview }) => preview.problem !== undefined);
  const all = posting.accounts();
  // A menu that does not show an account of the draft could not remove it.
  const first =
    all.length > MAX_CHOICES ? all.toSorted((a, b) => Number(accounts.includes(b.name)) - Number(accounts.includes(a.name))) : all;
  const known = first.slice(0, MAX_CHOICES);
  const options = known.map(({ name }) => ({ label: oneLine(name, 100), value: name, default: accounts.includes(name) }));
  const menu = selectMenu(`post:accounts:${id}`, { placeholder: buttons.accounts, options, max: known.length });
  return rows(known.length < 2 ? [] : [menu], [
    button(`post:send:${id}`, send, { style: 'good', disabled: hasProblem }),
    button(`post:edit:${id}`, buttons.edit, { style: 'primary' }),
    ...(isLong ? [button(`post:long:${id}`, tooLong === 'truncate' ? buttons.asThread : buttons.shortened)] : []),
    button(`post:drop:${id}`, buttons.drop, { style: 'danger' }),
  ]);
}
