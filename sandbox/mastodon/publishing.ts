import type { StoredMedia, WrittenPost } from '../social/posts.ts';
import type { MastodonState, StatusDraft } from './state.ts';

interface Publication {
  readonly atMs: number;
  readonly visibleAtMs: number;
  readonly key: string | undefined;
}

/** Publishes a draft. */
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
    poll: poll && {
      options: poll.options.map((label) => ({ label, crowd: 0 })),
      endsAtMs: atMs + poll.expiresInSeconds * 1000,
      multiple: poll.multiple,
    },
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
