// @ts-check

/** Sends the requests of buttons, and shows their results. */

import { element, refreshAll } from './page.js';

/** How long a result is shown. */
const OUTCOME_MS = 8000;

/** A second click must not repeat the action. */
let isActing = false;

const outcome = element('outcome');
/** @type {ReturnType<typeof setTimeout> | undefined} */
let fading;
const confirmation = /** @type {HTMLDialogElement} */ (element('confirm'));

document.addEventListener('click', (event) => {
  const button = event.target instanceof Element ? event.target.closest('button[data-path]') : null;
  if (button instanceof HTMLButtonElement && !isActing) void act(button);
});

/**
 * Sends the request of a button.
 *
 * @param {HTMLButtonElement} button
 */
async function act(button) {
  const { path = '', input = '{}', done = '', confirm: question = '' } = button.dataset;
  if (question && !(await isConfirmed(question))) return;
  isActing = true;
  // A disabled button would lose the focus.
  button.ariaDisabled = 'true';
  showOutcome('busy', '…');
  try {
    const answer = await fetch(path, { method: 'POST', headers: headersOfWrite(), body: input });
    const body = await answer.json();
    const count = typeof body.firings === 'number' ? ` It announced ${body.firings || 'nothing'}.` : '';
    showOutcome(answer.ok ? 'good' : 'bad', answer.ok ? done + count : String(body.detail));
  } catch {
    showOutcome('bad', 'Fanfare did not answer. Nothing may have happened: check the state before you try again.');
  } finally {
    isActing = false;
    button.ariaDisabled = null;
    refreshAll();
  }
}

/** @param {string} question */
function isConfirmed(question) {
  element('confirm-text').textContent = question;
  confirmation.returnValue = '';
  confirmation.showModal();
  return new Promise((resolve) => {
    confirmation.addEventListener('close', () => resolve(confirmation.returnValue === 'yes'), { once: true });
  });
}

function headersOfWrite() {
  const token = document.body.dataset['formToken'];
  return { 'Content-Type': 'application/json', ...(token && { 'X-CSRF-Token': token }) };
}

/**
 * @param {string} tone
 * @param {string} text
 */
function showOutcome(tone, text) {
  outcome.dataset['tone'] = tone;
  outcome.textContent = text;
  clearTimeout(fading);
  // A refusal stays, because its text says what to do.
  if (tone === 'good') fading = setTimeout(() => outcome.replaceChildren(), OUTCOME_MS);
}

// The buttons are hidden without this script.
document.documentElement.dataset['script'] = 'on';
