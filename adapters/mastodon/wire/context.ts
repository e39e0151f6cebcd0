import { z } from 'zod';
import { rowsOf } from './parts.ts';
import { StatusRow } from './status.ts';

/** What was said before a status, and what was answered to it. */
export const ContextRow = z.object({ ancestors: rowsOf(StatusRow), descendants: rowsOf(StatusRow) });
