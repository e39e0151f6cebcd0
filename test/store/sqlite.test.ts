import { join } from 'node:path';
import { afterAll } from 'vitest';
import { openStore } from '#src/store/store.ts';
import { describeStore } from '../contract/store.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const folder = temporaryFolder({ inMemory: true });
afterAll(() => folder[Symbol.dispose]());

let files = 0;

describeStore('SQLite in a file', (clock) => openStore({ file: join(folder.path, 'deep', `${++files}.sqlite`), clock }));
describeStore('SQLite in memory', (clock) => openStore({ clock }));
