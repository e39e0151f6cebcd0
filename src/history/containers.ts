import { Container } from '#src/paging/container.ts';
import type { Episode } from './records.ts';

/** Episodes of one rule. */
export class Episodes extends Container<Episode> {}
