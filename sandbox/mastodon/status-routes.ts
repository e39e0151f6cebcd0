import type { JsonObject } from '#src/clients/operation/json.ts';
import { whoReacted } from '../social/engagement.ts';
import type { StoredPost, WrittenPost } from '../social/posts.ts';
import { toAccount } from './account-json.ts';
import { checkText, readDraft, readPoll, readUploads } from './drafts.ts';
import { idNumberAt } from './ids.ts';
import { accountsAnswer, idPage, pageAnswer, STATUSES, statusesAnswer } from './paging.ts';
import { attach, publish, storedMedia, storedPoll } from './publishing.ts';
import { Refusal } from '../refusal.ts';
import { invalid, notAllowed, recordNotFound, routeNotFound } from './refusal.ts';
import {
  findStatus,
  json,
  postNameOf,
  refreshed,
  requireOriginal,
  requireStatus,
  type MastodonRequest,
  type Routes,
  type SignedInRequest,
} from './request.ts';
import type { ScheduledStatus, StatusFacts } from './state.ts';
import { contentHtml, textHtml, toAttachments, toPoll, toScheduledStatus, toStatus } from './status-json.ts';
import { isRestricted } from './visibility.ts';

const HOUR_MS = 3_600_000;
const LEAST_AHEAD_MS = 5 * 60_000;
const MOST_SCHEDULED = 300;
/** How much of a thread a request without a token gets. */
const THREAD = { ancestors: 40, descendants: 60 };

/** `/api/v1/statuses`: statuses, scheduled statuses, and what belongs to a status. */
export function statusRoutes(routes: Routes): void {
  routes.signedIn('POST /v1/statuses', 'write:statuses', (request) => {
    const { state, nowMs, fields, fault, idempotencyKey: key } = request;
    const repeated = key === undefined ? undefined : earlierWith(key, request);
    if (repeated) return repeated;
    const draft = readDraft(request);
    const dueAtMs = dueIn(fields.text('scheduled_at'), nowMs);
    if (dueAtMs !== undefined) {
      if (dueAtMs <= nowMs + LEAST_AHEAD_MS) throw invalid('Scheduled at date must be in the future');
      if (waitingOf(request).length >= MOST_SCHEDULED) throw invalid('You have exceeded the limit of 300 scheduled posts');
      const scheduled = { draft, writtenAtMs: nowMs, dueAtMs, key, number: state.scheduled.size + 1, isDone: false };
      state.scheduled.put(scheduled);
      attach(draft.uploadIds, `scheduled ${scheduled.number}`, state);
      return toScheduledStatus(scheduled, request);
    }
    const visibleAtMs = nowMs + (fault('delayedVisibility')?.ms ?? 0);
    return toStatus(publish(draft, { atMs: nowMs, visibleAtMs, key }, state), refreshed(request));
  });

  routes.signedIn('GET /v1/scheduled_statuses', 'read:statuses', (request) => {
    const page = idPage(waitingOf(request), request, STATUSES, ({ writtenAtMs, number }) => idNumberAt(writtenAtMs, number));
    return pageAnswer(request, { ...page, items: page.items.map((scheduled) => toScheduledStatus(scheduled, request)) });
  });

  routes.signedIn('DELETE /v1/scheduled_statuses/:id', 'write:statuses', (request) => {
    const { state } = request;
    const number = state.ids.read(request.param('id'));
    const scheduled = waitingOf(request).find((one) => idNumberAt(one.writtenAtMs, one.number) === number);
    if (!scheduled) throw recordNotFound();
    state.scheduled.put({ ...scheduled, isDone: true });
    attach(scheduled.draft.uploadIds, undefined, state);
    return {};
  });

  routes.open('GET /v1/statuses', (request) => {
    if (!request.state.settings.features.isRecent) throw routeNotFound();
    const ids = [...new Set(request.fields.texts('id'))];
    return ids.flatMap((id) => findStatus(id, request) ?? []).map((post) => toStatus(post, request));
  });

  routes.open('GET /v1/statuses/:id', (request) => toStatus(requireStatus(request.param('id'), request), request));

  routes.signedIn('PUT /v1/statuses/:id', 'write:statuses', (request) => toStatus(edit(request), refreshed(request)));

  routes.signedIn('DELETE /v1/statuses/:id', 'write:statuses', (request) => {
    const { post } = requireViewerPost(request);
    const { content: _, ...source } = toStatus(post, request);
    request.written.delete(post, request.nowMs);
    // Another status may contain the files now.
    attach(fileIds(post), undefined, request.state);
    return { ...source, text: post.text };
  });

  routes.open('GET /v1/statuses/:id/context', (request) => {
    const { ancestors, descendants } = thread(originalOf(request), request);
    return {
      ancestors: ancestors.map((post) => toStatus(post, request)),
      descendants: descendants.map((post) => toStatus(post, request)),
    };
  });

  routes.signedIn('GET /v1/statuses/:id/source', 'read:statuses', (request) => {
    const post = originalOf(request);
    const { spoilerText = '' } = request.state.statuses.get(post.id) ?? {};
    return { id: request.state.ids.status(post), text: post.text, spoiler_text: spoilerText };
  });

  routes.open('GET /v1/statuses/:id/history', (request) => historyOf(originalOf(request), request));

  for (const [name, kind] of [
    ['favourited_by', 'like'],
    ['reblogged_by', 'repost'],
  ] as const) {
    routes.open(`GET /v1/statuses/:id/${name}`, (request) => {
      const people = whoReacted(kind, originalOf(request), request.snapshot);
      return accountsAnswer(
        people.map(({ id }) => id),
        request,
      );
    });
  }

  routes.signedIn('GET /v1/statuses/:id/quotes', 'read:statuses', (request) => {
    if (!request.state.settings.features.isRecent) throw routeNotFound();
    return statusesAnswer(request.snapshot.feed.quotesOf(originalOf(request).id), request);
  });

  routes.signedIn('POST /v1/statuses/:id/translate', 'read:statuses', translate);
  routes.open('GET /v1/instance/translation_languages', ({ state }) => {
    if (!state.settings.features.isMastodon) throw routeNotFound();
    if (state.settings.current.translation === 'off') return {};
    return Object.fromEntries(LANGUAGES.map((from) => [from, LANGUAGES.filter((to) => to !== from)]));
  });
}

