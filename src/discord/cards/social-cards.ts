import type { APIEmbed } from 'discord.js';
import type { Trends } from '#src/clients/social/records/discovery.ts';
import { textWithout } from '#src/clients/operation/text/content-warning.ts';
import type { Media } from '#src/clients/social/records/media.ts';
import type { Poll, Post } from '#src/clients/social/records/post.ts';
import { figure, instant, share } from '#src/discord/text/format.ts';
import { bold, escaped, escapedLines, oneLine } from '#src/discord/text/untrusted-text.ts';
import type { Reader } from '#src/discord/caller.ts';
import { acceptedAddress } from '#src/clients/operation/accepted-address.ts';
import { type CardSize, COLORS, factsOf, linked, linkTo, pictureOf, ROOM } from './card.ts';

const LONGEST = {
  small: { quote: 120, alt: 80, answers: 4, answer: 30 },
  large: { quote: 500, alt: 400, answers: 10, answer: 100 },
} as const;

/** A post with its poll, its quote, and its first picture with the alt text. */
export function postCard(post: Post, reader: Reader, size: CardSize): APIEmbed {
  const { author, media, poll, sensitive } = post;
  const rest = [
    poll && pollLines(poll, reader, size),
    quoteOf(post, reader, size),
    sensitive === true && media.length > 0 ? `-# ${reader.texts.lookups.cards.sensitive}` : mediaLine(media, reader, size),
    `-# ${factLine(post, reader)}`,
  ].filter((part) => part !== undefined && part !== '');
  const name = nameOf(author);
  const room = ROOM[size] - name.length - rest.join('\n').length - 1;
  return {
    color: COLORS.social,
    author: { name, ...linked(author.url) },
    description: [textOf(post, room), ...rest].filter((part) => part !== '').join('\n'),
    ...(sensitive === true ? {} : pictureOf(pictureIn(media), size)),
  };
}

/** The text of a post. Text that its warning covers on the platform is a spoiler. */
function textOf({ text, warning = '' }: Post, room: number): string {
  const covered = textWithout(warning || undefined, text);
  if (covered === text) return escapedLines(text, room);
  const heading = `⚠️ ${bold(warning)}`;
  const lines = escapedLines(covered, room - heading.length - '\n||||'.length);
  return lines === '' ? heading : `${heading}\n||${lines}||`;
}

function nameOf({ displayName, handle }: Post['author']): string {
  const [name, at] = [oneLine(displayName, 80), oneLine(handle, 60)];
  return name === '' ? `@${at}` : `${name} (@${at})`;
}

function factLine({ createdAt, editedAt, replyTo, repostOf, counts, url }: Post, reader: Reader): string {
  const { cards } = reader.texts.lookups;
  return factsOf(
    repostOf === undefined ? undefined : cards.repost,
    replyTo === undefined ? undefined : cards.reply,
    instant(createdAt),
    editedAt && cards.edited,
    counts.likes > 0 ? `❤ ${figure(counts.likes, reader)}` : undefined,
    counts.reposts > 0 ? `🔁 ${figure(counts.reposts, reader)}` : undefined,
    counts.replies > 0 ? `💬 ${figure(counts.replies, reader)}` : undefined,
    acceptedAddress(url, 300) === undefined ? undefined : linkTo(url, cards.open),
  );
}

function pollLines(poll: Poll, reader: Reader, size: CardSize): string {
  const { answers, answer } = LONGEST[size];
  const { cards } = reader.texts.lookups;
  const { options, totalVotes, voters = totalVotes, endsAt, closed } = poll;
  const lines = options.slice(0, answers).map(({ label, votes }) => {
    const part = votes === undefined || voters === undefined ? '' : ` **${share(votes, voters, reader)}**`;
    return `▸ ${escaped(label, answer)}${part}`;
  });
  const left = options.length - lines.length;
  const people = voters === undefined ? undefined : cards.voters(figure(voters, reader), voters);
  const end = closed ? cards.pollOver : cards.pollEnds(instant(endsAt));
  return [...lines, `-# ${factsOf(left > 0 ? cards.moreAnswers(left) : undefined, people, end)}`].join('\n');
}

function quoteOf({ quoted }: Post, reader: Reader, size: CardSize): string | undefined {
  if (!quoted) return undefined;
  const { text = '', warning = '' } = quoted.state === 'accepted' ? quoted : {};
  const covered = textWithout(warning || undefined, text);
  const words = escaped(covered, LONGEST[size].quote);
  const shown = covered === text ? words : `⚠️ ${bold(warning)}${words && ` ||${words}||`}`;
  return `> ${shown || reader.texts.lookups.cards.quoteHidden}`;
}

/** The alt text of the shown picture, and the kinds of the other media. */
function mediaLine(media: readonly Media[], reader: Reader, size: CardSize): string {
  const { cards } = reader.texts.lookups;
  const shown = media.find((one) => pictureIn([one]) !== undefined);
  const others = media.filter((one) => one !== shown);
  const facts = factsOf(
    shown && shown.kind !== 'image' ? cards.media[shown.kind] : undefined,
    shown?.altText === undefined ? undefined : cards.alt(escaped(shown.altText, LONGEST[size].alt)),
    ...others.slice(0, 4).map(({ kind }) => `+ ${cards.media[kind]}`),
  );
  return facts === '' ? '' : `-# ${facts}`;
}

/** The first picture, or the preview of the first video. */
function pictureIn(media: readonly Media[]): string | undefined {
  const addresses = media.map(({ kind, url, previewUrl }) => (kind === 'image' || kind === 'gif' ? (url ?? previewUrl) : previewUrl));
  return addresses.find((address) => acceptedAddress(address) !== undefined);
}

/** Up to ten trends on one card, one line each. */
export function trendsCard(trends: readonly Trends[], reader: Reader): APIEmbed {
  const { cards } = reader.texts.lookups;
  const lines = trends.map(({ rank, name, url, kind, postCount, category }) => {
    const shown = escaped(kind === 'hashtag' && !name.startsWith('#') ? `#${name}` : name, 100) || cards.untitled;
    const facts = factsOf(
      postCount === undefined ? undefined : cards.posts(figure(postCount, reader), postCount),
      category === undefined ? undefined : escaped(category, 50),
    );
    return factsOf(`**${rank}\\.** ${linkTo(url, shown, 200)}`, facts);
  });
  return { color: COLORS.social, description: lines.join('\n') };
}
