import { cardsOf } from '#src/clients/chat/sendable-cards.ts';
import { uniqueName } from '../attachments.ts';
import { isDeepStrictEqual } from 'node:util';
import { parseAnswerButtonId } from '#src/clients/chat/answer-ids.ts';
import type { Button } from '#src/clients/chat/buttons.ts';
import type { Layout } from '#src/clients/chat/layout.ts';
import type { EmbedDraft } from '#src/clients/chat/parameters.ts';
import type { SentMessage } from '#src/clients/chat/records.ts';
import { doubtfulMs, findLost, mentions, soonestMs } from '#src/clients/operation/find-lost.ts';
import type { Recovery } from '#src/clients/operation/platform.ts';
import { toWireEmbeds, WireEmbeds } from '../wire/embed.ts';
import { hasSameComponents } from '../wire/components.ts';
import type { Server } from '../server.ts';
import { toSent, type WireMessage } from '../wire/message.ts';

const MOST_PAGES = 50;
/** The extra time range of a search, in case the clock of this machine is wrong. */
const DOUBTFUL_PAGES = 2;

/** The properties of a file that identify a message. */
interface NamedFile {
  readonly name: string;
  /** Whether the message may be sent without the file. */
  readonly isOptional: boolean;
}

/** The content of a message. */
export interface MessageContent {
  readonly content?: string | undefined;
  readonly embed?: EmbedDraft | undefined;
  readonly embeds?: readonly EmbedDraft[] | undefined;
  readonly buttons?: readonly Button[] | undefined;
  readonly layout?: Layout | undefined;
  readonly files?: readonly NamedFile[] | undefined;
}

/** A message whose outcome is unknown. */
export interface Lost extends MessageContent {
  readonly nonce: string;
  readonly since: Date;
  /** Ids of messages that belong to other deliveries. */
  readonly taken: ReadonlySet<string>;
  /** Names that the message contains, if the rest of its content may differ. */
  readonly about?: readonly string[] | undefined;
}

/** The channel of the lost message. */
interface History {
  readonly guildId: string;
  readonly botId: string;
  /** Whether a name is that of the sender, if a webhook sends. */
  readonly isSender?: ((name: string) => boolean) | undefined;
  /** A page of messages before a message, newest first. It is empty at the end. */
  readonly page: (before: string | undefined) => Promise<readonly WireMessage[]>;
  /** The time of the newest message in the data of the channel. */
  readonly newestAt: () => Promise<Date | undefined>;
}

/** The messages of a channel or thread. */
export async function historyIn(
  { guildId, history }: Pick<Server, 'guildId' | 'history'>,
  channelId: string,
  signal: AbortSignal | undefined,
): Promise<History> {
  return {
    guildId,
    botId: await history.botId(signal),
    page: (before) => history.page(channelId, { before, signal }),
    newestAt: () => history.newestAt(channelId, signal),
  };
}

/** Searches the recent messages of the bot for the lost message. */
export async function findSent(lost: Lost, history: History): Promise<Recovery<SentMessage>> {
  const { guildId } = history;
  const sent = await messagesOfBot(lost.since, history);
  if (sent === 'cannotTell') return sent;
  const known = sent.find(({ nonce }) => nonce === lost.nonce);
  if (known) return { found: toSent(known, guildId) };
  const alike = sent.filter(
    (message) => message.nonce === undefined && !lost.taken.has(toSent(message, guildId).id) && hasSameContent(message, lost),
  );
  const recovery = findLost(alike.toReversed(), { since: lost.since, madeAt: ({ timestamp }) => timestamp });
  if (typeof recovery === 'object') return { found: toSent(recovery.found, guildId) };
  return recovery === 'absent' && lost.about ? findNaming(lost.about, { lost, sent, guildId }) : recovery;
}

