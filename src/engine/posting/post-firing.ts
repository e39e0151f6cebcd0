import type { FailureNotice, NewPost } from './posting.ts';
import { POST_RULE } from './posts.ts';
import { isJsonList, isJsonObject, type Json, type JsonObject } from '#src/clients/operation/json.ts';
import { hash, planSteps, type Firing } from '#src/rules/firing.ts';
import type { Scope } from '#src/rules/rule.ts';
import type { Step } from '#src/rules/step.ts';

const HOUR_MS = 60 * 60_000;
/** A post with a chosen time is about that time, so it expires early. */
const TIMED_MAX_AGE_MS = HOUR_MS;
/** A queued post may go out later on the same day. */
const QUEUED_MAX_AGE_MS = 12 * HOUR_MS;

export interface PostFiringOptions {
  readonly id: string;
  /** The person's name. */
  readonly by: string;
  readonly at: Date;
  readonly isQueued: boolean;
  readonly failureNotice?: FailureNotice | undefined;
  /** The person's id in Discord. */
  readonly person: string;
}

const POST = 'post';

/** The step of a post: it sends the text unchanged. */
export function postStep({ text, warning, picture, accounts, tooLong }: NewPost, { isQueued }: Pick<PostFiringOptions, 'isQueued'>): Step {
  return {
    id: POST,
    do: 'social.createPost',
    creates: true,
    with: {
      text: literal(text),
      ...(warning !== undefined && { warning: literal(warning) }),
      ...(picture && {
        files: [{ path: literal(picture.path), ...(picture.altText !== undefined && { altText: literal(picture.altText) }) }],
      }),
    },
    as: accounts,
    reads: [],
    maxAgeMs: isQueued ? QUEUED_MAX_AGE_MS : TIMED_MAX_AGE_MS,
    fit: tooLong ?? 'thread',
  };
}

/** The content of a post with this step. */
export function contentOf({ with: params, as, fit }: Step): NewPost {
  const { text, warning, files } = params;
  const [file] = isJsonList(files) ? files : [];
  const picture = isJsonObject(file) ? { path: unescaped(file['path']), altText: textOf(file['altText']) } : undefined;
  return {
    text: unescaped(text),
    warning: textOf(warning),
    accounts: as,
    ...(picture && { picture }),
    tooLong: fit === 'truncate' ? 'truncate' : 'thread',
  };
}

/** A step of a post, with another content or with another text of its failure notice. */
export function editedStep(step: Step, content: NewPost, failureNotice: string): Step {
  if (step.id === POST) return { ...step, with: postStep(content, { isQueued: false }).with };
  return { ...step, with: { ...step.with, content: noticeContent(content, failureNotice) } };
}

/** The firing of a post: one delivery for each account, with keys from the id of the post. */
export function postFiring(post: NewPost, { id, by, person, at, isQueued, failureNotice }: PostFiringOptions): Firing {
  const step = postStep(post, { isQueued });
  // A step that could be stopped waits for all parts of a thread.
  const steps: readonly Step[] = failureNotice ? [{ ...step, onError: 'stop' }, failureNoticeStep(post, failureNotice, person)] : [step];
  return firingOf(steps, { id, by, at, accounts: post.accounts });
}

/** The firing of a scheduled post through one account, with all parameters of `social.createPost`. */
export function laterFiring(
  params: JsonObject,
  { account, ...about }: { readonly id: string; readonly account: string; readonly by: string; readonly at: Date },
): Firing {
  const step: Step = {
    id: POST,
    do: 'social.createPost',
    creates: true,
    with: literals(params) as JsonObject, // a JSON object stays an object
    as: [account],
    reads: [],
    maxAgeMs: TIMED_MAX_AGE_MS,
    fit: 'error',
  };
  return firingOf([step], { ...about, accounts: [account] });
}

interface FiringParts extends Pick<PostFiringOptions, 'id' | 'by' | 'at'> {
  readonly accounts: readonly string[];
}

function firingOf(steps: readonly Step[], { id, by, at, accounts }: FiringParts): Firing {
  const of = { rule: POST_RULE, episode: id, section: 'then', occasion: by } as const;
  return {
    ...of,
    id: hash(POST_RULE, id),
    // No post waits for another.
    queue: `${POST_RULE}/${id}`,
    atMs: at.getTime(),
    scope: postScope(at),
    names: { steps: { [POST]: 'social.createPost' }, accounts: { [POST]: accounts } },
    sees: [],
    evenIfUnchanged: false,
    steps: planSteps(steps, of),
  };
}

/** The step that reports failed accounts of a post in Discord. It waits for the results of all accounts. */
function failureNoticeStep({ accounts }: NewPost, { account, channel, text }: FailureNotice, person: string): Step {
  return {
    do: 'discord.send',
    creates: true,
    with: { channel, content: noticeContent({ accounts }, text), mention: [person] },
    if: accounts.map(isMissing).join(' || '),
    as: [account],
    reads: accounts.map((name) => `${POST}.on.${name}`),
    reportsFailures: true,
  };
}

/** The text of a failure notice, with the names of the failed accounts. */
function noticeContent({ accounts }: Pick<NewPost, 'accounts'>, text: string): string {
  const names = accounts.map((name) => `(${isMissing(name)} ? " ${name}" : "")`).join(' + ');
  return `${literal(text)}\${{ ${names} }}`;
}

function isMissing(account: string): string {
  return `steps.${POST}.on.${account}.id == ""`;
}

/** Whether a delivery sends the post, and not the failure notice. */
export function isOfPost({ step }: { readonly step: string }): boolean {
  return step === POST;
}

/** The scope of the expressions of a post. */
export function postScope(at: Date): Scope {
  return { rule: { id: POST_RULE }, now: at.toISOString() };
}

function literals(value: Json): Json {
  if (typeof value === 'string') return literal(value);
  if (isJsonList(value)) return value.map(literals);
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(Object.entries(value).flatMap(([key, part]) => (part === undefined ? [] : [[key, literals(part)]])));
}

/** Escapes a text, so that it contains no expression. */
function literal(text: string): string {
  return text.replaceAll('${{', () => '$${{');
}

/** The text that {@link literal} escaped. */
function unescaped(value: Json | undefined): string {
  return typeof value === 'string' ? value.replaceAll('$${{', () => '${{') : '';
}

function textOf(value: Json | undefined): string | undefined {
  return value === undefined ? undefined : unescaped(value);
}
