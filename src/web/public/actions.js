// @ts-check

/** Sends the requests of buttons, and shows their results. */

/** How long a result is shown. */
const OUTCOME_MS = 8000;

/**
 * What happened to the target of a button.
 *
 * @type {Readonly<Record<string, Readonly<Record<string, string>>>>}
 */
const DONE = {
  en: {
    run: 'was run.',
    pause: 'is paused.',
    plan: 'is paused at the planned time.',
    unplan: 'has no planned pause now.',
    resume: 'runs again.',
    resend: 'is sent again.',
    sent: 'counts as sent.',
    again: 'is sent again.',
    answer: 'is answered.',
  },
  de: {
    run: 'wurde ausgeführt.',
    pause: 'ist angehalten.',
    plan: 'wird zur geplanten Zeit angehalten.',
    unplan: 'hat keine geplante Pause mehr.',
    resume: 'läuft wieder.',
    resend: 'wird noch einmal gesendet.',
    sent: 'gilt als gesendet.',
    again: 'wird noch einmal gesendet.',
    answer: 'ist beantwortet.',
  },
};

const TEXTS = {
  en: {
    question: (/** @type {string} */ name) => `Send ${name} again? If the first message arrived, it appears twice.`,
    firings: (/** @type {number} */ count) => ` It announced ${count || 'nothing'}.`,
    noAnswer: 'Fanfare did not answer. Check the state before you try again, because the action may have been done.',
    plan: (/** @type {string} */ name) => `Plan a pause of ${name}`,
  },
  de: {
    question: (/** @type {string} */ name) => `${name} noch einmal senden? Wenn die erste Nachricht ankam, erscheint sie doppelt.`,
    firings: (/** @type {number} */ count) => ` Gemeldet: ${count || 'nichts'}.`,
    noAnswer: 'Fanfare hat nicht geantwortet. Vor einem neuen Versuch den Zustand prüfen, weil die Aktion geschehen sein kann.',
    plan: (/** @type {string} */ name) => `Pause von ${name} planen`,
  },
};

const language = document.documentElement.lang === 'de' ? 'de' : 'en';
const texts = TEXTS[language];

/** A second click must not repeat the action. */
let isActing = false;

const outcome = element('outcome');
/** @type {ReturnType<typeof setTimeout> | undefined} */
let fading;
const confirmation = /** @type {HTMLDialogElement} */ (element('confirm'));

document.addEventListener('click', (event) => {
  const button = event.target instanceof Element ? event.target.closest('button[data-act]') : null;
  if (button instanceof HTMLButtonElement && !isActing) void act(button);
});

/**
 * Sends the request of a button.
 *
 * @param {HTMLButtonElement} button
 */
async function act(button) {
  const { act: action = '', resolution, choice, planned, dialog } = button.dataset;
  const { path = '', name = '' } = button.parentElement?.dataset ?? {};
  // A message that was sent cannot be taken back.
  const isRisky = resolution === 'again';
  if (isRisky && !(await isConfirmed(texts.question(name)))) return;
  const times = dialog === 'plan' ? await typedTimes(name) : {};
  if (!times) return;
  isActing = true;
  // A disabled button would lose the focus.
  button.ariaDisabled = 'true';
  showOutcome('busy', '…');
  try {
    const sent = JSON.stringify({ resolution, choice, ...(planned && { planned: true }), ...times });
    const answer = await fetch(path + action, { method: 'POST', headers: headersOfWrite(), body: sent });
    const body = await answer.json();
    const count = typeof body.firings === 'number' ? texts.firings(body.firings) : '';
    showOutcome(
      answer.ok ? 'good' : 'bad',
      answer.ok ? `${name} ${DONE[language]?.[resolution ?? dialog ?? (planned ? 'unplan' : action)]}${count}` : String(body.detail),
    );
  } catch {
    showOutcome('bad', texts.noAnswer);
  } finally {
    isActing = false;
    button.ariaDisabled = null;
    // The script of each page loads what changed.
    document.dispatchEvent(new CustomEvent('acted'));
  }
}

/** @param {string} id */
function element(id) {
  const found = document.getElementById(id);
  if (!found) throw new Error(`The page has no #${id}.`);
  return found;
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

/**
 * Asks when a pause begins and ends; undefined: the person cancelled.
 *
 * @param {string} name
 * @returns {Promise<{ readonly from?: string, readonly until?: string } | undefined>}
 */
async function typedTimes(name) {
  const dialog = /** @type {HTMLDialogElement} */ (element('plan'));
  const form = dialog.querySelector('form');
  element('plan-title').textContent = texts.plan(name);
  dialog.returnValue = '';
  dialog.showModal();
  await new Promise((resolve) => {
    dialog.addEventListener('close', resolve, { once: true });
  });
  if (dialog.returnValue !== 'yes' || !form) return undefined;
  const times = [...new FormData(form)].filter(([, typed]) => typed !== '');
  return Object.fromEntries(times.map(([field, typed]) => [field, new Date(String(typed)).toISOString()]));
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
