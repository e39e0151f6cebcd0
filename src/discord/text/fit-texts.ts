import type { APIEmbed } from 'discord.js';
import { cutLabel } from '#src/clients/operation/text/characters.ts';

/** Discord's limits for a message. */
const LONGEST_CONTENT = 2_000;
const MOST_OF_EMBEDS = 6_000;
const LONGEST_DESCRIPTION = 4_096;
const LONGEST_VALUE = 1_024;
const LONGEST_NAME = 256;

/** The length to which longer texts are cut, so that all fit into some characters. */
export function longestFitting(lengths: readonly number[], most: number): number {
  let [room, left] = [most, lengths.length];
  for (const length of lengths.toSorted((a, b) => a - b)) {
    if (length > room / left) return Math.max(1, Math.floor(room / left));
    room -= length;
    left--;
  }
  return most;
}

/** The first lines of a text. A part of a line could be half of a mention or a link. */
export function cutLines(text: string, most: number): string {
  if (text.length <= most) return text;
  const end = text.lastIndexOf('\n', most - 2);
  return end > 0 ? `${text.slice(0, end)}\n…` : cutLabel(text, most);
}

/** The content of a message, without the lines that do not fit into it. Other lines follow it if it leaves them room. */
export function fittingContent(content: string, following = ''): string {
  return cutLines(content, LONGEST_CONTENT - following.length) + following;
}

/** The embeds of a message, which fit into it: the longest descriptions and values lose their last lines. */
export function fittingEmbeds(embeds: readonly APIEmbed[]): APIEmbed[] {
  const named = embeds.map(withFittingNames);
  const longest = longestFitting(
    named.flatMap((embed) => textsOf(embed).map(({ length }) => length)),
    MOST_OF_EMBEDS - named.reduce((sum, embed) => sum + namesOf(embed).join('').length, 0),
  );
  return named.map((embed) => ({
    ...embed,
    ...(embed.description !== undefined && { description: cutLines(embed.description, Math.min(longest, LONGEST_DESCRIPTION)) }),
    ...(embed.fields && {
      fields: embed.fields.map((field) => ({ ...field, value: cutLines(field.value, Math.min(longest, LONGEST_VALUE)) })),
    }),
  }));
}

function textsOf({ description = '', fields = [] }: APIEmbed): readonly string[] {
  return [description.slice(0, LONGEST_DESCRIPTION), ...fields.map(({ value }) => value.slice(0, LONGEST_VALUE))];
}

function namesOf({ title = '', author, footer, fields = [] }: APIEmbed): readonly string[] {
  return [title, author?.name ?? '', footer?.text ?? '', ...fields.map(({ name }) => name)];
}

function withFittingNames({ title, author, footer, fields, ...embed }: APIEmbed): APIEmbed {
  return {
    ...embed,
    ...(title !== undefined && { title: cutLabel(title, LONGEST_NAME) }),
    ...(author && { author: { ...author, name: cutLabel(author.name, LONGEST_NAME) } }),
    ...(footer && { footer: { ...footer, text: cutLabel(footer.text, LONGEST_NAME) } }),
    ...(fields && { fields: fields.map((field) => ({ ...field, name: cutLabel(field.name, LONGEST_NAME) })) }),
  };
}
