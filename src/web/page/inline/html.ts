import { html as escaping } from 'hono/html';
import { withoutDirectionControls } from '../../direction-controls.ts';

/** Makes the HTML of a template. Its texts are escaped, and lose the characters that reorder the text after them. */
export const html: typeof escaping = (template, ...inserted) => escaping(template, ...inserted.map(cleaned));

function cleaned(inserted: unknown): unknown {
  if (Array.isArray(inserted)) return inserted.map(cleaned);
  return typeof inserted === 'string' ? withoutDirectionControls(inserted) : inserted;
}
