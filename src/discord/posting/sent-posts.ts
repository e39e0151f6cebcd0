import type { PostTarget, Posting, SentPost } from '#src/engine/posting/posting.ts';
import type { Caller } from '#src/discord/caller.ts';
import { button, rows, selectMenu } from '#src/discord/components.ts';
import type { Texts } from '#src/discord/language/texts.ts';
import { dateTimeWithDistance } from '#src/discord/text/format.ts';
import { escaped, oneLine } from '#src/discord/text/untrusted-text.ts';
import { copiesOf } from '#src/discord/typed-texts.ts';
import type { PostingMessage } from './preview-message.ts';

const POSTS_PER_PAGE = 5;
const RECENT_POSTS = 5;
/** How many recent posts are searched for pending ones. */
const MOST_RECENT = 25;
const MAX_CONTENT_LENGTH = 1_990;
/** How many of the 2000 characters of a message the lines about the accounts may have. */
const MAX_TARGETS_LENGTH = 1_300;
const MAX_CHOICE_LENGTH = 100;

export interface ResultOptions {
  readonly texts: Texts;
  readonly nowMs: number;
  /** Whether Fanfare no longer updates the message. */
  readonly isLast?: boolean | undefined;
}

/** The state of a post. A post that waits or is retried has a button that cancels it. */
export function resultMessage(post: SentPost, { texts, nowMs, isLast = false }: ResultOptions): PostingMessage {
  const { result, buttons } = texts.posting;
  const { id, at, text, targets, cancelledBy } = post;
  const isWaiting = cancelledBy === undefined && at.getTime() > nowMs;
  const lines = [
    headline(post, texts, nowMs),
    ...(isWaiting ? [authorsOf(post, 200, texts)] : []),
    ...(text.trim() === '' ? [] : [`> ${escaped(text, 300)}`]),
    ...(isWaiting || cancelledBy !== undefined ? [] : targetLines(targets, texts)),
    ...(isLast && !isWaiting && targets.some(isOpen) ? [`-# ${result.later}`] : []),
  ];
  const canCancel = isWaiting || (cancelledBy === undefined && isDelayed(post));
  const controls = [
    ...(isWaiting ? [button(`post:revise:${id}`, buttons.edit), button(`post:move:${id}:${timeId(post)}`, buttons.move)] : []),
    button(`post:back:${id}`, buttons.cancel, { style: 'danger' }),
  ];
  return messageOf(lines.join('\n'), canCancel ? rows(controls) : []);
}

/** The messages of an answer. A long text has several. */
export type PostingMessages = readonly [PostingMessage, ...PostingMessage[]];

/** The messages about a text that is not sent. Its author may need a long one again, for example to correct it. */
export function withCopy(content: string, text: string, { errors }: Texts): PostingMessages {
  const [first, ...more] = copiesOf([text]).map((embeds) => ({ ...messageOf(errors.yourText, []), embeds }));
  if (first) return [{ ...first, content: `${content}\n${errors.yourText}` }, ...more];
  return [messageOf([content, ...(text.trim() === '' ? [] : [`> ${escaped(text, 300)}`])].join('\n'), [])];
}

function messageOf(content: string, components: PostingMessage['components']): PostingMessage {
  return { content, embeds: [], components, allowedMentions: { parse: [] } };
}

/** The accounts of a post, its author and, if it is another person, who edited it last. */
function authorsOf(post: SentPost, max: number, { posting: { list } }: Texts): string {
  const { by, editedBy } = post;
  return (
    list.of(accountsOf(post, max), `<@${by.id}>`) + (editedBy && editedBy.id !== by.id ? ` · ${list.edited(personText(editedBy))}` : '')
  );
}

/** A person who edits a post on the page or with the API may be no user of Discord. */
function personText({ id, name }: SentPost['by']): string {
  return id === '' ? escaped(name, 100) : `<@${id}>`;
}

function accountsOf({ targets }: SentPost, max: number): string {
  return escaped(targets.map(({ account }) => account).join(', '), max);
}

function isOpen({ state }: PostTarget): boolean {
  return state === 'pending' || state === 'sending';
}

/** The recent posts of a server. Those that an account still waits for, for a day, are first. */
export async function recentPosts(posting: Pick<Posting, 'recent'>, server: string | undefined) {
  const recent = await posting.recent(server, MOST_RECENT);
  const [pending, others] = [recent.filter(isPending), recent.filter((post) => !isPending(post))];
  return { pending, all: [...pending, ...others] };
}

