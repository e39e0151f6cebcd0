import type { Operations } from '../../client/operations.ts';
import { html } from '../html.ts';
import type { VNode } from '../preact.mjs';

interface ActionFormProps<Name extends keyof Operations> {
  /** The operation of the API that the form sends. */
  readonly operation: Name;
  /** The part of the input that is not typed. Typed fields replace it: the field `entries.0.id` is the id of the first entry. */
  readonly input: object;
  /** The text after it is done. */
  readonly done: string;
  /** The text if the action created the list; absent: as `done`. */
  readonly created?: string | undefined;
  /** The text if the answer contains errors, failed tests, a failed poll, or accounts for which a cancellation was too late. */
  readonly failed?: string | undefined;
  /** The label of the button that takes the change of a list back, with what the page says then. */
  readonly undo?: { readonly label: string; readonly done: string } | undefined;
  /** The question before it is done; absent: there is none. */
  readonly question?: string | undefined;
  readonly class?: string | undefined;
  /** Whether the typed fields stay after it is done. */
  readonly keepsFields?: boolean | undefined;
  /**
   * Whether the browser writes the typed texts into the fields again after "Back". It counts the fields, so that those of one entry of a list
   * would get what a person chose for another.
   */
  readonly isRestored?: boolean | undefined;
  /** Whether there is nothing to do now. The button keeps its place, so that a second press does not reach another button. */
  readonly isOff?: boolean | undefined;
  readonly children?: unknown;
}

/**
 * A form or a button that changes something, for readers with the script: see `src/web/browser/forms.ts`. With its method, no typed secret
 * gets into an address, even if the script fails.
 */
export function ActionForm<Name extends keyof Operations>({
  operation,
  input,
  done,
  created,
  failed,
  undo,
  question,
  class: name,
  keepsFields,
  isRestored = false,
  isOff = false,
  children,
}: ActionFormProps<Name>): VNode {
  return html`<form
    method="post"
    autocomplete=${isRestored ? 'on' : 'off'}
    class="act ${name ?? 'inline'}"
    data-operation=${operation}
    data-input=${JSON.stringify(input)}
    data-done=${done}
    data-created=${created}
    data-failed=${failed}
    data-undo=${undo?.label}
    data-undone=${undo?.done}
    data-question=${question}
    data-keeps-fields=${keepsFields}
    data-off=${isOff ? '' : undefined}
  >
    ${children}
  </form>`;
}
