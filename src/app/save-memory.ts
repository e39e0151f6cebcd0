import { setFlagsFromString } from 'node:v8';

/**
 * Limits the growth of the heap between two garbage collections, because the process runs for months.
 *
 * Call it after the modules are loaded. V8 does not reuse cached code that was compiled with other flags.
 */
export function saveMemory(): void {
  // The V8 of Node 22 does not know the flag and would print an error.
  if (Number.parseInt(process.versions.v8, 10) >= 13) setFlagsFromString('--memory-saver-mode');
}
