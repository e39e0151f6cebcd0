import type { Texts } from '../texts.ts';
import { assistant } from './assistant.ts';
import { controls } from './controls.ts';
import { answers, errors, paging } from './interactions.ts';
import { lookups } from './lookups.ts';
import { posting } from './posting.ts';
import { reasons } from './reasons.ts';

/** German. */
export const de: Texts = { answers, assistant, controls, errors, lookups, paging, posting, reasons };
