import type { Words } from '../words.ts';
import { answers } from './answers.ts';
import { assistant } from './assistant.ts';
import { controls } from './controls.ts';
import { errors } from './errors.ts';
import { lookups } from './lookups.ts';
import { posting } from './posting.ts';
import { reasons } from './reasons.ts';

/** German. */
export const de: Words = { answers, assistant, controls, errors, lookups, posting, reasons };
