import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describeApi } from '#src/web/api/description.ts';
import { apiClientFiles } from './api-client.ts';
import { referencePages } from './pages.ts';

const root = join(import.meta.dirname, '../..');
const folder = join(root, 'docs/reference');
mkdirSync(folder, { recursive: true });
for (const [name, text] of await referencePages(root)) writeFileSync(join(folder, name), text);
for (const [name, text] of apiClientFiles(describeApi({ hasSandbox: true }))) writeFileSync(join(root, 'src/web/client', name), text);
