import { startup } from './startup.ts';

await startup();