const originalOf = (request: MastodonRequest): StoredPost => requireOriginal(request.param('id'), request);
const fileIds = ({ media }: StoredPost): readonly string[] => media.map(({ id }) => id);

/** The instant of a scheduled status; undefined if it is published at once. */
function dueIn(text: string | undefined, nowMs: number): number | undefined {
  if (text === undefined || text === '') return undefined;
  const atMs = Date.parse(text);
  if (Number.isNaN(atMs)) throw invalid('Scheduled at is invalid');
  return atMs <= nowMs ? undefined : atMs;
}

/** The answer to the request with the same key within the last hour. A deleted status is not found. */
function earlierWith(key: string, request: SignedInRequest): Response | undefined {
  const { state, viewer, written, nowMs } = request;
  if (!state.settings.features.isMastodon || request.fault('ignoreKey')) return undefined;
  const sinceMs = nowMs - HOUR_MS;
  const post = written.all().findLast((one) => one.authorId === viewer.id && one.key === key && one.createdAtMs > sinceMs);
  const scheduled = state.scheduled
    .all()
    .findLast((one) => one.draft.authorId === viewer.id && one.key === key && one.writtenAtMs > sinceMs);
  if (post?.deletedAtMs !== undefined || scheduled?.isDone) throw recordNotFound();
  if (post) return json(request, toStatus(post, request));
  return scheduled && json(request, toScheduledStatus(scheduled, request));
}

function waitingOf({ state, viewer }: SignedInRequest): readonly ScheduledStatus[] {
  return state.scheduled.all().filter(({ isDone, draft }) => !isDone && draft.authorId === viewer.id);
}

