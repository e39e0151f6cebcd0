import { pressedMessage } from '../../views/parts/discord/state.ts';
import { DISCORD_TEXTS } from '../../views/texts/discord.ts';
import { element } from '../element.ts';
import { showOutcome } from '../outcome.ts';
import type { DiscordPage } from './discord-page.ts';
import type { Sender } from './send.ts';

/** Sends the buttons and the menus of messages. */
export function takePresses({ language }: DiscordPage, { interact }: Sender): void {
  const t = DISCORD_TEXTS[language];
  const view = element('view');

  view.addEventListener('click', ({ target }) => {
    const button = target instanceof Element ? target.closest<HTMLElement>('button[data-press], button[data-entry]') : null;
    const { press: customId, entry: menu, message = '' } = button?.dataset ?? {};
    if (!button) return;
    button.closest('details')?.removeAttribute('open');
    pressedMessage.value = message;
    void during(button, interact(customId === undefined ? { message, menu } : { message, customId }));
  });

  view.addEventListener('submit', (event) => {
    const form = event.target;
    if (!(form instanceof HTMLFormElement) || form.dataset['menu'] === undefined) return;
    event.preventDefault();
    const { menu: customId, message = '', least, most } = form.dataset;
    const values = new FormData(form)
      .getAll('value')
      .map(String)
      .filter((value) => value !== '');
    if (values.length < Number(least) || values.length > Number(most))
      return showOutcome(view, 'bad', t.counts(Number(least), Number(most)));
    pressedMessage.value = message;
    void during(form.querySelector('button'), interact({ message, customId, values }));
  });

  // The bot can replace the focused button by one with the same text, or take it away. Then, the focus moves to its message, or to the last one.
  let last: { readonly focused: Element; readonly id: string | undefined; readonly text: string | null } | undefined;
  view.addEventListener('focusin', ({ target }) => {
    if (target instanceof Element) last = { focused: target, id: target.closest('.message')?.id, text: target.textContent };
  });
  new MutationObserver(() => {
    if (last?.id === undefined || document.activeElement !== document.body || canHaveFocus(last.focused)) return;
    const message = document.querySelector<HTMLElement>(`#${last.id}`) ?? document.querySelector<HTMLElement>('.messages > li:last-child');
    const buttons = [...(message?.querySelectorAll<HTMLElement>('button[data-press]:enabled') ?? [])];
    (buttons.find(({ textContent }) => textContent === last?.text) ?? message)?.focus();
  }).observe(view, { childList: true, subtree: true });
}

/** Whether an element without the focus lost it to a reader, who went on elsewhere. */
function canHaveFocus(element: Element): boolean {
  return element.isConnected && element.checkVisibility() && !element.matches(':disabled');
}

/** Marks a button until its answer is there. A disabled button would lose the focus. */
async function during(button: HTMLElement | null, sent: Promise<unknown>): Promise<void> {
  if (button) button.ariaDisabled = 'true';
  await sent;
  if (button) button.ariaDisabled = null;
}
