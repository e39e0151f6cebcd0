import { openStore } from '#src/store/store.ts';
import { describeStore } from '../contract/store.ts';

// In a file, which takes three times as long: sqlite-file.deep.test.ts.
describeStore('SQLite in memory', (clock) => openStore({ clock }));