/** Edits the text, the warning, the files and the poll. Files and a poll that the request does not name are removed. A poll gets a new end. */
function edit(request: SignedInRequest): WrittenPost {
  const { fields, state, nowMs, written } = request;
  const { post, facts } = requireViewerPost(request);
  const text = (fields.text('status') ?? post.text).trim();
  const spoilerText = (fields.text('spoiler_text') ?? '').trim();
  const warning = { spoilerText, sensitive: (fields.flag('sensitive') ?? false) || spoilerText !== '' };
  const draft = readPoll(fields.part('poll'));
  const uploadIds = readUploads(request, { poll: draft, attachedTo: post.id });
  checkText({ text, spoilerText }, uploadIds, request);
  const media = storedMedia(uploadIds, state);
  const poll = draft && storedPoll(draft, nowMs, post.poll);
  const before = { spoilerText: facts.spoilerText, sensitive: facts.sensitive };
  if (JSON.stringify([text, media, warning, poll]) === JSON.stringify([post.text, post.media, before, post.poll])) {
    // As GoToSocial does.
    if (!state.settings.features.isMastodon) throw invalid('status was not changed');
    return post;
  }
  state.statuses.put({ ...facts, ...warning, hideTotals: draft?.hideTotals ?? false, earlier: [...facts.earlier, before] });
  attach(fileIds(post), undefined, state);
  attach(uploadIds, post.id, state);
  return written.edit(post, { text, media, poll, atMs: nowMs });
}

/** A post of the viewer, even if reads do not show it yet. */
function requireViewerPost(request: SignedInRequest): { readonly post: WrittenPost; readonly facts: StatusFacts } {
  const post = request.written.find(postNameOf(request.param('id'), request) ?? '');
  const facts = post && request.state.statuses.get(post.id);
  if (!facts || post.authorId !== request.viewer.id || post.deletedAtMs !== undefined) throw recordNotFound();
  return { post, facts };
}

interface Thread {
  readonly ancestors: readonly StoredPost[];
  /** Each answer precedes the answers to it. */
  readonly descendants: readonly StoredPost[];
}

function thread(post: StoredPost, { snapshot: { feed }, viewer }: MastodonRequest): Thread {
  const ancestors: StoredPost[] = [];
  for (let above = parentOf(post); above; above = parentOf(above)) ancestors.unshift(above);
  const descendants = below(post);
  return viewer
    ? { ancestors, descendants }
    : { ancestors: ancestors.slice(-THREAD.ancestors), descendants: descendants.slice(0, THREAD.descendants) };

  function parentOf({ replyTo }: StoredPost): StoredPost | undefined {
    return replyTo === undefined ? undefined : feed.find(replyTo);
  }

  function below({ id }: StoredPost): readonly StoredPost[] {
    return feed.answersTo(id).flatMap((answer) => [answer, ...below(answer)]);
  }
}

/** All versions of a post, the oldest first. */
function historyOf(post: StoredPost, request: MastodonRequest): readonly JsonObject[] {
  const { state, snapshot } = request;
  const facts = state.statuses.get(post.id);
  const author = snapshot.people.find(post.authorId);
  const quoted = post.quote === undefined ? undefined : snapshot.feed.find(post.quote);
  const warnings = [...(facts?.earlier ?? []), ...(facts ? [facts] : [])];
  const versions = [...post.earlier, { text: post.text, media: post.media, atMs: post.editedAtMs ?? post.createdAtMs }];
  return versions.map(({ text, media, atMs }, index) => ({
    content: contentHtml(text, quoted, state),
    spoiler_text: warnings[index]?.spoilerText ?? '',
    sensitive: warnings[index]?.sensitive ?? false,
    created_at: new Date(atMs).toISOString(),
    account: author ? toAccount(author, request) : null,
    media_attachments: toAttachments(post, media, state),
    emojis: [],
  }));
}

const LANGUAGES = ['de', 'en', 'es', 'fr', 'ja', 'pt'];

function translate(request: SignedInRequest): JsonObject {
  const { state, fields, viewer } = request;
  const { translation } = state.settings.current;
  const post = originalOf(request);
  const language = (fields.text('lang') ?? viewer.language).split('-')[0] ?? '';
  if (!state.settings.features.isMastodon || translation === 'off') throw recordNotFound();
  if (isRestricted(post, state) || !LANGUAGES.includes(language) || language === post.language) throw notAllowed();
  if (translation === 'down') {
    throw new Refusal(503, 'The server-wide usage quota for the translation service has been exceeded.');
  }
  const poll = toPoll(post, request);
  return {
    content: textHtml(`[${language}] ${post.text}`, state),
    spoiler_text: '',
    language,
    poll: poll ? { id: poll['id'], options: post.poll?.options.map(({ label }) => ({ title: `[${language}] ${label}` })) } : null,
    media_attachments: [],
    detected_source_language: post.language,
    provider: 'Sandbox Translate',
  };
}