function isPending({ targets }: SentPost): boolean {
  return targets.some(({ state }) => state === 'pending');
}

/** A post that is sent at once is pending for a moment only. */
function isDelayed({ targets }: SentPost): boolean {
  return targets.some(
    ({ state, problem, isConnected }) =>
      state === 'pending' && (isConnected === false || (problem?.error ?? problem?.reason) !== undefined),
  );
}

/** The beginning of a thread of which not all parts are sent: whoever posts again would repeat it. */
export function begunThread({ state, url = '', isBegun }: PostTarget, { posting: { result } }: Texts): readonly string[] {
  return isBegun ? [(state === 'failed' ? result.threadEnded : result.threadBegun)(`<${url}>`)] : [];
}

export function headline({ at, targets, cancelledBy }: SentPost, { posting: { result } }: Texts, nowMs: number): string {
  if (cancelledBy !== undefined) return result.cancelled(escaped(cancelledBy, 100));
  if (at.getTime() > nowMs) return result.waits(dateTimeWithDistance(at));
  if (targets.some(isOpen)) return result.sending;
  if (targets.every(({ state }) => state === 'sent')) return result.done;
  return targets.some(({ state, isBegun }) => state === 'sent' || state === 'unknown' || isBegun) ? result.partly : result.failed;
}

function targetLines(targets: readonly PostTarget[], texts: Texts): readonly string[] {
  const lines = targets.map((target) => targetLine(target, texts));
  let length = 0;
  const end = lines.findIndex((line) => (length += line.length + 1) > MAX_TARGETS_LENGTH);
  return end < 0 ? lines : [...lines.slice(0, end), `-# + ${lines.length - end}`];
}

/** The state of a post at one account: its address, or the reason and a remedy. */
function targetLine(target: PostTarget, texts: Texts): string {
  const { result } = texts.posting;
  const missing = target.omitted && texts.reasons.delivered({ omitted: target.omitted });
  const remarks = [...(missing === undefined ? [] : [result.withoutPicture(escaped(missing, 300))]), ...begunThread(target, texts)];
  return [stateLine(target, texts), ...remarks.map((remark) => `-# ⚠️ ${remark}`)].join('\n');
}

function stateLine({ account: name, isConnected, state, url, problem = {} }: PostTarget, texts: Texts): string {
  const { result } = texts.posting;
  const account = escaped(name, 100);
  switch (state) {
    case 'sent':
      return url === undefined ? result.sentWithoutUrl(account) : result.sent(account, `<${url}>`);
    case 'unknown':
      return result.unknown(account);
    case 'pending':
    case 'sending':
    case 'asked':
      if (isConnected === false) return result.pending(account, texts.posting.why.disconnected);
      return result.pending(account, problem.error ? reasonOf(problem, texts) : '').trimEnd();
    default:
      return result.not(account, reasonOf(problem, texts));
  }
}

function reasonOf(problem: NonNullable<PostTarget['problem']>, texts: Texts): string {
  const { why } = texts.posting;
  const fault = faultReason(problem, why);
  if (problem.reason?.kind !== 'retriesExhausted') return fault ?? otherReason(problem, texts);
  // The others are over, or announce a further attempt.
  const isLasting = problem.error?.fault === 'unauthorized' || problem.error?.fault === 'quotaExhausted';
  return isLasting && fault !== undefined ? `${fault} ${why.exhausted}` : why.exhausted;
}

function faultReason({ error }: NonNullable<PostTarget['problem']>, why: Texts['posting']['why']): string | undefined {
  switch (error?.fault) {
    case 'unauthorized':
    case 'forbidden':
    case 'rejected':
    case 'duplicate':
    case 'rateLimited':
    case 'quotaExhausted':
    case 'unavailable':
      return why[error.fault];
    case 'unreachable':
    case 'unanswered':
      return why.unavailable;
    default:
      return undefined;
  }
}

function otherReason(problem: NonNullable<PostTarget['problem']>, { posting: { why }, reasons }: Texts): string {
  if (problem.reason?.kind === 'tooLate') return why.late;
  if (problem.reason?.kind === 'postWithdrawn') return why.cancelled;
  return why.other(escaped(reasons.delivered(problem) ?? '', 300));
}

