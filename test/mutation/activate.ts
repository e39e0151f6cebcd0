import { appendFileSync } from 'node:fs';
import { afterAll, afterEach, beforeEach } from 'vitest';

declare global {
  /** Whether the mutant with this number is active. `withMutants` adds the calls. */
  var mutant: ((number: number) => boolean) | undefined;
}

const active = Number(process.env['FANFARE_MUTANT']);
const file = process.env['FANFARE_MUTANT_HITS'];

if (file === undefined) globalThis.mutant = (number) => number === active;
else record(file);

/** Writes which mutants each test reaches. Those that are reached outside of tests have no test name. */
function record(hitsFile: string): void {
  let hits = new Set<number>();
  let beganMs = 0;
  let path = '';
  globalThis.mutant = (number) => {
    hits.add(number);
    return false;
  };

  function flush(name?: string): void {
    if (hits.size > 0) appendFileSync(hitsFile, `${JSON.stringify({ path, name, ms: performance.now() - beganMs, hits: [...hits] })}\n`);
    hits = new Set();
  }

  beforeEach(({ task }) => {
    path = task.file.filepath;
    flush();
    beganMs = performance.now();
  });
  afterEach(({ task }) => flush(task.name));
  afterAll(() => flush());
}
