import { PlatformError } from '#src/errors.ts';
import type { Json, JsonObject } from '#src/operation/json.ts';
import { repliesKeepAudience } from '#src/operation/capability.ts';
import { perform, recoverWrite } from '#src/operation/client.ts';
import { readsAtEachPoll as isReadAtEachPoll, removedParameter } from '#src/operation/declared.ts';
import { soonestMs, mentions } from '#src/operation/find-lost.ts';
import type { Attempt, LostAttempt, UnknownAttempt } from '#src/delivery/attempt.ts';
import type { DueStep } from '#src/delivery/rendering.ts';
import type { Inconclusive, Recovery } from '#src/operation/platform.ts';
import { toItem } from '#src/planner/poll-results.ts';
import type { ReplyFacts } from '#src/rules/audience/widening.ts';
import { renderStep, type Rendered } from '#src/rules/render.ts';
import type { StepResults } from '#src/rules/results.ts';
import type { Post } from '#src/social/records/post.ts';
import type { SocialAsync } from '#src/social/social.ts';
import { catalogue } from '#src/catalogue.ts';
import type { Clients } from './clients.ts';
import { hasNoQuotes, quoteAsLink, textLimitOf } from './quote-as-link.ts';

/** How far back posts are read after a restore. */
const MOST_PAGES = 20;

/** Performs a step through the client of its account. */
export async function performStep(clients: Clients, { do: verb, account, params, ...options }: Attempt): Promise<Json> {
  const { client, declared } = clients.operationOf(verb, account);
  try {
    return toItem(await perform(client, declared, params, options));
  } catch (error) {
    const social = clients.social.get(account);
    if (!hasNoQuotes(error) || !social) throw recordAsItem(error);
    return toItem(await perform(client, declared, await quoteAsLink(social, params, options.signal), options).catch(throwWithItem));
  }
}

/** Reconciles a lost attempt at a step. */
export async function recoverStep(
  clients: Clients,
  { do: verb, account, params, ...options }: LostAttempt,
): Promise<Recovery<Json> | Inconclusive> {
  const { client, declared } = clients.operationOf(verb, account);
  // A read can be repeated.
  if (declared.kind !== 'write') return 'absent';
  const social = params['quote'] === undefined ? undefined : clients.social.get(account);
  const first = await recoverWrite(client, declared, params, options).catch(throwWithItem);
  const mayBeLink = !isFound(first) && social !== undefined;
  // The quote may have been sent as a link.
  const other = mayBeLink
    ? await recoverWrite(client, declared, await quoteAsLink(social, params, options.signal), options).catch(throwWithItem)
    : first;
  if (isFound(other)) return { found: toItem(other.found) };
  return !isFound(first) && (other === 'absent' || typeof first === 'object') ? first : other;
}

function isFound<R>(recovery: Recovery<R> | Inconclusive): recovery is { readonly found: R } {
  return typeof recovery === 'object' && 'found' in recovery;
}

/** Searches for a record that a lost state may have created: by its key and text, or by the names in it. */
export async function searchStep(clients: Clients, attempt: UnknownAttempt): Promise<Recovery<Json> | Inconclusive> {
  const { do: verb, account, since, taken, about, signal } = attempt;
  const found = await recoverStep(clients, attempt);
  const social = verb === 'social.createPost' ? clients.social.get(account) : undefined;
  if (typeof found === 'object' || !social) return found;
  const { params } = attempt;
  const unexplained = (await postsSince(social, { since, taken, signal })).filter((post) => isAnswerAs(post, params));
  // The search reads everything that the account wrote since then, so it also works where a platform cannot look up a single post.
  const same = unexplained.findLast(({ text }) => isSameText(text, params['text']));
  if (same) return { found: toItem(same) };
  if (about.length === 0) return unexplained.length > 0 ? 'cannotTell' : 'absent';
  const post = unexplained.findLast((one) => mentions(one, about));
  return post ? { found: toItem(post) } : 'absent';
}

/** Whether a post answers the post that the parameters name, or none. An address names no id. */
function isAnswerAs({ replyTo }: Post, { replyTo: wanted }: JsonObject): boolean {
  if (typeof wanted !== 'string') return replyTo === undefined;
  return replyTo !== undefined && (replyTo.postId === wanted || /^https?:/u.test(wanted));
}

function isSameText(text: string, wanted: Json | undefined): boolean {
  return typeof wanted === 'string' && wanted.trim() !== '' && text.normalize('NFC').trim() === wanted.normalize('NFC').trim();
}

/** The posts and replies of the account since an instant that no known delivery created, newest first. */
async function postsSince(
  social: SocialAsync,
  { since, taken, signal }: Pick<UnknownAttempt, 'since' | 'taken' | 'signal'>,
): Promise<readonly Post[]> {
  const fromMs = soonestMs(since);
  const me = await social.getUserInfo(undefined, { signal });
  const found: Post[] = [];
  for await (const [, posts] of social.iterPosts(me.id, { replies: true, pages: MOST_PAGES, waitTime: 0, signal })) {
    // A repost may be newer than the posts around it.
    const written = posts.filter(({ repostOf }) => repostOf === undefined);
    found.push(...written.filter(({ createdAt }) => createdAt.getTime() >= fromMs));
    const last = written.at(-1);
    if (last && last.createdAt.getTime() < fromMs) break;
  }
  return found.filter(({ id }) => !taken.has(id));
}

function throwWithItem(error: unknown): never {
  throw recordAsItem(error);
}

/** The same error, with its record as JSON. */
function recordAsItem(error: unknown): unknown {
  return error instanceof PlatformError && error.record !== undefined ? error.withRecord(toItem(error.record)) : error;
}

/** How replies through an account are read. */
export function replyFactsOf({ platformName: platform, capabilities }: SocialAsync): ReplyFacts {
  return { platform, keepAudience: repliesKeepAudience(capabilities) };
}

/** Renders a step that is due. */
export function renderDueStep(clients: Clients, { delivery: { section, account }, ...due }: DueStep, results: StepResults): Rendered {
  const social = clients.social.get(account);
  const textLimit = textLimitOf(social, due.step);
  return renderStep({ ...due, section, account, results, textLimit, catalogue, replies: social && replyFactsOf(social) });
}

/** Whether a verb takes these parameters. */
export function accepts(verb: string, params: JsonObject): boolean {
  return catalogue.get(verb)?.params.safeParse(params).success ?? false;
}

/** See `EngineContext.removes`. */
export function removes(verb: string): string | undefined {
  return removedParameter(catalogue.get(verb));
}

/** See `EngineContext.readsAtEachPoll`. */
export function readsAtEachPoll(verb: string): boolean {
  return isReadAtEachPoll(catalogue.get(verb));
}

/** Whether a person answers a verb later. */
export function isQuestion(verb: string): boolean {
  const declared = catalogue.get(verb);
  return declared?.kind === 'write' && declared.answered === 'later';
}

/** Whether a verb reads, and sends nothing. */
export function isRead(verb: string): boolean {
  return catalogue.get(verb)?.kind !== 'write';
}
