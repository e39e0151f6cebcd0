import { Session } from 'node:inspector';
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

/** Finds the files in which a function is executed, with the call counts of V8. */
export interface ExecutedFiles extends Disposable {
  /** The files of src and adapters in which a function was executed since the last call, or since the start. */
  take(): readonly string[];
}

/** Starts to count calls in this process. */
export function countExecutedFiles(): ExecutedFiles {
  const session = new Session();
  session.connect();
  session.post('Profiler.enable');
  session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
  return {
    take() {
      const files = new Set<string>();
      // The inspector of the same thread answers before `post` returns.
      session.post('Profiler.takePreciseCoverage', (error, answer) => {
        if (error) throw error;
        for (const { url, functions } of answer.result) {
          const isExecuted = functions.some(({ ranges }) => (ranges[0]?.count ?? 0) > 0);
          if (isExecuted) files.add(relative(ROOT, url.startsWith('file:') ? fileURLToPath(url) : url));
        }
      });
      return [...files].filter((file) => /^(src|adapters)\//u.test(file)).toSorted();
    },
    [Symbol.dispose]() {
      session.post('Profiler.stopPreciseCoverage');
      session.disconnect();
    },
  };
}
