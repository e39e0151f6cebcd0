import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { referenceFiles } from './reference.ts';

const root = join(import.meta.dirname, '../../..');
const folder = join(root, 'docs/reference');
mkdirSync(folder, { recursive: true });
for (const [name, text] of referenceFiles(root)) writeFileSync(join(folder, name), text);
