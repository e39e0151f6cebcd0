import { ValidationError } from '#src/errors.ts';
import type { DescribedFile } from '../media/files.ts';
import { PLATFORM } from '../platform.ts';
import type { StrongRef } from '../wire/record.ts';

export type Embed = Readonly<Record<string, unknown>>;

/** What a post shows beside its text, if it can show these files together; undefined where that is nothing. */
export function embedOf(files: readonly DescribedFile[], quote: StrongRef | undefined): Embed | undefined {
  const media = mediaOf(files);
  const record = quote && { $type: 'app.bsky.embed.record', record: { uri: quote.uri, cid: quote.cid } };
  return media && record ? { $type: 'app.bsky.embed.recordWithMedia', record, media } : (media ?? record);
}

function mediaOf(files: readonly DescribedFile[]): Embed | undefined {
  const [first] = files;
  if (!first) return undefined;
  if (first.kind !== 'video') {
    return { $type: 'app.bsky.embed.images', images: files.map((file) => ({ image: file.blob, alt: file.altText, ...aspectRatio(file) })) };
  }
  return { $type: 'app.bsky.embed.video', video: first.blob, ...(first.altText && { alt: first.altText }), ...aspectRatio(first) };
}

/** Refuses files that no post can show together. */
export function assertTogether(kinds: readonly DescribedFile['kind'][]): void {
  if (!kinds.includes('video') || kinds.length === 1) return;
  throw new ValidationError(`a post on ${PLATFORM} shows up to four pictures or one video: post them one after the other`, {
    path: 'files',
  });
}

function aspectRatio({ width, height }: DescribedFile): { readonly aspectRatio?: object } {
  return width && height ? { aspectRatio: { width, height } } : {};
}
