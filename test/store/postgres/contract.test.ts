import { describeStore } from '../../contract/store.ts';
import { openEmptyStore } from '../../support/postgres-stores.ts';

describeStore('PostgreSQL', (clock) => openEmptyStore({ clock }));
