import { z } from 'zod';
import { id, words } from './parts.ts';

/** A list of the signed-in account's own. */
export const ListRow = z.object({ id, title: words });
export type ListRow = z.output<typeof ListRow>;
