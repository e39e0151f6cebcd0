import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readHistory } from '../history.ts';
import { check } from './check.ts';
import { readEvidence } from './read-sandbox.ts';
import { reportOf } from './report.ts';
import { takeoversIn } from './takeovers.ts';

/** Compares the history of a run with the sandbox: `node test/chaos/checker/main.ts <folder> [--final]`. */
async function main([folder, mode]: readonly string[]): Promise<void> {
  if (folder === undefined) throw new Error('usage: node test/chaos/checker/main.ts <folder> [--final]');
  const history = readHistory(join(folder, 'history.jsonl'));
  const isFinal = mode === '--final';
  const verdict = check({ ...(await readEvidence(folder, history)), history, isFinal });
  for (const line of reportOf(history, verdict, takeoversIn(history))) console.log(line);
  if (isFinal) writeFileSync(join(folder, 'violations.json'), JSON.stringify(verdict.violations));
  if (verdict.violations.length > 0) process.exitCode = 1;
}

await main(process.argv.slice(2));
