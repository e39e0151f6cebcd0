import type { z } from 'zod';

/** The running process of an installation, over its HTTP API. */
export interface RunningProcess {
  /** Sends a write and returns its answer. Throws a `UserError` with the reason if the process refuses it. */
  post<S extends z.ZodType>(path: string, body: object, answer: S): Promise<z.output<S>>;
}
