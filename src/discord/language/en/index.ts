import { reasons } from '../reasons.ts';
import { assistant } from './assistant.ts';
import { controls } from './controls.ts';
import { answers, errors, paging } from './interactions.ts';
import { lookups } from './lookups.ts';
import { posting } from './posting.ts';

/** English. */
export const en = { answers, assistant, controls, errors, lookups, paging, posting, reasons };