/** The first unclaimed message that contains all names in `about`. The rest of its content may have been edited. */
function findNaming(
  about: readonly string[],
  { lost: { since, taken }, sent, guildId }: { readonly lost: Lost; readonly sent: readonly WireMessage[]; readonly guildId: string },
): Recovery<SentMessage> {
  const unexplained = sent.filter(
    (message) => message.timestamp.getTime() >= soonestMs(since) && !isQuestion(message) && !taken.has(toSent(message, guildId).id),
  );
  if (about.length === 0) return unexplained.length > 0 ? 'cannotTell' : 'absent';
  const found = unexplained.findLast(({ content, embeds }) => mentions({ content, embeds }, about));
  return found ? { found: toSent(found, guildId) } : 'absent';
}

function isQuestion({ components }: WireMessage): boolean {
  return components.some(({ customId = '' }) => parseAnswerButtonId(customId) !== undefined);
}

/** The messages of the bot since the attempt, and some of the day before, newest first. */
export async function messagesOfBot(
  since: Date,
  { botId, isSender = () => true, page, newestAt }: Omit<History, 'guildId'>,
): Promise<readonly WireMessage[] | 'cannotTell'> {
  const sent: WireMessage[] = [];
  let oldest: WireMessage | undefined;
  const reachesTo = (ms: number): boolean => oldest !== undefined && oldest.timestamp.getTime() < ms;

  for (let pages = 0, doubtful = 0; !reachesTo(doubtfulMs(since)); pages++) {
    const isDoubtful = reachesTo(soonestMs(since));
    if (isDoubtful && doubtful++ === DOUBTFUL_PAGES) break;
    if (!isDoubtful && pages === MOST_PAGES) return 'cannotTell';
    const messages = await page(oldest?.id);
    if (messages.length === 0) break;
    sent.push(...messages.filter(({ author, isWritten }) => isWritten && author.id === botId && isSender(author.username)));
    oldest = messages.at(-1);
  }
  // Without the permission to read it, Discord shows an empty history.
  return !oldest && ((await newestAt())?.getTime() ?? 0) >= doubtfulMs(since) ? 'cannotTell' : sent;
}

/** Whether a message has this content, as far as Discord stores it. */
export function hasSameContent(message: WireMessage, { content = '', files = [], ...wanted }: MessageContent): boolean {
  const isText = wanted.layout === undefined;
  if (isText && message.content.trim() !== content.trim()) return false;
  if (
    !hasSameComponents(message, wanted) ||
    !hasFiles(
      message.attachments.map(({ name }) => name),
      files,
    )
  )
    return false;
  const drafts = cardsOf(wanted);
  const sent = WireEmbeds.parse(toWireEmbeds(drafts));
  // Some link previews look like cards, so a message may have more cards.
  const shown = message.embeds.map((card, index) => comparable(card, drafts[index] ?? drafts[0]));
  return sent.every((card, index) => shown.some((one) => isDeepStrictEqual(one, comparable(card, drafts[index]))));
}

/** Whether a message with these file names can have these files. Files of the same name get other ones, and optional files can be missing. */
function hasFiles(there: readonly string[], [file, ...others]: readonly NamedFile[], found: ReadonlySet<string> = new Set()): boolean {
  if (!file) return there.every((name) => found.has(name));
  const name = uniqueName(file.name, found);
  const isThere = there.includes(name) && hasFiles(there, others, new Set([...found, name]));
  return isThere || (file.isOptional && hasFiles(there, others, found));
}

/** A card without the parts that Discord may change. */
function comparable(
  { author, title, url, description, image, thumbnail, timestamp, footer, color, fields = [] }: EmbedDraft,
  { pictures }: Pick<EmbedDraft, 'pictures'> = {},
): unknown {
  const texts = [author?.name, title, description, footer, ...fields.flatMap(({ name, value }) => [name, value])].map(
    (text) => text?.trim() ?? '',
  );
  // Discord changes the addresses of attached pictures.
  const shown = pictures === 'keep' ? {} : { image: address(image), thumbnail: address(thumbnail) };
  const atMs = timestamp ? Date.parse(timestamp) : undefined;
  return { texts, url: address(url), authorUrl: address(author?.url), atMs, ...shown, color: color ?? 0 };
}

function address(url: string | undefined): string | undefined {
  return url !== undefined && URL.canParse(url) ? new URL(url).href : url;
}
