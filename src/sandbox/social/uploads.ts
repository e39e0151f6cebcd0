import { createHash } from 'node:crypto';
import { z } from 'zod';
import type { Journal } from '../journal.ts';
import { Keys } from './keys.ts';

const COLLECTION = 'social.uploads';
const CONTENTS = 'social.upload-contents';

const Upload = z.object({
  id: z.string(),
  ownerId: z.string(),
  kind: z.enum(['image', 'video', 'gif', 'audio']),
  contentType: z.string(),
  altText: z.string().optional(),
  width: z.number().optional(),
  height: z.number().optional(),
  sizeBytes: z.number(),
  sha256: z.string(),
  /** From when on a post takes it. */
  readyAtMs: z.number(),
  /** Until when a post takes it. */
  expiresAtMs: z.number(),
  key: z.string().optional(),
});

/** A file that somebody brought to the platform. */
export interface Upload extends Readonly<z.output<typeof Upload>> {}

/** The files that were brought to the platform, with what is in them. */
export class Uploads {
  readonly #journal: Journal;
  readonly #byId = new Map<string, Upload>();
  readonly #keys = new Keys();
  #last = 0;

  constructor(journal: Journal) {
    this.#journal = journal;
    for (const document of journal.all(COLLECTION)) this.#remember(Upload.parse(document));
  }

  find(id: string): Upload | undefined {
    return this.#byId.get(id);
  }

  /** The first one that its owner uploaded with this key. */
  findByKey(ownerId: string, key: string): Upload | undefined {
    const id = this.#keys.find(ownerId, key);
    return id === undefined ? undefined : this.#byId.get(id);
  }

  add(facts: Omit<Upload, 'id' | 'sizeBytes' | 'sha256'>, content: Buffer): Upload {
    const sha256 = createHash('sha256').update(content).digest('hex');
    const upload = { ...facts, id: `media-${this.#last + 1}`, sizeBytes: content.length, sha256 };
    this.#journal.put(CONTENTS, upload.id, content.toString('base64'));
    this.#journal.put(COLLECTION, upload.id, upload);
    this.#remember(upload);
    return upload;
  }

  /** What is in the file. */
  contentOf({ id }: Upload): Buffer<ArrayBuffer> {
    const content = this.#journal.get(CONTENTS, id);
    return Buffer.from(typeof content === 'string' ? content : '', 'base64');
  }

  #remember(upload: Upload): void {
    this.#byId.set(upload.id, upload);
    this.#keys.remember({ ownerId: upload.ownerId, key: upload.key, id: upload.id });
    this.#last = Math.max(this.#last, Number(upload.id.slice('media-'.length)));
  }
}
