import { ActionRowBuilder, ButtonBuilder, ButtonStyle } from 'discord.js';
import type { Words } from '../language/words.ts';
import { escaped } from '../text/foreign-text.ts';
import { moment } from './moments.ts';
import type { PostingMessage } from './posting-message.ts';
import type { PostTarget, SentPost } from './posting.ts';

const SHOWN_TEXT = 300;
/** What the lines about the accounts have of the 2000 characters of a message. */
const ROOM_FOR_TARGETS = 1_300;

export interface ResultOptions {
  readonly words: Words;
  readonly nowMs: number;
  /** It is said that somebody else will tell the rest. */
  readonly isLast?: boolean | undefined;
}

/** What came of a post so far; one that waits can be taken back from there. */
export function resultMessage(post: SentPost, { words, nowMs, isLast = false }: ResultOptions): PostingMessage {
  const { result, buttons } = words.posting;
  const { id, by, at, text, targets, cancelledBy } = post;
  const waits = cancelledBy === undefined && at.getTime() > nowMs;
  const isOpen = targets.some(({ state }) => state === 'pending' || state === 'sending');
  const accounts = escaped(targets.map(({ account }) => account).join(', '), 200);
  const lines = [
    headline(post, { words, nowMs }),
    ...(waits ? [words.posting.list.of(accounts, `<@${by.id}>`)] : []),
    ...(text.trim() === '' ? [] : [`> ${escaped(text, SHOWN_TEXT)}`]),
    ...(waits || cancelledBy !== undefined ? [] : targetLines(targets, words)),
    ...(isLast && isOpen ? [`-# ${result.later}`] : []),
  ];
  const takeBack = new ButtonBuilder().setCustomId(`post:back:${id}`).setLabel(buttons.takeBack).setStyle(ButtonStyle.Danger);
  return {
    content: lines.join('\n'),
    embeds: [],
    components: waits ? [new ActionRowBuilder<ButtonBuilder>().addComponents(takeBack).toJSON()] : [],
    allowedMentions: { parse: [] },
  };
}

/** As many as there is room for, and how many are left. */
function targetLines(targets: readonly PostTarget[], words: Words): readonly string[] {
  const lines = targets.map((target) => targetLine(target, words));
  let length = 0;
  const end = lines.findIndex((line) => (length += line.length + 1) > ROOM_FOR_TARGETS);
  return end < 0 ? lines : [...lines.slice(0, end), `-# + ${lines.length - end}`];
}

function headline({ at, targets, cancelledBy }: SentPost, { words, nowMs }: ResultOptions): string {
  const { result } = words.posting;
  if (cancelledBy !== undefined) return result.taken(escaped(cancelledBy, 100));
  if (at.getTime() > nowMs) return result.waits(moment(at));
  if (targets.some(({ state }) => state === 'pending' || state === 'sending')) return result.sending;
  const sent = targets.filter(({ state }) => state === 'sent').length;
  if (sent === targets.length) return result.done;
  return sent > 0 || targets.some(({ state }) => state === 'unknown') ? result.partly : result.failed;
}

/** How it stands with one account: where the post is, or why it is not there and what to do. */
export function targetLine({ account: name, state, url, trouble = {} }: PostTarget, words: Words): string {
  const { result } = words.posting;
  const account = escaped(name, 100);
  switch (state) {
    case 'sent':
      return url === undefined ? result.sentWithoutUrl(account) : result.sent(account, `<${url}>`);
    case 'unknown':
      return result.unknown(account);
    case 'pending':
    case 'sending':
    case 'asked':
      return result.pending(account, trouble.error ? reason(trouble, words) : '').trimEnd();
    default:
      return result.not(account, reason(trouble, words));
  }
}

function reason(trouble: NonNullable<PostTarget['trouble']>, { posting: { why: says }, reasons }: Words): string {
  const fault = trouble.error?.fault;
  switch (fault) {
    case 'unauthorized':
    case 'forbidden':
    case 'rejected':
    case 'duplicate':
    case 'rateLimited':
    case 'quotaExhausted':
    case 'unavailable':
      return says[fault];
    case 'unreachable':
    case 'unanswered':
      return says.unavailable;
  }
  if (trouble.why?.kind === 'tooLate') return says.late;
  if (trouble.why?.kind === 'takenBack') return says.takenBack;
  return says.other(escaped(reasons.delivered(trouble) ?? '', 300));
}
