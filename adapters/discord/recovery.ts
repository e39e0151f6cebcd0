import { isDeepStrictEqual } from 'node:util';
import type { Embed, SentMessage } from '#src/chat/records.ts';
import type { Recovery } from '#src/operation/platform.ts';
import { toWireEmbeds, WireEmbeds } from './embeds.ts';
import { toSent, type WireMessage } from './messages.ts';

const MOST_PAGES = 50;
/** How far the clocks of Discord and of this machine may be apart. */
const LEEWAY_MS = 60_000;

/** A message of which nobody knows whether it was sent. */
export interface Lost {
  readonly nonce: string;
  readonly content: string | undefined;
  readonly embed: Embed | undefined;
  readonly since: Date;
  /** Ids of messages that are known to be others. */
  readonly taken: ReadonlySet<string>;
}

/** The channel in which it would stand. */
export interface History {
  readonly guildId: string;
  readonly botId: string;
  /** Messages before one, newest first; none at the end. */
  readonly page: (before: string | undefined) => Promise<readonly WireMessage[]>;
  /** When the newest message was sent, as the channel itself says. */
  readonly newestAt: () => Promise<Date | undefined>;
}

/** Looks through all that the bot sent since, and says whether the lost message is among it. */
export async function findSent(lost: Lost, { guildId, botId, page, newestAt }: History): Promise<Recovery<SentMessage>> {
  const fromMs = lost.since.getTime() - LEEWAY_MS;
  const own: WireMessage[] = [];
  let oldest: WireMessage | undefined;

  for (let pages = 0; !oldest || oldest.timestamp.getTime() >= fromMs; pages++) {
    if (pages === MOST_PAGES) return 'cannotTell';
    const messages = await page(oldest?.id);
    if (messages.length === 0) break;
    own.push(...messages.filter(({ author, timestamp }) => author.id === botId && timestamp.getTime() >= fromMs));
    oldest = messages.at(-1);
  }
  // Without the permission to read it, Discord shows an empty history.
  if (!oldest && ((await newestAt())?.getTime() ?? 0) >= fromMs) return 'cannotTell';

  const found =
    own.find(({ nonce }) => nonce === lost.nonce) ??
    own.findLast((message) => message.nonce === undefined && !lost.taken.has(toSent(message, guildId).id) && saysTheSame(message, lost));
  return found ? { found: toSent(found, guildId) } : 'absent';
}

function saysTheSame(message: WireMessage, { content = '', embed }: Lost): boolean {
  if (message.content.trim() !== content.trim()) return false;
  const [sent] = embed ? WireEmbeds.parse(toWireEmbeds(embed)) : [];
  // Where none was sent, there may be one: some previews of addresses look like cards that somebody wrote.
  return !sent || message.embeds.some((card) => isDeepStrictEqual(comparable(card), comparable(sent)));
}

/** A card without what Discord may change when it stores it. */
function comparable({ title, url, description, image, thumbnail, footer, color, fields = [] }: Embed): unknown {
  const texts = [title, description, footer, ...fields.flatMap(({ name, value }) => [name, value])].map((text) => text?.trim() ?? '');
  return { texts, url: address(url), image: address(image), thumbnail: address(thumbnail), color: color ?? 0 };
}

function address(url: string | undefined): string | undefined {
  return url !== undefined && URL.canParse(url) ? new URL(url).href : url;
}
