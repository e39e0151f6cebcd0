import { withoutDirectionControls } from '../direction-controls.ts';
import { element } from './element.ts';

/** Asks a question in the dialog of the page. Whether the person agreed. */
export function isConfirmed(question: string): Promise<boolean> {
  element('confirm-text').textContent = withoutDirectionControls(question);
  const dialog = element('confirm');
  if (!(dialog instanceof HTMLDialogElement)) return Promise.resolve(false);
  dialog.returnValue = '';
  dialog.showModal();
  return new Promise((resolve) => {
    dialog.addEventListener('close', () => resolve(dialog.returnValue === 'yes'), { once: true });
  });
}
