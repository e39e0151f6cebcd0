import { createHash } from 'node:crypto';
import { z } from 'zod';
import type { Journal } from '../../journal.ts';
import { toTid } from '../data/tid.ts';

const COLLECTION = 'video-jobs';
/** How long a video takes until it is ready. */
const PROCESSING_MS = 4000;

const Job = z.object({
  id: z.string(),
  did: z.string(),
  /** Of what is in the file. */
  sha256: z.string(),
  size: z.number(),
  startedAtMs: z.number(),
  /** The blob that came of it. */
  cid: z.string(),
  /** Why nothing came of it. */
  failure: z.string().optional(),
});
/** A video on its way. */
export interface VideoJob extends Readonly<z.output<typeof Job>> {}

/** The videos that were brought, and how far each has come. */
export class VideoJobs {
  readonly #journal: Journal;
  readonly #jobs = new Map<string, VideoJob>();

  constructor(journal: Journal) {
    this.#journal = journal;
    for (const document of journal.all(COLLECTION)) this.#remember(Job.parse(document));
  }

  find(id: string): VideoJob | undefined {
    return this.#jobs.get(id);
  }

  /** The job of the same file of the same account, if it did not fail. */
  findSame(did: string, content: Buffer): VideoJob | undefined {
    const sha256 = hashOf(content);
    return [...this.#jobs.values()].find((job) => job.did === did && job.sha256 === sha256 && job.failure === undefined);
  }

  /** What somebody brought since an instant. */
  since(did: string, atMs: number): readonly VideoJob[] {
    return [...this.#jobs.values()].filter((job) => job.did === did && job.startedAtMs >= atMs);
  }

  add(content: Buffer, facts: Pick<VideoJob, 'did' | 'startedAtMs' | 'cid' | 'failure'>): VideoJob {
    const id = toTid({ atUs: facts.startedAtMs * 1000 + this.#jobs.size, clock: 0 });
    const job = { ...facts, id, sha256: hashOf(content), size: content.length };
    this.#journal.put(COLLECTION, id, { ...job });
    this.#remember(job);
    return job;
  }

  #remember(job: VideoJob): void {
    this.#jobs.set(job.id, job);
  }
}

/** How much of a video is done, from 0 to 100. */
export function progressOf({ startedAtMs }: VideoJob, nowMs: number): number {
  return Math.max(0, Math.min(100, Math.floor(((nowMs - startedAtMs) / PROCESSING_MS) * 100)));
}

function hashOf(content: Buffer): string {
  return createHash('sha256').update(content).digest('hex');
}
