import { readFileSync } from 'node:fs';

/** Whether the reference lists an environment variable. */
export function readsVariable(name: string): boolean {
  return readFileSync('docs/reference/environment.md', 'utf8').includes(`\n| \`${name}\` |`);
}
