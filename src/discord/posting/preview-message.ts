import { ActionRowBuilder, ButtonBuilder, ButtonStyle, StringSelectMenuBuilder, type APIEmbed } from 'discord.js';
import { escapeMarkdown } from '#src/operation/text/escape-markdown.ts';
import { runsOf } from '#src/operation/text/links.ts';
import { neutral } from '#src/operation/text/neutral.ts';
import { shorten } from '#src/operation/text/shorten.ts';
import type { Words } from '../language/words.ts';
import { escaped, oneLine } from '../text/foreign-text.ts';
import type { PostingMessage } from './posting-message.ts';
import { moment } from './moments.ts';
import type { PostDraft, Posting, PostPreview } from './posting.ts';

/** All embeds of a message together have room for 6000 characters, and the text of one for 4096. */
const ROOM = 5800;
const MOST_OF_ONE = 4000;
const LONGEST_NAMES = 80;
const LONGEST_FACTS = 200;
const MOST_EMBEDS = 9;
const MOST_CHOICES = 25;
const FINE = 0x57_f2_87;
const WRONG = 0xed_42_45;

/** Accounts at which a post looks the same. */
interface Look {
  readonly accounts: readonly string[];
  readonly preview: PostPreview;
}

/** What a post will look like at each of its accounts, with what can be done about it; buttons and menus work for days. */
export async function previewMessage(
  draft: PostDraft,
  { posting, words }: { readonly posting: Posting; readonly words: Words },
): Promise<PostingMessage> {
  const looks = alike(posting.preview(draft));
  const room = Math.min(MOST_OF_ONE, Math.floor(ROOM / Math.min(looks.length, MOST_EMBEDS)) - LONGEST_NAMES - LONGEST_FACTS);
  return {
    content: await headline(draft, posting, words),
    embeds: looks.slice(0, MOST_EMBEDS).map((look) => toEmbed(look, draft, { room, words })),
    components: controls(draft, looks, { posting, words }),
    allowedMentions: { parse: [] },
  };
}

async function headline({ when, server, zone }: PostDraft, posting: Posting, { posting: { preview } }: Words): Promise<string> {
  if (when === 'now') return preview.now;
  if (when !== 'queue') return preview.at(moment(when.at));
  const next = await posting.nextQueueTime({ server, zone });
  return next ? preview.queue(moment(next)) : preview.noQueue;
}

function alike(previews: readonly PostPreview[]): readonly Look[] {
  const same = Map.groupBy(previews, ({ account: _account, ...look }) => JSON.stringify(look));
  return [...same.values()].flatMap(([preview, ...others]) =>
    preview ? [{ preview, accounts: [preview, ...others].map(({ account }) => account) }] : [],
  );
}

interface Drawing {
  /** How many characters there are for all but the names and the facts. */
  readonly room: number;
  readonly words: Words;
}

function toEmbed({ accounts, preview }: Look, draft: PostDraft, { room, words }: Drawing): APIEmbed {
  const { posts, problem, most } = preview;
  const { picture, offered } = draft;
  const alt = picture?.altText ?? offered?.altText;
  const says = words.posting.preview;
  const text = posts
    .map((post, index) => (posts.length > 1 ? `**${says.part(index + 1, posts.length)}**\n` : '') + asItIs(post.text))
    .join('\n\n');
  const remarks = [
    ...(problem ? [`**${problemText(problem, most, words)}**`] : []),
    ...(picture ? [`-# ${alt === undefined ? says.noAlt : says.alt(escaped(alt, 100))}`] : []),
  ];
  const left = room - remarks.join('\n\n').length - 2;
  const isCut = text.length > left;
  const shown = isCut ? shorten(text, Math.max(0, left - says.cut.length - 5)) : text;
  const notes = [...(isCut ? [`-# ${says.cut}`] : []), ...remarks];
  return {
    color: problem ? WRONG : FINE,
    author: { name: oneLine(accounts.join(' · '), LONGEST_NAMES) },
    description: [shown, ...notes].filter((part) => part !== '').join('\n\n'),
    ...(picture && offered && { image: { url: offered.url } }),
    footer: { text: shorten(facts(preview, words).join(' · '), LONGEST_FACTS) },
  };
}

/** A text letter for letter, with its links, and calling nobody. */
function asItIs(text: string): string {
  return escapeMarkdown(neutral(text));
}

function facts(
  { posts, length, most, mentions: { called, uncalled } }: PostPreview,
  { posting: { preview: says } }: Words,
): readonly string[] {
  const lengths = posts.map((post) => (most === undefined ? says.long(post.length) : says.of(post.length, most)));
  const links = runsOf(posts.map(({ text }) => text).join(' ')).filter(({ link }) => link).length;
  const named = (names: readonly string[]): string => names.map((name) => oneLine(name, 60)).join(', ');
  const isCut = posts.length === 1 && most !== undefined && length > most;
  return [
    lengths.length > 0 ? lengths.join(' + ') : most === undefined ? says.long(length) : says.of(length, most),
    ...(isCut ? [says.shortened(length, most)] : []),
    ...(links > 0 ? [says.links(links)] : []),
    ...(called.length > 0 ? [says.calls(named(called))] : []),
    ...(uncalled.length > 0 ? [says.callsNobody(named(uncalled))] : []),
  ];
}

function problemText(problem: NonNullable<PostPreview['problem']>, most: number | undefined, { posting: { preview } }: Words): string {
  if (problem.kind === 'refused') return preview.refused(escaped(problem.why, 150));
  return problem.kind === 'empty' ? preview.empty : preview.tooLong(most ?? 0);
}

function controls(draft: PostDraft, looks: readonly Look[], { posting, words }: { readonly posting: Posting; readonly words: Words }) {
  const { buttons } = words.posting;
  const { id, accounts, when, tooLong } = draft;
  const button = (part: string, label: string, style: ButtonStyle): ButtonBuilder =>
    new ButtonBuilder().setCustomId(`post:${part}:${id}`).setLabel(label).setStyle(style);
  const send = when === 'now' ? buttons.send : when === 'queue' ? buttons.queue : buttons.schedule;
  const isLong = looks.some(({ preview: { length, most } }) => most !== undefined && length > most);
  const row = new ActionRowBuilder<ButtonBuilder>().addComponents(
    button('send', send, ButtonStyle.Success).setDisabled(looks.some(({ preview }) => preview.problem !== undefined)),
    button('edit', buttons.edit, ButtonStyle.Primary),
    ...(isLong ? [button('long', tooLong === 'truncate' ? buttons.asThread : buttons.shortened, ButtonStyle.Secondary)] : []),
    button('drop', buttons.drop, ButtonStyle.Danger),
  );
  const known = posting.accounts().slice(0, MOST_CHOICES);
  if (known.length < 2) return [row.toJSON()];
  const menu = new StringSelectMenuBuilder()
    .setCustomId(`post:accounts:${id}`)
    .setPlaceholder(buttons.accounts)
    .setMinValues(1)
    .setMaxValues(known.length)
    .addOptions(known.map(({ name }) => ({ label: oneLine(name, 100), value: name, default: accounts.includes(name) })));
  return [new ActionRowBuilder<StringSelectMenuBuilder>().addComponents(menu).toJSON(), row.toJSON()];
}
