import { ActionRowBuilder, ButtonBuilder, ButtonStyle, StringSelectMenuBuilder } from 'discord.js';
import type { Asker } from '../asker.ts';
import { escaped, oneLine } from '../text/foreign-text.ts';
import { moment, shortMoment } from './moments.ts';
import type { PostingMessage } from './posting-message.ts';
import type { Posting, SentPost } from './posting.ts';
import { targetLine } from './result-message.ts';

const ON_A_PAGE = 5;
const SHOWN_TEXT = 120;
const LAST_ONES = 5;
const LONGEST_CHOICE = 100;
const LONGEST_ACCOUNTS = 30;

/** What waits in a server, a page of it, and what became of the last ones. */
export async function waitingList(
  page: number,
  { posting, asker }: { readonly posting: Posting; readonly asker: Asker },
): Promise<PostingMessage> {
  const { words, server } = asker;
  const { list } = words.posting;
  const waiting = await posting.waiting(server?.id);
  const pages = Math.max(1, Math.ceil(waiting.length / ON_A_PAGE));
  const here = Math.min(Math.max(0, page), pages - 1);
  const shown = waiting.slice(here * ON_A_PAGE, (here + 1) * ON_A_PAGE);
  const recent = here === 0 ? await posting.recent(server?.id, LAST_ONES) : [];
  const lines = [
    waiting.length === 0 ? list.none : list.waiting(waiting.length) + (pages > 1 ? ` (${here + 1}/${pages})` : ''),
    ...shown.map((post) => entry(post, asker)),
    ...(recent.length > 0 ? ['', list.recent] : []),
    ...recent.map((post) => `${entry(post, asker)}\n${post.targets.map((target) => targetLine(target, words)).join('\n')}`),
  ];
  return {
    content: fitting(lines),
    embeds: [],
    components: [...picker(shown, asker), ...turner(here, pages, asker)],
    allowedMentions: { parse: [] },
  };
}

/** As many of the lines as a message has room for. */
function fitting(lines: readonly string[]): string {
  let content = '';
  for (const line of lines) {
    if (content.length + line.length > 1990) break;
    content += `${line}\n`;
  }
  return content.trimEnd();
}

function entry({ at, targets, by, text, isQueued, hasPicture }: SentPost, { words }: Asker): string {
  const { list } = words.posting;
  const accounts = escaped(targets.map(({ account }) => account).join(', '), 100);
  const notes = [...(isQueued ? [list.queued] : []), ...(hasPicture ? [list.picture] : [])].map((note) => ` · ${note}`).join('');
  const said = escaped(text, SHOWN_TEXT);
  return `${shortMoment(at)} · ${list.of(accounts, `<@${by.id}>`)}${notes}${said === '' ? '' : `\n> ${said}`}`;
}

function picker(shown: readonly SentPost[], asker: Asker) {
  if (shown.length === 0) return [];
  const menu = new StringSelectMenuBuilder()
    .setCustomId('post:pick')
    .setPlaceholder(asker.words.posting.buttons.pick)
    .addOptions(postChoices(shown, asker).map(({ name, value }) => ({ label: name, value })));
  return [new ActionRowBuilder<StringSelectMenuBuilder>().addComponents(menu).toJSON()];
}

function turner(page: number, pages: number, { words }: Asker) {
  if (pages === 1) return [];
  const { newer, older } = words.posting.buttons;
  const button = (to: number, label: string): ButtonBuilder =>
    new ButtonBuilder()
      .setCustomId(`post:list:${to}`)
      .setLabel(label)
      .setStyle(ButtonStyle.Secondary)
      .setDisabled(to < 0 || to >= pages);
  return [new ActionRowBuilder<ButtonBuilder>().addComponents(button(page - 1, newer), button(page + 1, older)).toJSON()];
}

/** Each post on one line where Discord shows nothing but letters; no two look the same. */
export function postChoices(
  posts: readonly SentPost[],
  { zone, locale }: Pick<Asker, 'zone' | 'locale'>,
): readonly { readonly name: string; readonly value: string }[] {
  const times = new Intl.DateTimeFormat(locale, { timeZone: zone, dateStyle: 'short', timeStyle: 'short' });
  const lines = posts.map(({ at, targets, text }) => {
    const accounts = oneLine(targets.map(({ account }) => account).join(', '), LONGEST_ACCOUNTS);
    return oneLine(`${times.format(at)} · ${accounts} · ${text}`, LONGEST_CHOICE);
  });
  const alike = Map.groupBy(lines, (line) => line.toLowerCase());
  return posts.map(({ id }, index) => {
    const line = lines[index] ?? '';
    const isOne = alike.get(line.toLowerCase())?.length === 1;
    const mark = ` · ${id.slice(0, 4)}`;
    return { name: isOne ? line : `${oneLine(line, LONGEST_CHOICE - mark.length)}${mark}`, value: id };
  });
}

/** One post that waits, with all that can be done about it. */
export function waitingPost(post: SentPost, { words }: Asker): PostingMessage {
  const { buttons } = words.posting;
  const button = (part: string, label: string, style: ButtonStyle): ButtonBuilder =>
    new ButtonBuilder().setCustomId(`post:${part}:${post.id}`).setLabel(label).setStyle(style);
  const row = new ActionRowBuilder<ButtonBuilder>().addComponents(
    button('now', buttons.sendNow, ButtonStyle.Success),
    button('move', buttons.move, ButtonStyle.Primary),
    button('back', buttons.takeBack, ButtonStyle.Danger),
    new ButtonBuilder().setCustomId('post:list:0').setLabel(buttons.back).setStyle(ButtonStyle.Secondary),
  );
  const { list, result } = words.posting;
  const accounts = escaped(post.targets.map(({ account }) => account).join(', '), 200);
  const said = post.text.trim() === '' ? '' : `\n> ${escaped(post.text, 1200)}`;
  return {
    content: `${result.waits(moment(post.at))}\n${list.of(accounts, `<@${post.by.id}>`)}${said}`,
    embeds: [],
    components: [row.toJSON()],
    allowedMentions: { parse: [] },
  };
}
