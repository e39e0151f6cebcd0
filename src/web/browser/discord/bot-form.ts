import { openForm } from '../../views/parts/discord/state.ts';
import { element } from '../element.ts';
import { outcomeText } from '../outcome.ts';
import type { Sender } from './send.ts';

/** Sends the form that the bot opened. */
export function takeBotForm({ interact }: Sender): void {
  const dialog = element('bot-form') as HTMLDialogElement; // the component makes a dialog
  let isSent = false;

  dialog.addEventListener('close', () => {
    openForm.value = undefined;
  });
  dialog.addEventListener('click', ({ target }) => {
    if (target instanceof Element && target.closest('[data-close]')) dialog.close();
  });
  dialog.addEventListener('submit', (event) => {
    const form = event.target;
    if (!(form instanceof HTMLFormElement) || form.dataset['form'] === undefined) return;
    event.preventDefault();
    if (isSent) return;
    isSent = true;
    void interact({ modal: form.dataset['form'], fields: fieldsOf(form) }).then((answer) => {
      isSent = false;
      // The answer can be another form.
      if (answer && !answer.modal) dialog.close();
      // A refused form stays open with its texts, and covers the usual place of the reason.
      const problem = form.querySelector('[data-problem]');
      if (problem) problem.textContent = answer ? '' : outcomeText(element('view'));
    });
  });
}

/** The texts, and the lists of chosen values, by the names of the fields. */
function fieldsOf(form: HTMLFormElement): Readonly<Record<string, string | string[]>> {
  const typed = new FormData(form);
  const names = new Set([...form.elements].flatMap((field) => field.getAttribute('name') ?? []));
  return Object.fromEntries(
    [...names].map((name) => {
      const values = typed.getAll(name).map(String);
      const isText =
        form.querySelector(`input:not([type=checkbox])[name="${CSS.escape(name)}"], textarea[name="${CSS.escape(name)}"]`) !== null;
      return [name, isText ? (values[0] ?? '') : values.filter((value) => value !== '')];
    }),
  );
}