/** A page of the waiting posts of a server. The first page also shows the most recent posts. */
export async function waitingList(
  page: number,
  posting: Pick<Posting, 'waiting' | 'recent'>,
  caller: Pick<Caller, 'texts' | 'server' | 'zone' | 'locale'>,
): Promise<PostingMessage> {
  const { texts, server } = caller;
  const { list, buttons } = texts.posting;
  const waiting = await posting.waiting(server?.id);
  const pages = Math.max(1, Math.ceil(waiting.length / POSTS_PER_PAGE));
  const current = Math.min(Math.max(0, page), pages - 1);
  const shown = waiting.slice(current * POSTS_PER_PAGE, (current + 1) * POSTS_PER_PAGE);
  const recent = current === 0 ? (await recentPosts(posting, server?.id)).all.slice(0, RECENT_POSTS) : [];
  const lines = [
    waiting.length === 0 ? list.none : list.waiting(waiting.length) + (pages > 1 ? ` (${current + 1}/${pages})` : ''),
    ...shown.map((post) => entry(post, texts)),
    ...(recent.length > 0 ? ['', list.recent] : []),
    ...recent.map((post) => `${entry(post, texts)}\n${post.targets.map((target) => targetLine(target, texts)).join('\n')}`),
  ];
  const options = postChoices(shown, caller).map(({ name, value }) => ({ label: name, value }));
  const pageButton = (to: number, label: string) => button(`post:list:${to}`, label, { disabled: to < 0 || to >= pages });
  return messageOf(
    fitting(lines),
    rows(
      shown.length === 0 ? [] : [selectMenu('post:pick', { placeholder: buttons.pick, options })],
      pages === 1 ? [] : [pageButton(current - 1, buttons.newer), pageButton(current + 1, buttons.older)],
    ),
  );
}

function fitting(lines: readonly string[]): string {
  let length = 0;
  const end = lines.findIndex((line) => {
    const isTooLong = length + line.length > MAX_CONTENT_LENGTH;
    length += line.length + 1;
    return isTooLong;
  });
  return (end < 0 ? lines : lines.slice(0, end)).join('\n').trimEnd();
}

function entry(post: SentPost, texts: Texts): string {
  const { list } = texts.posting;
  const { at, text, isQueued, hasPicture } = post;
  const notes = [...(isQueued ? [list.queued] : []), ...(hasPicture ? [list.picture] : [])].map((note) => ` · ${note}`).join('');
  const quote = escaped(text, 120);
  return `${dateTimeWithDistance(at, 'short')} · ${authorsOf(post, 100, texts)}${notes}${quote === '' ? '' : `\n> ${quote}`}`;
}

/** One line of plain text for each post. Equal lines get the start of the id. */
export function postChoices(
  posts: readonly SentPost[],
  { zone, locale }: Pick<Caller, 'zone' | 'locale'>,
): readonly { readonly name: string; readonly value: string }[] {
  // Discord shows no timestamps in menus, so the zone of the server is named.
  const times = new Intl.DateTimeFormat(locale, {
    timeZone: zone,
    year: '2-digit',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: '2-digit',
    timeZoneName: 'short',
  });
  const choices = posts.map(({ id, at, targets, text }) => {
    const accounts = oneLine(targets.map(({ account }) => account).join(', '), 30);
    return { name: oneLine(`${times.format(at)} · ${accounts} · ${text}`, MAX_CHOICE_LENGTH), value: id };
  });
  const equal = Map.groupBy(choices, ({ name }) => name.toLowerCase());
  return choices.map(({ name, value }) => {
    const suffix = ` · ${value.slice(0, 4)}`;
    const isUnique = equal.get(name.toLowerCase())?.length === 1;
    return { name: isUnique ? name : `${oneLine(name, MAX_CHOICE_LENGTH - suffix.length)}${suffix}`, value };
  });
}

/** The time of a post in a custom id: a button does nothing if another member moved the post. */
export function timeId({ at }: Pick<SentPost, 'at'>): string {
  return at.getTime().toString(36);
}

/** One waiting post with buttons to send, edit, move and cancel it. */
export function waitingPost(post: SentPost, { texts }: Caller): PostingMessage {
  const { buttons, result } = texts.posting;
  const { id, at, text } = post;
  const quote = text.trim() === '' ? '' : `\n> ${escaped(text, 1200)}`;
  return messageOf(
    `${result.waits(dateTimeWithDistance(at))}\n${authorsOf(post, 200, texts)}${quote}`,
    rows([
      button(`post:now:${id}:${timeId(post)}`, buttons.sendNow, { style: 'good' }),
      button(`post:revise:${id}`, buttons.edit),
      button(`post:move:${id}:${timeId(post)}`, buttons.move, { style: 'primary' }),
      button(`post:back:${id}`, buttons.cancel, { style: 'danger' }),
      button('post:list:0', buttons.back),
    ]),
  );
}
