import { isJsonList, isJsonObject, type Json, type JsonObject } from '#src/clients/operation/json.ts';
import { omissionText } from '#src/clients/operation/part.ts';
import { valueText } from './value-text.ts';
import type { MessageTarget, MessagePreview, PreviewView, StepRemark, TextLength } from './preview-view.ts';

/** What a preview uses instead of real data; undefined: it uses the items of the poll. */
export interface PreviewSample {
  readonly of: 'item' | 'payload';
  /** Whether the rule has an `if`, which the preview then ignores. */
  readonly ignoresIf: boolean;
}

export function sampleOf({ rule, read }: Pick<PreviewView, 'rule' | 'read'>): PreviewSample | undefined {
  const of = rule.webhook ? 'payload' : read?.isSample ? 'item' : undefined;
  return of && { of, ignoresIf: rule.if !== undefined };
}

/** The lines of a message as its readers see them. */
export function messageLines({
  text,
  isMarkdown,
  embeds,
  buttons,
  others,
}: Pick<MessagePreview, 'text' | 'isMarkdown' | 'embeds' | 'buttons' | 'others'>): readonly string[] {
  return [
    ...(text === undefined || text === '' ? [] : unescaped(text, isMarkdown).split('\n')),
    ...embeds.flatMap(cardLines),
    ...(buttons.length > 0 ? [buttons.map((label) => `[${label}]`).join(' ')] : []),
    ...others.map(([key, value]) => `${key}: ${valueText(value)}`),
  ];
}

/** The target of a message, for example `#live`. */
export function targetText(target: MessageTarget): string {
  if (target.kind === 'message') return `the message ${target.message}`;
  return `#${target.channel}${target.name === undefined ? '' : `, the message ${target.name}`}`;
}

/** The length of a text, for example `text 78 of 300`. */
export function lengthText({ path, length, most }: TextLength): string {
  return most === undefined ? `${path} ${length}, without a limit` : `${path} ${length} of ${most}`;
}

/** A remark in English, for example `cut: …`. */
export function remarkText(remark: StepRemark): string {
  if (remark.kind === 'cut' || remark.kind === 'cutWarning') return `cut: ${remark.detail}`;
  if (remark.kind === 'cutCards')
    return `cut: all cards of the message have ${remark.length} characters together, and the limit is ${remark.most}, so their last fields and descriptions are cut`;
  if (remark.kind === 'foreignPing')
    return `sent without the mention ${remark.name}: it is a text of the platform, which never pings all members`;
  if (remark.kind === 'removesButtons') return 'removes all buttons: the edit has none that Discord accepts';
  if (remark.kind === 'file') return `the file ${remark.path} cannot be sent: ${remark.error}`;
  if (remark.kind === 'without') return `${remark.fails ? 'fails' : 'sent'} ${omissionText(remark.omission)}`;
  return `problem in Discord: ${remark.error}`;
}

/** Escaped Markdown without its backslashes. */
function unescaped(text: string, isMarkdown: boolean): string {
  return isMarkdown ? text.replace(/\\([^\p{L}\p{N}\s])/gu, '$1') : text;
}

function cardLines({ author, title, url, description, fields, image, thumbnail, footer, timestamp }: JsonObject): readonly string[] {
  const shown = (value: Json | undefined): readonly string[] => (typeof value === 'string' ? unescaped(value, true).split('\n') : []);
  const rows = isJsonList(fields) ? fields.filter(isJsonObject) : [];
  return [
    ...(isJsonObject(author) ? shown(author['name']) : []),
    ...shown(title),
    ...shown(url),
    ...shown(description),
    ...rows.map(({ name, value }) => `${shown(name).join(' ')}: ${shown(value).join(' ')}`),
    ...shown(thumbnail).map((address) => `small picture: ${address}`),
    ...shown(image).map((address) => `picture: ${address}`),
    ...shown(footer).map((line) => `small print: ${line}`),
    ...shown(timestamp),
  ].map((line) => `▌ ${line}`);
}
