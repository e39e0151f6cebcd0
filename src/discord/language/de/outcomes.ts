import type { Words } from '../words.ts';

/** Was bei einer Entscheidung herauskam. */
export const outcomes: Words['controls']['outcomes'] = {
  fired: 'hat gesprochen',
  silent: 'still vermerkt',
  refused: 'abgelehnt',
  held: 'zurückgehalten',
  waiting: 'wartet noch',
  closed: 'beendet',
  quiet: 'nichts Neues',
  failed: 'fehlgeschlagen',
};
