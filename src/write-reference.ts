import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { referencePages } from '#src/reference-pages.ts';

const root = join(import.meta.dirname, '..');
const folder = join(root, 'docs/reference');
mkdirSync(folder, { recursive: true });
for (const [name, text] of await referencePages(root)) writeFileSync(join(folder, name), text);
