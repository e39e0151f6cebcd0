import type { StoredMedia, WrittenPost } from '../../social/posts.ts';
import type { Uploads } from '../../social/uploads.ts';
import type { Ground } from '../ground.ts';
import type { Draft } from './scheduled.ts';

/** How long somebody's server elsewhere takes to agree that a post of theirs is quoted. */
const AGREEING_MS = 30_000;

export interface Publishing {
  readonly atMs: number;
  readonly visibleAtMs: number;
  readonly key: string | undefined;
}

/** A draft becomes a post. */
export function publish(draft: Draft, { atMs, visibleAtMs, key }: Publishing, ground: Ground): WrittenPost {
  const { stage, facts, files } = ground;
  const isForFew = draft.visibility === 'private' || draft.visibility === 'direct';
  const post = stage.written.add({
    authorId: draft.authorId,
    text: draft.text,
    language: draft.language,
    createdAtMs: atMs,
    replyTo: draft.replyTo,
    quote: draft.quote,
    media: storedMedia(draft.mediaIds, stage.uploads, ground),
    poll: draft.poll && {
      options: draft.poll.options.map((label) => ({ label, crowd: 0 })),
      endsAtMs: atMs + draft.poll.expiresInSeconds * 1000,
      multiple: draft.poll.multiple,
    },
    // Who cannot read it does not answer it by themselves.
    audience: isForFew ? 'Nobody' : undefined,
    key,
    scheduled: false,
    visibleAtMs,
  });
  facts.put({
    postId: post.id,
    visibility: draft.visibility,
    spoilerText: draft.spoilerText,
    sensitive: draft.sensitive,
    quotePolicy: draft.quotePolicy,
    quoteAcceptedAtMs: draft.quote === undefined ? undefined : atMs + (isElsewhere(draft.quote, ground) ? AGREEING_MS : 0),
    application: { name: draft.application.name, website: draft.application.website },
    hideTotals: draft.poll?.hideTotals ?? false,
    earlier: [],
  });
  files.attach(draft.mediaIds, post.id);
  return post;
}

/** What a post keeps of uploads. */
export function storedMedia(ids: readonly string[], uploads: Uploads, { files }: Pick<Ground, 'files'>): StoredMedia[] {
  return ids.flatMap((id) => {
    const upload = uploads.find(id);
    if (!upload) return [];
    const { kind, width, height, sizeBytes, altText } = upload;
    return [{ id, kind, altText: files.find(id)?.description ?? altText, width, height, sizeBytes }];
  });
}

function isElsewhere(postId: string, { stage, directory }: Ground): boolean {
  const post = stage.momentFor().feed.find(postId);
  const author = post && stage.people.find(post.authorId);
  return author !== undefined && directory.domainOf(author) !== undefined;
}
