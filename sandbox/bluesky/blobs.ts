import { z } from 'zod';
import type { JsonObject } from '#src/operation/json.ts';
import type { Journal } from '../journal.ts';
import type { StoredMedia } from '../social/posts.ts';
import { draw } from '../twitch/pictures.ts';
import { cidOf } from './encoding.ts';

const COLLECTION = 'blobs';
const CONTENTS = 'blob-contents';
/** For how long a blob stays that no record refers to. */
const UNREFERENCED_MS = 3_600_000;

const Blob = z.object({ did: z.string(), cid: z.string(), mimeType: z.string(), size: z.number(), uploadedAtMs: z.number() });
/** A file in somebody's repository. */
export interface Blob extends Readonly<z.output<typeof Blob>> {}

/** The files that were uploaded, by what is in them: the same file twice is one. */
export class Blobs {
  readonly #journal: Journal;
  readonly #blobs = new Map<string, Blob>();
  readonly #referenced = new Set<string>();

  constructor(journal: Journal) {
    this.#journal = journal;
    for (const document of journal.all(COLLECTION)) this.#remember(Blob.parse(document));
  }

  add(did: string, content: Buffer, { mimeType, uploadedAtMs }: { readonly mimeType: string; readonly uploadedAtMs: number }): Blob {
    const blob = { did, cid: cidOf('blob', content), mimeType, size: content.length, uploadedAtMs };
    this.#journal.put(CONTENTS, placeOf(blob), content.toString('base64'));
    this.#journal.put(COLLECTION, placeOf(blob), blob);
    this.#remember(blob);
    return blob;
  }

  /** One that is there: without a record that refers to it, it goes after a while. */
  find({ did, cid }: Pick<Blob, 'did' | 'cid'>, nowMs: number): Blob | undefined {
    const blob = this.#blobs.get(placeOf({ did, cid }));
    const stays = blob && (this.#referenced.has(placeOf(blob)) || nowMs < blob.uploadedAtMs + UNREFERENCED_MS);
    return stays ? blob : undefined;
  }

  /** From now on a record refers to it. */
  keep(blob: Pick<Blob, 'did' | 'cid'>): void {
    this.#referenced.add(placeOf(blob));
  }

  contentOf(blob: Pick<Blob, 'did' | 'cid'>): Buffer<ArrayBuffer> {
    const content = this.#journal.get(CONTENTS, placeOf(blob));
    return Buffer.from(typeof content === 'string' ? content : '', 'base64');
  }

  #remember(blob: Blob): void {
    this.#blobs.set(placeOf(blob), blob);
  }
}

/** A blob as records and answers name it. */
export function blobRef({ cid, mimeType, size }: Pick<Blob, 'cid' | 'mimeType' | 'size'>): JsonObject {
  return { $type: 'blob', ref: { $link: cid }, mimeType, size };
}

function placeOf({ did, cid }: Pick<Blob, 'did' | 'cid'>): string {
  return `${did} ${cid}`;
}

export const PICTURE_TYPE = 'image/svg+xml';

/** What is in a picture that somebody of the world posted by themselves. */
export function pictureContent({ id, altText: label = '', width = 0, height = 0 }: StoredMedia): Buffer<ArrayBuffer> {
  return Buffer.from(draw({ key: id, label, width, height }));
}

/** Such pictures as a post shows them. */
export function picturesEmbed(media: readonly StoredMedia[]): JsonObject {
  const images = media.map((picture) => {
    const content = pictureContent(picture);
    const image = blobRef({ cid: cidOf('blob', content), mimeType: PICTURE_TYPE, size: content.length });
    return { image, alt: picture.altText ?? '', aspectRatio: { width: picture.width ?? 1, height: picture.height ?? 1 } };
  });
  return { $type: 'app.bsky.embed.images', images };
}
