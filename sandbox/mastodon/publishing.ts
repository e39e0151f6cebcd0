import type { StoredMedia, StoredPoll, WrittenPost } from '../social/posts.ts';
import type { MastodonState, PollDraft, StatusDraft } from './state.ts';

interface Publication {
  readonly atMs: number;
  readonly visibleAtMs: number;
  readonly key: string | undefined;
}

export function publish(draft: StatusDraft, { atMs, visibleAtMs, key }: Publication, state: MastodonState): WrittenPost {
  const { text, spoilerText, sensitive, visibility, quotePolicy, poll, application } = draft;
  const post = state.core.written.add({
    authorId: draft.authorId,
    text,
    language: draft.language,
    createdAtMs: atMs,
    replyTo: draft.replyTo,
    quote: draft.quote,
    media: storedMedia(draft.uploadIds, state),
    poll: poll && storedPoll(poll, atMs),
    // People who cannot read a post do not answer it.
    audience: visibility === 'private' || visibility === 'direct' ? 'Nobody' : undefined,
    key,
    scheduled: false,
    visibleAtMs,
  });
  state.statuses.put({
    postId: post.id,
    visibility,
    spoilerText,
    sensitive,
    quotePolicy,
    application: { name: application.name, website: application.website },
    hideTotals: poll?.hideTotals ?? false,
    earlier: [],
  });
  attach(draft.uploadIds, post.id, state);
  return post;
}

/** Publishes the scheduled statuses that are due. */
export function publishDue(state: MastodonState, nowMs: number): void {
  const due = state.scheduled.all().filter(({ isDone, dueAtMs }) => !isDone && dueAtMs <= nowMs);
  for (const scheduled of due.toSorted((a, b) => a.dueAtMs - b.dueAtMs)) {
    state.scheduled.put({ ...scheduled, isDone: true });
    publish(scheduled.draft, { atMs: scheduled.dueAtMs, visibleAtMs: scheduled.dueAtMs, key: undefined }, state);
  }
}

/** Uploads as a post stores them. */
export function storedMedia(uploadIds: readonly string[], { core, files }: MastodonState): StoredMedia[] {
  return uploadIds.flatMap((id) => {
    const upload = core.uploads.find(id);
    if (!upload) return [];
    const { kind, width, height, sizeBytes, altText } = upload;
    return [{ id, kind, altText: files.get(id)?.description ?? altText, width, height, sizeBytes }];
  });
}

/** Records the status that contains the files; without a status the files are free again. */
export function attach(uploadIds: readonly string[], attachedTo: string | undefined, { files }: MastodonState): void {
  for (const uploadId of uploadIds) {
    const facts = files.get(uploadId);
    if (facts) files.put({ ...facts, attachedTo });
  }
}

/** A poll that begins or is edited at an instant. An edit keeps the votes of its `previous` options. */
export function storedPoll({ options, expiresInSeconds, multiple }: PollDraft, atMs: number, previous?: StoredPoll): StoredPoll {
  const labels = options.map((label) => ({ label, crowd: 0 }));
  const isSame = previous?.options.map(({ label }) => label).join('\n') === options.join('\n');
  return { options: previous && isSame ? previous.options : labels, endsAtMs: atMs + expiresInSeconds * 1000, multiple };
}
