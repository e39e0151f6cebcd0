import { composing } from '../../views/parts/discord/state.ts';
import { suggestionsFor, type Suggestion } from '../../views/parts/discord/suggestions.ts';
import {
  isChosen,
  keyOfChoice,
  parseCommand,
  toInput,
  valueOf,
  type TypedCommand,
  type Value,
} from '../../views/parts/discord/typed-command.ts';
import { DISCORD_TEXTS } from '../../views/texts/discord.ts';
import { element } from '../element.ts';
import { showOutcome } from '../outcome.ts';
import type { DiscordPage } from './discord-page.ts';
import type { Sender } from './send.ts';

/** The pause of a person who types, after which the bot is asked. */
const PAUSE_MS = 200;

/** Completes and sends what people type. The keys are those of Discord, and of a combobox with a list. */
export function takeComposer({ language, seen }: DiscordPage, { interact, write, suggest }: Sender): void {
  const t = DISCORD_TEXTS[language];
  const field = element('composer') as HTMLInputElement; // the component makes an input
  const chosen = new Map<string, Value>();
  let fromBot: readonly { readonly name: string; readonly value: Value }[] = [];
  let asking = new AbortController();
  let pause: ReturnType<typeof setTimeout> | undefined;

  const cursor = (): number => field.selectionStart ?? field.value.length;
  const parsed = (): TypedCommand => parseCommand(field.value, cursor(), seen().commands);

  /** Shows what fits to the text. */
  function suggestAgain(): void {
    const typed = parsed();
    const { items, isNeeded } = suggestionsFor({ text: field.value, typed, chosen, seen: seen(), fromBot });
    const { option } = typed.current ?? {};
    const about = option ? `${option.name}: ${option.description}` : (typed.command?.description ?? '');
    const hint = option?.required ? `${about} (${t.required})` : about;
    composing.value = { items, active: isNeeded && items.length > 0 ? 0 : -1, hint };
  }

  /** Asks the bot for values of the current option. */
  function askBot(): void {
    asking.abort();
    clearTimeout(pause);
    fromBot = [];
    const typed = parsed();
    const { command, current } = typed;
    if (!command || !current?.option.autocomplete || isChosen(current, chosen)) return;
    const mine = (asking = new AbortController());
    pause = setTimeout(() => {
      const { options } = toInput(typed, chosen);
      const input = { options: { ...options, [current.option.name]: valueOf(current, chosen) }, focused: current.option.name };
      suggest({ channel: seen().channel.id, command: command.command, ...input }, mine.signal).then(
        (choices) => {
          if (mine.signal.aborted) return;
          fromBot = choices;
          suggestAgain();
        },
        // Without suggestions, people can still type a value.
        () => undefined,
      );
    }, PAUSE_MS);
  }

  function typedAgain(): void {
    askBot();
    suggestAgain();
  }

  function take({ text, choice }: Suggestion): void {
    if (choice) chosen.set(keyOfChoice(choice.option, choice.label), choice.value);
    field.value = text;
    field.focus();
    field.setSelectionRange(text.length, text.length);
    typedAgain();
  }

  function activate(step: number): void {
    const { items, active, hint } = composing.value;
    const next = active < 0 && step < 0 ? items.length - 1 : (active + step + items.length) % items.length;
    composing.value = { items, active: next, hint };
    // The list is rendered first.
    setTimeout(() => document.querySelector(`#suggestion-${next}`)?.scrollIntoView({ block: 'nearest' }));
  }

  async function send(): Promise<void> {
    const text = field.value.trim();
    if (text === '') return;
    const typed = parseCommand(`${field.value} `, cursor(), seen().commands);
    const isCommand = typed.command !== undefined;
    if (!isCommand && text.startsWith('/')) return showOutcome(element('view'), 'bad', t.noCommand(seen().member.displayName));
    const isDone = isCommand
      ? (await interact({ channel: seen().channel.id, ...toInput(typed, chosen) })) !== undefined
      : await write(text);
    // A refused command stays, so that the person can mend it.
    if (!isDone || field.value.trim() !== text) return;
    field.value = '';
    chosen.clear();
    typedAgain();
  }

  field.addEventListener('input', typedAgain);
  field.addEventListener('click', suggestAgain);
  field.addEventListener('blur', () => {
    composing.value = { items: [], active: -1, hint: '' };
  });
  field.addEventListener('keydown', (event) => {
    const { items, active, hint } = composing.value;
    const { key, shiftKey, isComposing } = event;
    if (isComposing) return;
    const entry = items[active] ?? (key === 'Tab' ? items[0] : undefined);
    if (items.length > 0 && (key === 'ArrowDown' || key === 'ArrowUp')) activate(key === 'ArrowDown' ? 1 : -1);
    else if (items.length > 0 && key === 'Escape') composing.value = { items: [], active: -1, hint };
    else if (entry && (key === 'Enter' || (key === 'Tab' && !shiftKey))) take(entry);
    else return;
    event.preventDefault();
  });
  field.form?.addEventListener('submit', (event) => {
    event.preventDefault();
    void send();
  });
  const list = element('suggestions');
  // The field keeps the focus.
  list.addEventListener('mousedown', (event) => event.preventDefault());
  list.addEventListener('click', ({ target }) => {
    const pressed = target instanceof Element ? target.closest<HTMLElement>('[data-suggestion]') : null;
    const entry = composing.value.items[Number(pressed?.dataset['suggestion'])];
    if (entry) take(entry);
  });
}
