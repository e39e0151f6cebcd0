import { z } from 'zod';
import type { Journal } from '../../journal.ts';
import type { Snowflakes } from '../snowflake.ts';
import type { Attachment } from './message.ts';

const COLLECTION = 'discord.files';

const StoredFile = z.object({ contentType: z.string().optional(), base64: z.string() });

/** A file as it came with a request. */
export interface Upload {
  readonly filename: string;
  readonly contentType?: string | undefined;
  readonly bytes: Uint8Array;
}

/** What was attached to messages; only the journal holds it. */
export class Files {
  readonly #journal: Journal;
  readonly #ids: Snowflakes;

  constructor({ journal, ids }: { readonly journal: Journal; readonly ids: Snowflakes }) {
    this.#journal = journal;
    this.#ids = ids;
  }

  keep({ filename, contentType, bytes }: Upload, description: string | undefined): Attachment {
    const id = this.#ids.next();
    this.#journal.put(COLLECTION, id, { contentType, base64: Buffer.from(bytes).toString('base64') });
    return { id, filename: filename.replaceAll(/[^\w.-]+/g, '_'), sizeBytes: bytes.byteLength, contentType, description };
  }

  find(id: string): { readonly contentType: string | undefined; readonly bytes: Buffer<ArrayBuffer> } | undefined {
    const document = this.#journal.get(COLLECTION, id);
    if (document === undefined) return undefined;
    const { contentType, base64 } = StoredFile.parse(document);
    return { contentType, bytes: Buffer.from(base64, 'base64') };
  }
}
