import { z } from 'zod';
import type { Journal } from '../../journal.ts';

const COLLECTION = 'mastodon.files';

const FileFacts = z.object({
  uploadId: z.string(),
  createdAtMs: z.number(),
  description: z.string().optional(),
  focus: z.object({ x: z.number(), y: z.number() }).optional(),
  /** The post that it is in. */
  attachedTo: z.string().optional(),
  isDeleted: z.boolean().default(false),
});

/** What Mastodon knows of an uploaded file beside what is in it. */
export interface FileFacts extends Readonly<z.output<typeof FileFacts>> {}

/** What became of uploaded files. */
export class FactsOfFiles {
  readonly #journal: Journal;
  readonly #byUpload = new Map<string, FileFacts>();

  constructor(journal: Journal) {
    this.#journal = journal;
    for (const document of journal.all(COLLECTION)) {
      const facts = FileFacts.parse(document);
      this.#byUpload.set(facts.uploadId, facts);
    }
  }

  all(): readonly FileFacts[] {
    return [...this.#byUpload.values()];
  }

  find(uploadId: string): FileFacts | undefined {
    return this.#byUpload.get(uploadId);
  }

  put(facts: FileFacts): void {
    this.#journal.put(COLLECTION, facts.uploadId, { ...facts });
    this.#byUpload.set(facts.uploadId, facts);
  }

  /** Says that files stand in a post, or with no post, that they are free again. */
  attach(uploadIds: readonly string[], postId: string | undefined): void {
    for (const uploadId of uploadIds) {
      const facts = this.#byUpload.get(uploadId);
      if (facts) this.put({ ...facts, attachedTo: postId });
    }
  }
}
