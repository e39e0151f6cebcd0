import { withoutDirectionControls } from '../direction-controls.ts';
import { element } from './element.ts';

/** Asks a question in the dialog of the page. Whether the person agreed. */
export function isConfirmed(question: string): Promise<boolean> {
  element('confirm-text').textContent = withoutDirectionControls(question);
  const dialog = element('confirm');
  if (!(dialog instanceof HTMLDialogElement)) return Promise.resolve(false);
  dialog.showModal();
  const answered = new AbortController();
  return new Promise((resolve) => {
    const end = (event: Event): void => {
      // This is the `close` event of an earlier question.
      if (event.type === 'close' && dialog.open) return;
      event.preventDefault();
      dialog.close();
      answered.abort();
      resolve(event instanceof SubmitEvent && event.submitter?.getAttribute('value') === 'yes');
    };
    // The `close` event alone can come after the next press of a button, which would be ignored.
    for (const type of ['submit', 'cancel', 'close']) dialog.addEventListener(type, end, answered);
  });
}
