import { messageOf, PlatformError } from '#src/errors.ts';
import type { Json, JsonObject } from '#src/clients/operation/json.ts';
import { repliesKeepAudience } from '#src/clients/operation/capability.ts';
import type { RoundOptions } from '#src/clients/operation/call.ts';
import { perform, recoverWrite } from '#src/clients/operation/client.ts';
import {
  isBilledByCall,
  isReading,
  looksUpRecord,
  readsAtEachPoll,
  removedParameter,
  type Declared,
} from '#src/clients/operation/declared.ts';
import { soonestMs, mentions } from '#src/clients/operation/find-lost.ts';
import type { Attempt, LostAttempt, UnknownAttempt } from './attempt.ts';
import type { DeliveryEngineOptions } from './delivery-engine.ts';
import type { DueStep } from './rendering.ts';
import type { Inconclusive, Recovery } from '#src/clients/operation/platform.ts';
import type { WatchAccess } from '#src/engine/outages.ts';
import { toItem } from '#src/engine/planner/poll-results.ts';
import type { ReplyFacts } from '#src/rules/audience/widening.ts';
import { renderStep, withEdited, type FindEdited, type Rendered } from '#src/rules/render.ts';
import { GONE, type StepResults } from '#src/rules/results.ts';
import type { Post } from '#src/clients/social/records/post.ts';
import type { SocialAsync } from '#src/clients/social/social.ts';
import { catalogue } from '#src/clients/catalogue.ts';
import type { Clients } from '#src/clients/clients.ts';
import { isRead } from './is-read.ts';
import { hasNoQuotes, quoteAsLink, textLimitOf } from './quote-as-link.ts';

/** How far back posts are read after a restore. */
const MOST_PAGES = 20;
/** The longest time until a platform shows a record that was sent. */
const SHOWN_WITHIN_MS = 10_000;

export interface StepsOptions {
  readonly clients: Clients;
  /** Receives the result of each use of an account. */
  readonly watch: WatchAccess;
  /** Replaces files that were stored under another path, or on another machine, by files of this one; absent: there are none. */
  readonly withFiles?: ((params: JsonObject) => Promise<JsonObject>) | undefined;
}

/** The functions of the delivery engine that use clients. */
type Steps = Pick<DeliveryEngineOptions, 'perform' | 'recover' | 'search' | 'render'> &
  Required<
    Pick<DeliveryEngineOptions, 'keepsKeys' | 'visibleAfterMs' | 'isQuestion' | 'readsAtEachPoll' | 'isBilled' | 'removes' | 'accepts'>
  >;

/** Performs steps through the clients of their accounts. */
export function stepsThrough({ clients, watch, withFiles = (params) => Promise.resolve(params) }: StepsOptions): Steps {
  /** No request was sent before, so it counts as one that did not reach the platform. */
  async function onThisMachine<A extends Attempt>(attempt: A): Promise<A> {
    const params = await withFiles(attempt.params).catch((cause: unknown) => {
      const message = `the picture of another machine cannot be stored on this one: ${messageOf(cause)}`;
      throw new PlatformError(message, { platform: attempt.account, fault: 'unreachable', cause });
    });
    return { ...attempt, params };
  }

  function keepsKeys(account: string, verb: string): boolean {
    const [, operation = ''] = verb.split('.');
    return clients.social.get(account)?.keepsKeys(operation) ?? false;
  }

  const roundOf = lookupRounds();

  return {
    async perform(attempt) {
      const local = await onThisMachine(attempt);
      const access = isRead(attempt.do) ? 'read' : 'write';
      return watch(attempt.account, () => performStep(clients, { ...local, round: roundOf(attempt) }), access);
    },
    async recover(attempt) {
      const local = await onThisMachine(attempt);
      const recovery = await watch(attempt.account, () => recoverStep(clients, local), 'read');
      // The write whose answer was lost has succeeded.
      if (isFound(recovery)) await watch(attempt.account, () => Promise.resolve(), 'write');
      return recovery;
    },
    search: (attempt) => watch(attempt.account, () => searchStep(clients, attempt), 'read'),
    render: (due, results, findEdited) => renderDueStep(clients, due, results, findEdited),
    keepsKeys,
    // A platform that keeps keys finds a record by its key at once; any other platform may show the record later.
    visibleAfterMs: (account, verb) => (keepsKeys(account, verb) ? 0 : SHOWN_WITHIN_MS),
    isQuestion,
    readsAtEachPoll: (verb) => readsAtEachPoll(catalogue.get(verb)),
    isBilled: (verb) => isBilledByCall(catalogue.get(verb)),
    removes: (verb) => removedParameter(catalogue.get(verb)),
    accepts: (verb, params) => catalogue.get(verb)?.params.safeParse(params).success ?? false,
  };
}

/** The round of a look-up: those of an account that were to begin at the same instant. Equal look-ups of a round share a response. */
function lookupRounds(): (attempt: Attempt) => object | undefined {
  const latest = new Map<string, { readonly atMs: number }>();
  return ({ do: verb, account, plannedAt }) => {
    if (!plannedAt || !isRead(verb)) return undefined;
    const atMs = plannedAt.getTime();
    const last = latest.get(account);
    const round = last?.atMs === atMs ? last : { atMs };
    latest.set(account, round);
    return round;
  };
}

/** Performs a step through the client of its account. */
export async function performStep(
  clients: Clients,
  { do: verb, account, params, ...options }: Attempt & Pick<RoundOptions, 'round'>,
): Promise<Json> {
  const { client, declared } = clients.operationOf(verb, account);
  try {
    return toItem(await perform(client, declared, params, { ...options, reader: options.key }));
  } catch (error) {
    if (isMissingRecord(declared, error)) return GONE;
    const social = clients.social.get(account);
    if (!hasNoQuotes(error) || !social) throw recordAsItem(error);
    return toItem(await perform(client, declared, await quoteAsLink(social, params, options.signal), options).catch(throwWithItem));
  }
}

/** Whether the platform answered that it does not have the record of a look-up. Anything else is a failure. */
function isMissingRecord(declared: Declared, error: unknown): boolean {
  return looksUpRecord(declared) && error instanceof PlatformError && error.fault === 'missing' && !error.refusesAccount;
}

/** Reconciles a lost attempt at a step. */
export async function recoverStep(
  clients: Clients,
  { do: verb, account, params, ...options }: LostAttempt,
): Promise<Recovery<Json> | Inconclusive> {
  const { client, declared } = clients.operationOf(verb, account);
  // A read can be repeated.
  if (isReading(declared)) return 'absent';
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

export async function renderDueStep(
  clients: Clients,
  { delivery: { section, account }, ...due }: DueStep,
  results: StepResults,
  findEdited: FindEdited,
): Promise<Rendered> {
  const social = clients.social.get(account);
  const textLimit = textLimitOf(social, due.step);
  const { postDefaults } = social ?? {};
  const replies = social && replyFactsOf(social);
  return renderStep(await withEdited({ ...due, section, account, results, textLimit, postDefaults, catalogue, replies }, findEdited));
}

/** Whether a person answers a verb later. */
export function isQuestion(verb: string): boolean {
  const declared = catalogue.get(verb);
  return declared?.kind === 'write' && declared.answered === 'later';
}
