import { isJsonList, isJsonObject, type Json, type JsonObject } from '#src/operation/json.ts';
import type { MessageTarget, MessagePreview, TextLength } from './preview-view.ts';

/** What a step says as it would look where it ends up, line by line. */
export function messageLines({
  text,
  isMarkdown,
  embed,
  others,
}: Pick<MessagePreview, 'text' | 'isMarkdown' | 'embed' | 'others'>): readonly string[] {
  return [
    ...(text === undefined ? [] : unescaped(text, isMarkdown).split('\n')),
    ...(embed ? cardLines(embed) : []),
    ...others.map(([key, value]) => `${key}: ${typeof value === 'string' ? value : JSON.stringify(value)}`),
  ];
}

/** Where a step says it, as `#live`. */
export function targetText(target: MessageTarget): string {
  if (target.kind === 'message') return `the message ${target.message}`;
  return `#${target.channel}${target.name === undefined ? '' : `, the message ${target.name}`}`;
}

/** How long a text is, as `text 78 of 300`. */
export function lengthText({ path, length, most }: TextLength): string {
  return most === undefined ? `${path} ${length}, without a limit` : `${path} ${length} of ${most}`;
}

/** Markdown that was escaped shows without its backslashes. */
function unescaped(text: string, isMarkdown: boolean): string {
  return isMarkdown ? text.replace(/\\([^\p{L}\p{N}\s])/gu, '$1') : text;
}

function cardLines({ title, url, description, fields, image, thumbnail, footer }: JsonObject): readonly string[] {
  const shown = (value: Json | undefined): readonly string[] => (typeof value === 'string' ? unescaped(value, true).split('\n') : []);
  const rows = isJsonList(fields) ? fields.filter(isJsonObject) : [];
  return [
    ...shown(title),
    ...shown(url),
    ...shown(description),
    ...rows.map(({ name, value }) => `${shown(name).join(' ')}: ${shown(value).join(' ')}`),
    ...shown(thumbnail).map((address) => `small picture: ${address}`),
    ...shown(image).map((address) => `picture: ${address}`),
    ...shown(footer).map((line) => `small print: ${line}`),
  ].map((line) => `▌ ${line}`);
}
