import type { SandboxDiscord, SandboxInteraction } from '../../../client/records.ts';
import { createContext, signal } from '../../preact.mjs';
import type { Suggestion } from './suggestions.ts';

export type Component = SandboxDiscord['messages'][number]['components'][number];

/** The channel around the components that show it. */
export const SeenContext = createContext<SandboxDiscord | undefined>(undefined);

/** The list below the field. Only browsers change it. */
export const composing = signal<{
  readonly items: readonly Suggestion[];
  /** The entry that Enter takes, or -1. */
  readonly active: number;
  /** The explanation of the current option. */
  readonly hint: string;
}>({ items: [], active: -1, hint: '' });

/** The form that the bot opened. */
export const openForm = signal<{ readonly id: string; readonly form: NonNullable<SandboxInteraction['modal']> } | undefined>(undefined);

/** The message whose button or menu the member used last. Its change is the answer of the bot. */
export const pressedMessage = signal('');
